"""Tending: what the store holds, whether it is sound, and making it sound."""

from __future__ import annotations

from collections import Counter

from companion.api import Finding, Stats
from companion.app.checkout import OpenCheckout
from companion.ports import Progress
from companion.store import projects
from companion.store.memories import contradictions, usage


class Tending(OpenCheckout):
    """The verbs of upkeep. See `companion.api.Companion`."""

    def stats(self) -> Stats:
        """What the store holds of this project, in counts and bytes."""
        self._tell_if_unread()
        counts = self.rooms.memories.counts(self.project)
        library = self.library()
        languages = Counter(forms.language for forms in library.paths().values() if forms.language)
        used = usage.totals(self.rooms.database, self.project)
        return Stats(
            project=projects.project_name(self.rooms.database, self.project),
            remote=self.state.remote,
            root=self.state.root,
            commits=self.rooms.history.seq_count(self.project),
            files=len(library.paths()),
            symbols=self.rooms.code.symbol_count(self.checkout),
            languages=tuple(sorted(languages.items(), key=lambda item: (-item[1], item[0]))),
            memories=self._learned(),
            archived=sum(n for (_, _, status), n in counts.items() if status == "archived"),
            open_contradictions=len(contradictions.open_ones(self.rooms.database, self.project)),
            readiness=library.readiness(),
            store_bytes=self.rooms.database.path.stat().st_size,
            store_path=str(self.rooms.database.path),
            retrieved=used.retrieved,
            cited=used.cited,
            ignored=used.ignored,
        )

    def doctor(self) -> tuple[Finding, ...]:
        """Check the store, the indexes, the models and the repository."""
        from companion.app import checks

        with self.rooms.database.sparing(checks.MEMORY, checks.THREADS):
            return checks.examine_open(self.rooms, self.state, self.project, self.checkout)

    def rebuild(self, progress: Progress) -> tuple[Finding, ...]:
        """Make every derived index anew from what is canonical."""
        from companion.app import checks
        from companion.app.scanning.passages import PassageStage

        stage = PassageStage(self.rooms, self.state, self.project, self.checkout, progress)
        return checks.rebuild(stage, self._tree())
