"""The words that stand in a memory: its kind, type, status, warmth and the like, each a short list."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum, StrEnum


class Kind(StrEnum):
    """The four kinds of memory."""

    FACT = "fact"
    EPISODE = "episode"
    PATTERN = "pattern"
    WORKFLOW = "workflow"


class FactType(StrEnum):
    """What sort of fact a fact is; a decision is a fact with a question and a status."""

    FACT = "fact"
    PREFERENCE = "preference"
    RELATIONSHIP = "relationship"
    FRICTION = "friction"
    HABIT = "habit"
    DECISION = "decision"


class EpisodeType(StrEnum):
    """What sort of happening an episode tells of."""

    COMMIT = "commit"
    BRANCH = "branch"
    DEBUGGING = "debugging"
    CONVERSATION = "conversation"
    ERROR = "error"


class Level(StrEnum):
    """The four lengths of a memory, longest first."""

    FULL = "full"
    SUMMARY = "summary"
    COMPRESSED = "compressed"
    INDEX = "index"


class Visibility(StrEnum):
    """Who may see a memory. Widening it is always a person's act."""

    USER_PRIVATE = "user-private"
    PROJECT_SHARED = "project-shared"
    SYSTEM = "system"


class Source(StrEnum):
    """By what way a memory came in."""

    SCAN = "scan"
    SHADOW = "shadow-extraction"
    SEEDED = "seeded-profile"
    CURATED = "curated-fold"
    BY_HAND = "by-hand"
    IMPORT = "import"


class Status(StrEnum):
    """Archived memories are found only when asked for."""

    ACTIVE = "active"
    ARCHIVED = "archived"


class Warmth(StrEnum):
    """How lately a memory was used or born, in days of work; orders candidates, hides nothing."""

    HOT = "hot"
    WARM = "warm"
    COLD = "cold"


class DecisionStatus(StrEnum):
    """Where a decision stands."""

    PROPOSED = "proposed"
    IN_FORCE = "in force"
    SUPERSEDED = "superseded"


class Importance(IntEnum):
    """How much a memory matters, as a person or its use says."""

    TRIVIAL = 0
    DEFAULT = 1
    SIGNIFICANT = 2
    CRITICAL = 3


class EvidenceKind(StrEnum):
    """What a memory can point back to."""

    FILE = "file"
    COMMIT = "commit"
    CONVERSATION = "conversation"
    COMMAND = "command"
    PERSON = "person"


class ArtifactKind(StrEnum):
    """What an episode can be linked to."""

    COMMIT = "commit"
    PULL_REQUEST = "pr"
    ADR = "adr"
    FILE = "file"
    ISSUE = "issue"


class Resolution(StrEnum):
    """How a contradiction was settled."""

    A_WINS = "a_wins"
    B_WINS = "b_wins"
    BOTH_VALID = "both_valid"
    MERGED = "merged"


CHANGES_BY_TYPE: Mapping[str, str] = {
    "feat": "feature",
    "feature": "feature",
    "fix": "fix",
    "bug": "fix",
    "bugfix": "fix",
    "hotfix": "fix",
    "security": "fix",
    "perf": "performance",
    "refactor": "refactor",
    "doc": "docs",
    "docs": "docs",
    "test": "test",
    "tests": "test",
    "revert": "revert",
    **dict.fromkeys(("chore", "style", "build", "ci", "deps", "release", "wip"), "chore"),
}
"""The types of conventional commits, and what sort of change each is."""
