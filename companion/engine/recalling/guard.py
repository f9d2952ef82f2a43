"""A library that never raises: a part that fails costs its own answer, and is named as missing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar, cast

from companion.ports import Library, LineMaker, Readiness, Standing
from companion.records import Span

DOCTOR = "see `companion doctor`"
REBUILD = "try `companion rebuild`"
INIT = "try `companion init`"

T = TypeVar("T")

QUESTIONS: dict[str, tuple[str, str, object]] = {
    "paths": ("the code index", INIT, {}),
    "cochanged": ("co-change", INIT, ()),
    "recent": ("recent work", INIT, ()),
    "links": ("links between files", INIT, ()),
    "match_files": ("text match of files", REBUILD, ()),
    "worth": ("rarity of words", REBUILD, {}),
    "passages": ("passages", REBUILD, ()),
    "alike": ("passages", REBUILD, ()),
    "past_changes": ("past changes", REBUILD, ()),
    "messages": ("messages of commits", REBUILD, {}),
    "commit_summary": ("messages of commits", REBUILD, None),
    "owners": ("owners", INIT, ()),
    "about": ("memories of the files", DOCTOR, ()),
    "open_threads": ("open questions and blockers", DOCTOR, ()),
    "within": ("memories of the folder", DOCTOR, ()),
    "declared": ("declared facts", INIT, ()),
    "failures": ("past errors", DOCTOR, ()),
    "expect": ("search", REBUILD, None),
    "search": ("search", REBUILD, ()),
    "get": ("memories by id", DOCTOR, ()),
    "standing": ("decisions and conventions", DOCTOR, Standing((), (), (), (), ())),
    "topics": ("topics", DOCTOR, ()),
    "weights": ("learned weights", INIT, {}),
    "readiness": ("the state of the indexes", DOCTOR, Readiness(0, 0, 0)),
}
"""Questions of a library: the part that answers, the command that mends it, and the answer where it fails."""


class Guarded:
    """A `Library` around another one. Each question that fails is answered with nothing.

    `missing` then holds a line for people, with the command that mends it; the lines that the
    library's own `readiness` gives come first.
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self._missing: dict[str, None] = {}
        nothing: tuple[str, ...] = ()
        for line in self.attempt("the state of the indexes", DOCTOR, library.missing, nothing):
            self.lack(line)

    @property
    def answers(self) -> Library:
        """The same as the library that it is: most of its methods follow from `QUESTIONS`."""
        return cast("Library", self)  # set by name below

    def missing(self) -> tuple[str, ...]:
        """What is missing so far, in the order it was noticed."""
        return tuple(self._missing)

    def lack(self, line: str) -> None:
        """Note that something is missing; each line once."""
        self._missing.setdefault(line)

    def attempt(self, part: str, mend: str, question: Callable[[], T], otherwise: T) -> T:
        """The answer to a question, or `otherwise` if it raises anything at all."""
        try:
            return question()
        except Exception as wrong:  # whatever a part does, the rest of the context is still wanted
            self.lack(f"{part} ({type(wrong).__name__}): {mend}")
            return otherwise

    def makers(self, path: str, spans: Sequence[Span]) -> tuple[tuple[LineMaker, ...], ...]:
        """See Library: without an answer, nobody for each span."""
        nothing: tuple[tuple[LineMaker, ...], ...] = tuple(() for _ in spans)
        return self.attempt("makers of lines", INIT, lambda: self._library.makers(path, spans), nothing)


def _asked(name: str) -> Callable[..., object]:
    """A method that puts a question to the library behind a guard."""
    part, mend, nothing = QUESTIONS[name]

    def ask(self: Guarded, *given: object, **named: object) -> object:
        return self.attempt(part, mend, lambda: getattr(self._library, name)(*given, **named), nothing)

    return ask


for _name in QUESTIONS:
    setattr(Guarded, _name, _asked(_name))
