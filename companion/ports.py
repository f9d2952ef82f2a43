"""What the rooms need from outside, as protocols: the composition root hands them real things.

The engine reads through `Library`, kinds learn through `World`, both are kept by the store; the rest
is clock, tokens, vectors and the redactor. Small fakes that tests may use live in `tests/fakes.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from companion.records import (
    Aged,
    Change,
    CodeForms,
    Commit,
    Contradiction,
    Draft,
    FileSeen,
    Hanging,
    Hit,
    Idle,
    Judged,
    Link,
    Memory,
    ParsedFile,
    RepoState,
    Ruling,
    SearchQuery,
    Spelling,
    Statement,
    Supersede,
    Tie,
    Told,
    Twins,
    Wording,
    Worth,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> datetime:
        """The present moment, naive UTC."""
        ...


class TokenCounter(Protocol):
    """Counts tokens exactly, offline."""

    @property
    def name(self) -> str:
        """The encoding's name, `o200k` by default; shown with every count."""
        ...

    def count(self, text: str) -> int:
        """The number of tokens of `text`."""
        ...


class Embedder(Protocol):
    """Turns texts into unit vectors."""

    @property
    def model(self) -> str:
        """Name and checksum of the model: vectors of different models never meet."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Unit vectors, one row a text: shape (len(texts), dimension)."""
        ...


class Redactor(Protocol):
    """Finds secrets and replaces them."""

    def redact(self, text: str, path: str = "") -> str:
        """The text with each secret replaced by `[redacted KIND]`; `path` gives context."""
        ...


class LanguageModel(Protocol):
    """Any chat model behind an OpenAI-compatible endpoint; absent by default."""

    @property
    def name(self) -> str:
        """What the endpoint calls it: what it said is kept under this name."""
        ...

    def complete(self, prompt: str, schema: Mapping[str, object], timeout_s: float) -> str:
        """A reply that was asked to follow a JSON schema; never trusted to.

        Raises ModelUnavailable where none came in time (ModelSpent: it was asked often enough this night),
        ModelTalkedNonsense where what came is no answer.
        """
        ...


class Checker(Protocol):
    """Says why a shorter text may not stand for a longer one; see `companion.judging.kept.faithful`."""

    def __call__(self, above: str, reply: str, statement: str = "", /) -> tuple[str, ...]:
        """Each fault in words, none if it may; `statement` is the part of `above` whose marks must all be kept."""
        ...


