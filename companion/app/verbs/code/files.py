"""Code: why a place is as it is, which definitions something is known about, what to look at in a file."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from contextlib import suppress

from msgspec.structs import replace

from companion import syntax
from companion.adapters.secrets import redacted_source
from companion.api import NOT_USEFUL
from companion.app.checkout import Service
from companion.app.scanning.origins import origins_of_lines, stories
from companion.app.working.stories import Story, read_story, spanned
from companion.encoding import decoded
from companion.engine.telling.departures import Disputed, hints
from companion.engine.telling.dossier import FileDossier
from companion.engine.telling.why import Origins, blamed_at, followed, marks, why
from companion.errors import SourceError, UsageError
from companion.escape import one_line
from companion.kinds.history.forges import links_of
from companion.kinds.history.story import sentence_of
from companion.records import (
    UNCOMMITTED,
    Blamed,
    CodeForms,
    CodeLens,
    Commit,
    Hint,
    Memory,
    Span,
    StoryStep,
    Symbol,
    SymbolKind,
    Why,
)
from companion.signals import git
from companion.signals.files import blob_id
from companion.store.history import overviews
from companion.store.keeping import VersionedCache
from companion.store.memories import contradictions, usage
from companion.store.text.facets import Viewer

ABOUT_A_FILE = 200
"""Memories read of one file: a hover shows nine, a code lens counts; more is a file of a thousand commits."""
PATIENCE_MOST_S = 5.0
"""Seconds that an answer waits for git at most, half of what a question may take; whoever can wait asks again."""
MARKS_WAIT_S = 0.2
"""Seconds that lenses wait for git: they come as the file is drawn."""
DOSSIERS_KEPT = 64
"""Files whose dossier is kept until something changes: those open in a few editors, some 200 kB each."""
HEAD_SHOWN = 100
"""Characters of the first line of a definition that tell it from others of its name."""
NAMED_ALIKE = 20
"""Definitions of one name that are listed to choose from."""


class KnownFiles(Service):
    """The verbs that say what is known of a file and of its lines. See `companion.api.Companion`."""

    def why(self, path: str, line: int, symbol: str = "", patience_s: float = 0.0) -> Why:
        self.here.need_reading()
        if symbol and not path:
            with suppress(UsageError):  # no file is called so: then a definition is
                path, symbol = self.here.inside(self._only_file(symbol)), ""
        place = self.here.inside(path) if path or not symbol else ""
        if symbol:
            place, line = self._named(place, symbol)
        known = self._dossier(place)
        if not line:
            return replace(why(known, 0), written=self._step(known.touched) if known.touched else None)
        if (lines_total := decoded(self._content(place)).count("\n")) < line - 1:
            return Why(place, "", 0, 0, line, end=_beyond(place, lines_total))
        lines, name = followed(known, line)
        story = self._story(known, lines, name, max(0.0, min(patience_s, PATIENCE_MOST_S)))
        wrote = story.wrote if story is not None else self._origins(known, 0.0)
        written = self._written(line, lines, story, wrote or ())
        steps = tuple(spanned(step, wrote or (), lines) for step in story.steps) if story is not None else ()
        end = story.end if story is not None else ""
        if symbol and steps:
            written = None  # a definition was asked for, and its story says who wrote it
        told = why(known, line, wrote)
        return replace(told, written=written, steps=steps, asking=story is None, end=end)

    def marks(self, path: str) -> tuple[CodeLens, ...]:
        self.here.need_reading()
        known = self._dossier(self.here.inside(path))
        return marks(known, self._origins(known, MARKS_WAIT_S))

    def hints(self, path: str) -> tuple[Hint, ...]:
        """Open contradictions and departures from conventions in a file, by line.

        Nothing is said of a file that has changed since it was indexed: what its lines are now is not
        known until it was read again.
        """
        self.here.need_reading()
        place = self.here.inside(path)
        known = self._dossier(place)
        lines = self._lines_as_indexed(place)
        if not lines:
            return ()
        departing = [memory.id for memory in known.memories if known.departures(memory)]
        dismissed = usage.passed_over(self.store.database, departing, NOT_USEFUL)
        return hints(known, self._disputes().get(place, ()), lines, dismissed)

    def _disputes(self) -> Mapping[str, Sequence[Disputed]]:
        """Where open contradictions were read from, by path."""
        database, branch, checkout = self.store.database, self.here.state.branch, self.here.checkout

        def read() -> Mapping[str, Sequence[Disputed]]:
            by_path: dict[str, list[Disputed]] = {}
            reader = Viewer(branch, checkout=checkout)
            for one in contradictions.open_ones(database, self.here.project, sees=reader.sees):
                for path, line in one.places:
                    if line is not None:
                        by_path.setdefault(path, []).append(Disputed(one.id, line, one.reason))
            return by_path

        return self.store.readings.kept(("disputed", checkout, branch), database.revision, read)

    def _memories_version(self) -> Hashable:
        """Changes whenever a memory of the project does."""
        return self.store.text_index.version(self.here.project) or self.store.database.revision

    def _dossier(self, path: str) -> FileDossier:
        """The dossier of a file, kept until a memory, the history or the indexed code changes."""
        readings = self.store.readings
        version: Hashable = (
            self._memories_version(),
            readings.code_revision(self.here.checkout),
            readings.snapshots.of(self.here.project).newest,
            blob_id(self._content(path)),
        )
        name = (self.here.checkout, self.here.state.branch, path)
        return self.runtime.one(_dossiers)(name, version, lambda: self._read_dossier(path))

    def _origins(self, known: FileDossier, wait_s: float) -> Origins | None:
        """Which commits wrote the lines of a file as it lies on disk; None if git has not said so in time."""
        state, path, fit = self.here.state, known.path, self.here.fit
        content = self._content(path)

        def find() -> tuple[Blamed, ...]:
            return tuple(replace(one, subject=fit(one.subject)) for one in git.blame(state, path, content))

        return self.runtime.one(origins_of_lines).of(self._as_it_lies(path, content), find, wait_s) if content else ()

    def _story(self, known: FileDossier, lines: Span, name: str, wait_s: float) -> Story | None:
        """What commits did to lines of a file as it lies on disk; None if git has not said so in time."""
        state, path, fit = self.here.state, known.path, self.here.fit
        content = self._content(path)

        def find() -> Story:
            return read_story(state, path, content, lines, name, fit)

        return self.runtime.one(stories).of((*self._as_it_lies(path, content), lines), find, wait_s)

    def _content(self, path: str) -> bytes:
        """A file as it lies on disk; empty where it cannot be read."""
        try:
            return self.here.source().read(path)
        except SourceError:
            return b""

    def _as_it_lies(self, path: str, content: bytes) -> tuple[str, ...]:
        """Tells a file with its content and history from all others."""
        return self.here.checkout, path, blob_id(content), self.here.state.head

    def _written(self, line: int, lines: Span, story: Story | None, wrote: Origins) -> StoryStep | None:
        """The commit of a line: as its story tells it, or else as it is known at once."""
        blamed = blamed_at(wrote, line)
        if blamed is None or not blamed.sha:
            return UNCOMMITTED if blamed is not None else None
        told = story.by_commit.get(blamed.sha) if story is not None else None
        if told is None:
            read = self.store.history.commits(self.here.project, [blamed.sha])
            told = next(map(self._step, read), StoryStep(sentence_of(blamed.subject), blamed.sha, blamed.at))
        return spanned(told, wrote, lines)

    def _step(self, commit: Commit) -> StoryStep:
        """A commit as far as it is known without git."""
        links = links_of(self.here.state.remote, commit)
        return StoryStep(sentence_of(commit.subject), commit.sha, commit.authored_at, commit.author.name, links=links)

    def _named(self, path: str, symbol: str) -> tuple[str, int]:
        """The file and line of the one definition of a name. Raises UsageError if there is none, or several."""
        found = self._definitions(path, symbol)
        if not found:
            where = f" in {path}" if path else ""
            raise UsageError(f"No definition{where} is called `{symbol}`.", self._called_nearly(path, symbol))
        if len(found) > 1:
            body = self.here.library().body
            shown = [(file, one, body(file, one.line, one.line)) for file, one in found[:NAMED_ALIKE]]
            rows = [
                f"companion why {file}:{one.line}  ({one.qualname})  {one_line(head, HEAD_SHOWN)}"
                for file, one, head in shown
            ]
            more = [f"and {len(found) - NAMED_ALIKE} more"] if len(found) > NAMED_ALIKE else []
            raise UsageError(
                f"{len(found)} definitions are called `{symbol}`.", "\n  ".join(["say which", *rows, *more])
            )
        file, meant = found[0]
        now = [one.line for one in self._dossier(file).symbols if one.qualname == meant.qualname]
        if not now:
            raise UsageError(
                f"No definition in {file} is called `{symbol}` any more.", self._called_nearly(path, symbol)
            )
        return file, (meant.line if meant.line in now else now[0])

    def _only_file(self, name: str) -> str:
        """The path of the one file that is called so; the name itself where there are several, or none."""
        found = [path for path in self.here.library().paths() if "." in name and path.rpartition("/")[2] == name]
        return found[0] if len(found) == 1 else name

    def _called_nearly(self, path: str, symbol: str) -> str:
        """What to type in place of a name that no definition has."""
        from difflib import get_close_matches

        known = self.here.library().paths().items()
        names = {one.name for file, forms in known if path in ("", file) for one in forms.symbols}
        near = get_close_matches(re.split(r"[.:#]", symbol.removesuffix("()"))[-1], names)
        meant = f"Did you mean {', '.join(near)}? " if near else ""
        return f"{meant}A line is named as `companion why FILE:LINE`."

    def _definitions(self, path: str, symbol: str) -> list[tuple[str, Symbol]]:
        """The definitions of a name, by file and line: those called so in full, else those called so at the end.

        Those are left out that only declare what another one of the file takes.
        """
        name = symbol.replace("::", ".").replace("#", ".").removesuffix("()")
        library = self.here.library()
        all_ = [
            (file, one)
            for file, forms in library.paths().items()
            if path in ("", file)
            for one in forms.symbols
            if one.qualname == name or one.qualname.endswith(f".{name}")
        ]
        named = [(file, one) for file, one in all_ if one.qualname == name] or all_
        does = [(file, one) for file, one in named if not _declares(library.body(file, one.line, one.end_line))]
        known = {(file, one.qualname) for file, one in does}
        does += [(file, one) for file, one in named if (file, one.qualname) not in known]
        return sorted(does, key=lambda one: (one[0], one[1].line))

    def _read_dossier(self, path: str) -> FileDossier:
        library = self.here.library()
        forms = library.paths().get(path)
        symbols = tuple(filter(_holds_code, self._symbols(path, forms))) if forms else ()
        known = FileDossier(path, forms.lines if forms else 0, symbols, called=library.called(path))
        named = library.about([f"file:{path}"], ABOUT_A_FILE)
        dotted = [f"symbol:{symbol.qualname}" for symbol in symbols if "." in symbol.qualname]
        defined = library.about(dotted, ABOUT_A_FILE)
        pointing = [memory for memory in library.at(path, ABOUT_A_FILE) if known.points_here(memory)]
        touched = overviews.of_file(self.store.database, self.here.project, path, self.here.state.branch, limit=1)
        memories: dict[str, Memory] = {m.id: m for m in (*named, *defined, *pointing)}
        return replace(known, memories=tuple(memories.values()), touched=next(iter(touched), None))

    def _symbols(self, path: str, forms: CodeForms) -> Sequence[Symbol]:
        """The definitions of a file as it lies on disk, which may have changed since it was indexed."""
        content = self._content(path)
        if not content or blob_id(content) == forms.content_hash:
            return forms.symbols
        return syntax.parse(path, redacted_source(content), "").symbols

    def _lines_as_indexed(self, path: str) -> list[str]:
        """The lines of a file if it still is what was indexed, only to measure them; else none."""
        forms = self.here.library().paths().get(path)
        content = self._content(path)
        if forms is None or blob_id(content) != forms.content_hash:
            return []
        return decoded(content).replace("\r\n", "\n").split("\n")


def _declares(code: str) -> bool:
    """Whether a definition has no body."""
    return code.rstrip().endswith(("...", ";")) and "{" not in code and "=>" not in code


def _holds_code(symbol: Symbol) -> bool:
    """Whether a symbol is more than the line that names the package of a file."""
    return symbol.kind is not SymbolKind.MODULE or symbol.line < symbol.end_line


def _dossiers() -> VersionedCache:
    """The dossiers read last. An editor asks three things of a file it opens, at once: the first reads it for all."""
    return VersionedCache(DOSSIERS_KEPT)


def _beyond(path: str, lines_total: int) -> str:
    """That a line is none of a file's; empty where the file has none."""
    last = f"{path} ends with line {lines_total:,}: `companion why {path}:{lines_total}` explains that one."
    return last if lines_total else ""
