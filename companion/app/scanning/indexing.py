"""Changed files into the code of a checkout: parsed, kept, and linked as far as the change reaches.

What a file changed is noted in the same transaction as its code (`unlearned`), and that links are out
of date is noted with it too (`unlinked`), so that whatever is cut off here is taken up by the next
look: nothing is lost, and no link stays wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from msgspec import Struct
from msgspec.structs import replace

from companion import syntax
from companion.adapters.secrets import redacted_source
from companion.app.scanning.stage import Stage
from companion.ports import FOUND
from companion.records import ParsedFile
from companion.signals import files
from companion.store import projects
from companion.store.bulk import batches
from companion.store.keeping import LastUsed
from companion.store.readings import Readings
from companion.syntax.definitions import DefiningFile

FILES_A_BATCH = 400
"""Files committed at once: a few seconds of parsing, the most that a kill can cost."""
NARROW_PART = 0.25
"""Part of all files up to which links are made anew for some alone; with more, reading all is as quick."""
CHECKOUTS_KNOWN = 4
"""Checkouts whose definitions stay in memory: some 5 MB for 3,000 files each."""


class Indexed(Struct, frozen=True):
    """What was taken in. `read` is every parsed file, where all of them had to be read."""

    fresh: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    read: tuple[ParsedFile, ...] | None = None


NONE = Indexed()
"""Nothing was taken in."""


@dataclass
class KnownDefinitions:
    """What each checkout defines, kept in memory between one change and the next."""

    _kept: LastUsed[str, tuple[int, syntax.Definitions]] = field(default_factory=lambda: LastUsed(CHECKOUTS_KNOWN))

    def of(self, readings: Readings, checkout: str) -> syntax.Definitions:
        """The definitions of a checkout as indexed; read from the store where they are not known."""
        revision = readings.code_revision(checkout)
        kept = self._kept.get(checkout)
        if kept is None or kept[0] != revision:
            return self.keep(readings, checkout, syntax.Definitions(readings.forms(checkout).values()))
        self._kept.move_to_end(checkout)
        return kept[1]

    def keep(self, readings: Readings, checkout: str, definitions: syntax.Definitions) -> syntax.Definitions:
        """These are the definitions of the code as it is indexed now."""
        self._kept[checkout] = (readings.code_revision(checkout), definitions)
        return definitions

    def drop(self, checkout: str) -> None:
        """What is known may be wrong: something was cut off half way."""
        self._kept.pop(checkout, None)


class _Unlinked(Struct, frozen=True):
    """What was kept and is not linked yet: the code as it is now, and of each changed path how it was."""

    definitions: syntax.Definitions
    before: dict[str, DefiningFile | None]
    roots: tuple[str, ...]
    gone: Sequence[str]
    whole: bool
    """Nothing was known before, or what was may be wrong: all is linked."""


@dataclass
class Indexer(Stage):
    """Takes changed files into the code of one checkout."""

    _unlinked: _Unlinked | None = field(default=None, init=False)

    def take_in(self, scan: files.Scan, known: Iterable[str]) -> Indexed:
        """Parse and keep what changed, forget what is gone, link anew what that moves.

        `known` are the paths that the scan looked for; those it did not find are gone.
        """
        kept = self.keep(scan, known)
        return replace(kept, read=self.link())

    def keep(self, scan: files.Scan, known: Iterable[str]) -> Indexed:
        """The first half, that questions about a file wait for; `link` is to follow."""
        runtime, checkout = self.runtime, self.checkout
        defined, readings = runtime.one(KnownDefinitions), runtime.store.readings
        cut_off = bool(projects.get_value(runtime.store.database, unlinked(checkout)))
        definitions = syntax.Definitions() if cut_off or self.full else defined.of(readings, checkout)
        whole = not definitions.places
        before: dict[str, DefiningFile | None] = {}
        roots = definitions.python_roots()
        defined.drop(checkout)
        fresh: list[str] = []
        for batch in batches(self._parsed(scan), FILES_A_BATCH):
            self._put(batch)
            parsed = [file for file, _ in batch]
            before |= {file.path: definitions.places.get(file.path) for file in parsed}
            definitions.update(changed=parsed)
            fresh += [file.path for file in parsed]
        runtime.store.code.restamp(checkout, scan.restamped)
        gone = sorted(set(known) - set(fresh) if self.full else scan.gone)
        self._forget(gone)
        before |= {path: definitions.places.get(path) for path in gone}
        definitions.update(removed=gone)
        if not (fresh or gone or cut_off):
            if not whole:
                defined.keep(readings, checkout, definitions)
            return NONE
        self._unlinked = _Unlinked(definitions, before, roots, gone, whole)
        return Indexed(tuple(fresh), tuple(gone))

    def link(self) -> tuple[ParsedFile, ...] | None:
        """The second half: link anew what the change moves. Every parsed file, where all of them had to be read."""
        left, self._unlinked = self._unlinked, None
        if left is None or (not left.whole and self._link_narrowly(left)):
            return None
        return self._link_all()

    # ------------------------------------------------------------------ files

    def _put(self, batch: Sequence[tuple[ParsedFile, int]]) -> None:
        runtime = self.runtime
        prepared = [(parsed, syntax.outline(parsed), mtime) for parsed, mtime in batch]
        with runtime.store.database.write():
            projects.note_unlearned(runtime.store.database, self.checkout, [parsed.path for parsed, _ in batch])
            projects.set_value(runtime.store.database, unlinked(self.checkout), "yes")
            runtime.store.code.replace(self.checkout, prepared)

    def _forget(self, gone: Sequence[str]) -> None:
        if not gone:
            return
        runtime = self.runtime
        with runtime.store.database.write():
            projects.note_unlearned(runtime.store.database, self.checkout, gone)
            projects.set_value(runtime.store.database, unlinked(self.checkout), "yes")
            runtime.store.code.remove(self.checkout, gone)

    def _parsed(self, scan: files.Scan) -> Iterator[tuple[ParsedFile, int]]:
        mtimes: dict[str, int] = {}

        def items() -> Iterator[tuple[str, bytes, str]]:
            for seen, data in scan.changed:
                mtimes[seen.path] = seen.mtime_ns
                yield seen.path, data, seen.content_hash

        total, symbols = scan.changed_count, 0
        for done, parsed in enumerate(syntax.parse_many(items(), self.workers, redacted_source), start=1):
            symbols += len(parsed.symbols)
            self.progress.step("reading code", done, total)
            self.progress.step(f"{FOUND}symbols", symbols, symbols if done == total else None)
            yield parsed, mtimes.pop(parsed.path)

    # ------------------------------------------------------------------ links

    def _link_narrowly(self, left: _Unlinked) -> bool:
        """Links anew where the change reaches; False if that is nearly everywhere, and nothing was done."""
        definitions = left.definitions
        moved = syntax.ripple(left.before, definitions, left.roots)
        reached = (self._reached(moved, definitions) | set(left.before)) - set(left.gone)
        if len(reached) > max(FILES_A_BATCH, NARROW_PART * len(definitions.places)):
            return False
        runtime = self.runtime
        again = runtime.store.code.parsed(self.checkout, sorted(reached))
        self.progress.step("linking code", 0, len(again))
        links = syntax.link(again, definitions)
        with runtime.store.database.write():
            runtime.store.code.set_links(self.checkout, sorted(reached), links)
            projects.set_value(runtime.store.database, unlinked(self.checkout), "")
        self.progress.step("linking code", len(again), len(again))
        runtime.one(KnownDefinitions).keep(runtime.store.readings, self.checkout, definitions)
        return True

    def _reached(self, moved: syntax.Ripple, definitions: syntax.Definitions) -> set[str]:
        """The files whose links a change may move, gone ones aside."""
        reached = self.runtime.store.code.users(self.checkout, moved.names)
        reached |= self.runtime.store.code.importers(self.checkout, moved.words, bare=moved.bare)
        reached |= set(syntax.tests_named_after(moved.stems, definitions.tests()))
        reached |= {path for path, place in definitions.places.items() if place.family in moved.families}
        return reached

    def _link_all(self) -> tuple[ParsedFile, ...]:
        runtime = self.runtime
        everything = runtime.store.code.parsed(self.checkout, None)
        self.progress.step("linking code", 0, len(everything))
        definitions = syntax.Definitions(everything)
        links = syntax.link(everything, definitions)
        with runtime.store.database.write():
            runtime.store.code.set_links(self.checkout, [file.path for file in everything], links)
            projects.set_value(runtime.store.database, unlinked(self.checkout), "")
        self.progress.step("linking code", len(everything), len(everything))
        runtime.one(KnownDefinitions).keep(runtime.store.readings, self.checkout, definitions)
        return everything


def unlinked(checkout: str) -> str:
    """The name under which it is noted that links of a checkout are out of date."""
    return f"unlinked:{checkout}"