class Progress(Protocol):
    """Told how far a long work is, by whoever does it."""

    def step(self, stage: str, done: int, total: int | None) -> None:
        """`stage` is a few words for people; `total` is None while unknown."""
        ...


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A file that changed together with the asked ones.

    `weight` is the decayed co-change weight (not normalised); `together` counts the commits;
    `last_commit` is the id of the latest one, `last_subject` its subject.
    """

    path: str
    weight: float
    together: int
    last_commit: str
    last_subject: str


@dataclass(frozen=True, slots=True)
class Recent:
    """A file and how many commits ago it last changed (0: in the newest commit)."""

    path: str
    commits_ago: int
    commits: int


@dataclass(frozen=True, slots=True)
class TextMatch:
    """A file whose names, symbols, documentation or past commit subjects match a text.

    `score` is a BM25 value, larger is better; `matched` the words that did; `past` is the part of
    the score that comes from the subjects of commits which touched the file.
    """

    path: str
    score: float
    matched: tuple[str, ...]
    past: float = 0.0


@dataclass(frozen=True, slots=True)
class Owner:
    """A person's share of a file's decayed commits, 0 to 1."""

    person: str
    email: str
    share: float
    commits: int


@dataclass(frozen=True, slots=True)
class Standing:
    """Memories that are wanted whatever the file: read once, cached until something is written."""

    foundation: tuple[Memory, ...]
    conventions: tuple[Memory, ...]
    workflows: tuple[Memory, ...]
    decisions: tuple[Memory, ...]
    contradictions: tuple[Contradiction, ...]


@dataclass(frozen=True, slots=True)
class Topic:
    """Something one can ask about: a name, how many memories speak of it, and what to open."""

    name: str
    memories: int
    expand: str


@dataclass(frozen=True, slots=True)
class Readiness:
    """How far the derived indexes are: how many texts have vectors, and what is missing."""

    memories: int
    embedded: int
    to_embed: int
    missing: tuple[str, ...] = ()


class Library(Protocol):
    """What the engine may ask of one checkout's project: read-only, set-based, as known at `as_of`.

    An implementation is bound to a project, a checkout, a branch, a persona and (optionally) a past
    moment when it is made; nothing it returns lies in the future of that moment or on another
    branch. Paths are repository paths of live files. Methods never raise for a damaged derived
    index: they return nothing and name it in `missing()`.
    """

    def commit_count(self) -> int:
        """Commits known."""
        ...

    def paths(self) -> Mapping[str, CodeForms]:
        """Every indexed file; the mapping is cached and must not be changed."""
        ...

    def cochanged(self, paths: Sequence[str], limit: int) -> tuple[Neighbour, ...]:
        """Files that changed with any of `paths`, by decayed weight, those excluded."""
        ...

    def recent(self, limit: int) -> tuple[Recent, ...]:
        """Files by how lately they changed."""
        ...

    def links(self, paths: Sequence[str]) -> tuple[Link, ...]:
        """Links from and to any of `paths`."""
        ...

    def match_files(self, text: str, limit: int) -> tuple[TextMatch, ...]:
        """Files that a free text speaks of."""
        ...

    def owners(self, path: str, limit: int) -> tuple[Owner, ...]:
        """Who has worked on a file, most first."""
        ...

    def about(self, entities: Sequence[str], limit: int) -> tuple[Memory, ...]:
        """Active memories that refer to any of the entities, newest and most important first."""
        ...

    def within(self, path: str, limit: int) -> tuple[Memory, ...]:
        """Active memories whose scope or evidence lies on the path or in a folder above it."""
        ...

    def failures(self, fingerprints: Sequence[str], since: datetime | None) -> tuple[Memory, ...]:
        """Error episodes with one of the fingerprints, or (none given) all since a moment."""
        ...

    def expect(self, text: str) -> None:
        """This text will be searched for soon: what takes long of that may be begun. Never raises."""
        ...

    def search(self, query: SearchQuery) -> tuple[Hit, ...]:
        """Hybrid search; see SearchQuery."""
        ...

    def get(self, ids: Sequence[str]) -> tuple[Memory, ...]:
        """Memories by id, in the given order, unknown ones left out."""
        ...

    def standing(self) -> Standing:
        """Foundation, conventions, workflows, decisions in force, open contradictions."""
        ...

    def topics(self, limit: int) -> tuple[Topic, ...]:
        """What one can ask about, most spoken of first."""
        ...

    def body(self, path: str, first_line: int, last_line: int) -> str:
        """Lines of a file as indexed, redacted; empty if it has changed since or is gone."""
        ...

    def weights(self, name: str) -> Mapping[str, float]:
        """Learned parameters kept under a name; empty if nothing was learned."""
        ...

    def missing(self) -> tuple[str, ...]:
        """What is damaged or not there, in sentences; asked for every context, so quick."""
        ...

    def readiness(self) -> Readiness:
        """How far the indexes are, counted anew after each change, and what is missing."""
        ...


class World(Protocol):
    """What kinds learn from: what is new in one project since they last looked."""

    @property
    def project(self) -> str:
        """The project's id."""
        ...

    @property
    def repo(self) -> RepoState:
        """The checkout as it stands."""
        ...

    @property
    def now(self) -> datetime:
        """The moment of learning, naive UTC."""
        ...

    def new_commits(self) -> Sequence[Commit]:
        """Commits not learned from yet, oldest first, subjects and bodies redacted."""
        ...

    def recent_commits(self, limit: int) -> Sequence[Commit]:
        """The newest `limit` commits that are known, learned from or not, oldest first."""
        ...

    def changed_texts(self, matching: Iterable[str]) -> Iterator[FileSeen]:
        """Changed or new files whose path matches one of the gitignore-style patterns."""
        ...

    def sample_texts(self, matching: Iterable[str], limit: int) -> Iterator[FileSeen]:
        """At most `limit` files that match, changed or not, spread evenly over the sorted paths."""
        ...

    def changed_code(self) -> Sequence[ParsedFile]:
        """Parsed files that changed since the last learning."""
        ...

    def all_code(self) -> Sequence[ParsedFile]:
        """Every parsed file of the checkout, with its shapes (for patterns over the whole)."""
        ...

    def all_paths(self) -> Sequence[str]:
        """Every path of the checkout that is not ignored."""
        ...


class Kind(Protocol):
    """A way of learning: events in, drafts out. One module and one line in `KINDS` each.

    What it yields replaces what it said before of the same origins. `origins` lists the origins that
    this run has read (so that an origin which now says nothing is emptied).
    """

    @property
    def name(self) -> str:
        """A short name, kept with each memory it taught."""
        ...

    def origins(self, world: World) -> Sequence[str]:
        """Origins this run speaks for."""
        ...

    def learn(self, world: World) -> Iterator[Draft]:
        """The memories that the new events teach."""
        ...


