"""What happens while someone works: files touched, diagnostics shown, commands run. Editors and shells report it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from msgspec import Struct

from companion.records.story import StoryStep


class Touch(StrEnum):
    """What was done with a file."""

    OPENED = "opened"
    SELECTED = "selected"
    EDITED = "edited"
    SAVED = "saved"
    CLOSED = "closed"


class Severity(StrEnum):
    """How grave a diagnostic is, in the language server protocol's words."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"
    HINT = "hint"


class Touched(Struct, frozen=True):
    """A file was opened, selected, edited, saved or closed. `path` is relative to the repository, or absolute.

    `symbol` is the qualified name of the definition that was touched, where it is known; `line` counts from 1.
    """

    path: str
    how: Touch
    symbol: str = ""
    line: int | None = None


class Diagnostic(Struct, frozen=True):
    """One message of a compiler or linter about a file. `line` counts from 1; `tool` is who says it."""

    line: int
    message: str
    severity: Severity = Severity.ERROR
    tool: str = ""
    code: str = ""


class Diagnosed(Struct, frozen=True):
    """All diagnostics of a file as they are now; none: it is clean again."""

    path: str
    diagnostics: tuple[Diagnostic, ...] = ()


class Ran(Struct, frozen=True):
    """A command that ended. `directory` is absolute; `output` is the end of what it said, read for errors and not kept.

    `started_at` is naive UTC.
    """

    command: str
    directory: str
    exit_code: int
    duration_s: float
    started_at: datetime
    output: str = ""


Observation = Touched | Diagnosed | Ran
"""What may be observed; each kind is noted in its own way."""


class Happening(StrEnum):
    """What an event tells of: a file touched or diagnosed, a command run, a branch changed, commits that came in."""

    OPENED = "opened"
    SELECTED = "selected"
    EDITED = "edited"
    SAVED = "saved"
    CLOSED = "closed"
    DIAGNOSED = "diagnosed"
    RAN = "ran"
    BRANCH = "branch"
    ARRIVED = "arrived"


class Event(Struct, frozen=True):
    """An observation as it is kept: in order, redacted, without the contents of any file. Times are naive UTC.

    `number` counts a checkout's events from 1; `unindexed` says that the file was new to the index;
    `errors` and `warnings` count diagnostics; `people` are other authors of commits that came in.
    """

    number: int
    at: datetime
    what: Happening
    path: str = ""
    symbol: str = ""
    line: int | None = None
    unindexed: bool = False
    errors: int = 0
    warnings: int = 0
    exit_code: int | None = None
    branch: str = ""
    people: tuple[str, ...] = ()


class Serving(Struct, frozen=True):
    """A context that was served: after which event, for which file, and its memories with the files they are about.

    `files` are those whose code it showed; None: served before that was kept.
    """

    after: int
    at: datetime
    path: str
    items: Mapping[str, tuple[str, ...]]
    files: tuple[str, ...] | None = None


class Interest(Struct, frozen=True):
    """How much a file or symbol (`path`, or `path::qualified.name`) is at the centre of work, 0 to 1, and why."""

    target: str
    degree: float
    says: str


class Blamed(Struct, frozen=True):
    """Lines of a file, first and last from 1, and the commit that wrote them; no id: they are not committed yet."""

    first: int
    last: int
    sha: str = ""
    subject: str = ""
    at: datetime | None = None


class WhyLine(Struct, frozen=True):
    """A decision, error or rule about a place: what it says, where it comes from, since when, which memory."""

    text: str
    source: str
    at: datetime | None = None
    id: str = ""


UNCOMMITTED = StoryStep("Not committed yet")
"""Stands for the commit of a line that no commit has."""


class Why(Struct, frozen=True):
    """Why a line is as it is: the commit that wrote it, the story of the definition around it, what concerns that.

    A `line` of 0 asks for the file as a whole, whose last commit is `written` then. `steps` go from the oldest to the
    newest; the commit of the line may be one of them. `asking`: git is still being asked, and knows more later. `end`
    says how many commits the story leaves out, and why it goes no further back where it begins after the beginning.
    """

    path: str
    symbol: str
    first_line: int
    last_line: int
    line: int = 0
    written: StoryStep | None = None
    steps: tuple[StoryStep, ...] = ()
    lines: tuple[WhyLine, ...] = ()
    asking: bool = False
    end: str = ""

    @property
    def others(self) -> tuple[StoryStep, ...]:
        """The steps that are not the commit of the line."""
        return tuple(step for step in self.steps if self.written is None or step.sha != self.written.sha)


class CodeLens(Struct, frozen=True):
    """A definition of a file that something is remembered about. Lines count from 1.

    `changed_at` is when the last commit changed it; None while that is not known.
    """

    path: str
    symbol: str
    kind: str
    first_line: int
    last_line: int
    memories: int
    says: str
    changed_at: datetime | None = None


class Hint(Struct, frozen=True):
    """Something to look at in a file: an open contradiction, or a departure from a convention.

    Lines and columns count from 1, `last_column` is the column after the last sign, in characters; `id` is
    the contradiction's (`x1…`) or the memory's.
    """

    path: str
    first_line: int
    first_column: int
    last_line: int
    last_column: int
    message: str
    code: str
    id: str