class Archive(Protocol):
    """What a pass of the night may ask: candidates in sets, read-only, in a stable order, never everything."""

    def twins(self) -> Iterator[Twins]:
        """Groups of active memories of one subject, scope and source that say the same, by the one to stay."""
        ...

    def spellings(self) -> Iterator[Spelling]:
        """Entities that are another spelling of one and were not known as such: people, topics, renamed files."""
        ...

    @property
    def language_model(self) -> LanguageModel | None:
        """The model that may word things better; None where none is configured."""
        ...

    @property
    def checker(self) -> Checker | None:
        """What a model's words are checked by; without one none are used."""
        ...

    def aged_episodes(self, summary_after: int, compressed_after: int, asked_within: int) -> Iterator[Aged]:
        """Episodes that are offered longer or shorter than their age in days of work asks for, oldest first.

        What a person asked for within `asked_within` days of work is offered in full whatever its age.
        """
        ...

    def to_reword(self, limit: int) -> Iterator[Wording]:
        """Memories that the language model was not asked about yet, or in vain some nights ago; dearest first."""
        ...

    def reworded(self, wording: Wording, why_not: str) -> None:
        """Note what a model's words came to, so that nothing is asked twice a night; empty: they were accepted."""
        ...

    def tokens(self, text: str) -> int:
        """Tokens of a text, as contexts count them."""
        ...

    @property
    def counted(self) -> Mapping[str, Mapping[str, int]]:
        """What passes counted beside their changes, by pass and name."""
        ...

    def count(self, step: str, what: str, many: int = 1) -> None:
        """Add to what a pass counts beside its changes; it stands in the report of the night."""
        ...

    def idle(self, told_days: int, idle_days: int) -> Iterator[Idle]:
        """Memories that may be forgotten at all: unused for more than `idle_days` of work, or superseded.

        What people told in a few words is among them once it is more than `told_days` of work old. Longest
        unused first.
        """
        ...

    def told(self) -> Iterator[Told]:
        """The short statements that people told, newest first; those that no longer stand are there to learn from."""
        ...

    def replaced(self, told: Iterable[Told]) -> Iterator[Supersede]:
        """Those of the statements that a newer one by the same source took the place of: same slot, another value."""
        ...

    def hanging(self) -> Iterator[Hanging]:
        """What people told of files that are gone, were renamed or came back."""
        ...

    def contradictions(self) -> tuple[Contradiction, ...]:
        """The open ones, newest first."""
        ...

    def worth(self, hot_days: int, warm_days: int) -> Iterator[Worth]:
        """Active memories that were used, or are weighed or as warm as they should no longer be; most used first.

        Hot is what was used or born within so many days of work, warm within so many, all else is cold.
        """
        ...

    def ties(self) -> Iterator[Tie]:
        """What memories have to do with one another where it is new or has changed, strongest first by relation."""
        ...

    def judged(self) -> Iterator[Judged]:
        """Pairs of statements that could contradict one another and were not noted yet, with what a judge says."""
        ...


class Likeness(Protocol):
    """Tells whether two texts say the same; see `companion.judging.likeness`."""

    def difference(self, a: str, b: str) -> str:
        """In a few words what only one of them says; empty where they say the same."""
        ...


class PairReader(Protocol):
    """Reads two sentences together; see `companion.adapters.pair_reader`."""

    @property
    def version(self) -> str:
        """Of its weights."""
        ...

    def read(self, a: str, b: str) -> tuple[float, float, float]:
        """How likely it is that the two contradict, say the same, or neither; together one."""
        ...


class Slots(Protocol):
    """Finds which statement took the place of which."""

    def replaced(self, told: Iterable[Told]) -> Iterator[Supersede]:
        """The standing statements that a newer one took the place of; the others are there to learn from."""
        ...


class Judge(Protocol):
    """Says whether two statements can both hold."""

    @property
    def name(self) -> str:
        """Name and version: what it ruled is kept under both."""
        ...

    def rule(self, a: Statement, b: Statement) -> Ruling:
        """What it makes of the two, `a` the older. Never raises: what it cannot say is a ruling of None."""
        ...


class Pass(Protocol):
    """One step of the night: proposes changes, carries none out. Found by the entry points `companion.passes`."""

    def plan(self, archive: Archive, now: datetime) -> Iterator[Change]:
        """The changes it would make, each with its reason."""
        ...
