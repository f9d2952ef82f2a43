"""Talk of other assistants: which of their logs may be read, bringing in what is new, and its review."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.api import LOGS_TOLD, BulkReview, LogRead, TalkImport, TalkSource
from companion.app.checkout import Service
from companion.app.given import page
from companion.app.verbs.conversation.talks import talk_named
from companion.errors import CompanionError, StoreError, UsageError
from companion.ports import Progress
from companion.records.talk import Conversation
from companion.store.talk import log_import, turn_index

if TYPE_CHECKING:
    from companion.signals.transcripts import AssistantLogs, Log, Surroundings

SILENT_FOR = timedelta(minutes=30)
"""How long nobody spoke before a session counts as over and may be remembered unseen; spec, first table."""
AT_ONCE_MOST = 1_000
"""Conversations reviewed in one go: more are asked for again."""
ALLOWED_NAME = "talk-sources.txt"
"""Beside the store, the sources that may be read, a line each: what a hook looks at before it starts anything."""


class TalkImports(Service):
    """The verbs of bringing in. See `companion.api.Companion`."""

    def talk_sources(self) -> tuple[TalkSource, ...]:
        from companion.signals import transcripts

        allowed = log_import.allowed(self.store.database)
        counts = log_import.counts(self.store.database, self.store.user)
        around = self._surroundings()
        told: list[TalkSource] = []
        for name in transcripts.names():
            forms = transcripts.named(name)
            places = tuple(self.here.fit(str(place)) for place in transcripts.places(forms, around))
            brought, unseen = counts.get(name, (0, 0))
            told.append(TalkSource(name, forms[0].title, places, allowed.get(name), brought, unseen))
        return tuple(told)

    def allow_source(self, source: str, *, on: bool = True) -> TalkSource:
        from companion.signals import transcripts

        name = transcripts.named(self.here.fit(source))[0].name
        log_import.allow(self.store.database, name, self.here.now(), on=on)
        allowed = log_import.allowed(self.store.database)
        listed = self.store.home / ALLOWED_NAME
        listed.write_text("".join(f"{one}\n" for one in sorted(allowed)), encoding="utf-8")
        return next(one for one in self.talk_sources() if one.name == name)

    def import_talk(
        self,
        progress: Progress,
        sources: Sequence[str] = (),
        file: Path | None = None,
        *,
        dry_run: bool = False,
        here: bool = False,
        if_allowed: bool = False,
    ) -> TalkImport:
        from companion.app.talks.belonging import Belonging
        from companion.app.talks.log_importing import Bringer
        from companion.signals import transcripts

        home = self.here.project if here and self.here.checkout else ""
        belonging = Belonging(self.store.database, home)
        around = replace(self._surroundings(), roots=belonging.roots)
        asked = [one for name in sources for one in transcripts.named(self.here.fit(name))]
        allowed = log_import.allowed(self.store.database)
        if file is not None:
            named = asked or [one for one in transcripts.ASSISTANTS if not if_allowed or one.name in allowed]
            log = self._log(file, named, around, quiet=if_allowed)
            logs: Iterable[Log] = () if log is None else (log,)
        else:
            named = asked or list(transcripts.ASSISTANTS)
            logs = transcripts.logs([one for one in named if one.name in allowed], around)
        bringer = Bringer(self.runtime, belonging, dry_run)
        read: list[LogRead | None] = []
        for number, log in enumerate(logs, 1):
            progress.step(f"Reading what {log.assistant.title} kept", number, None)
            read.append(bringer.read(log))
        missing = {one.name for one in named} - set(allowed) if file is None else set()
        unallowed = tuple(one for one in self.talk_sources() if one.name in missing and (asked or one.places))
        remembered = 0 if dry_run else self._remember_unreviewed(progress, allowed)
        told = _imported(read, dry_run=dry_run)
        if told.new or told.grown:
            turn_index.update(self.store.database, self.store.text_index, self.store.user)
        unseen = sum(one.unseen for one in self.talk_sources())
        return replace(told, remembered=remembered, unallowed=unallowed, unseen=unseen)

    def unseen_talk(self, source: str = "", limit: int = 100) -> tuple[Conversation, ...]:
        after_all = self.here.now() + timedelta(days=1)  # clocks of other machines may be ahead
        return log_import.unseen(
            self.store.database,
            self.store.user,
            self.here.fit(source),
            after_all,
            page(limit, AT_ONCE_MOST),
        )

    def review_unseen(
        self, progress: Progress, conversations: Sequence[str] = (), source: str = "", *, keep: bool
    ) -> BulkReview:
        chosen = [talk_named(self.here, id_) for id_ in conversations] or list(self.unseen_talk(source, AT_ONCE_MOST))
        return self._reviewed(progress, chosen, keep=keep)

    def _reviewed(self, progress: Progress, chosen: Sequence[Conversation], *, keep: bool) -> BulkReview:
        done, memories, items = 0, 0, 0
        left: list[tuple[str, str]] = []
        for number, one in enumerate(chosen, 1):
            progress.step("Reading what was said", number, len(chosen))
            try:
                if keep:
                    came = self.verbs.confirm_review(one.id)
                    memories, items = memories + len(came.memories), items + len(came.items)
                else:
                    self.verbs.archive_conversation(one.id)
                done += 1
            except StoreError:
                raise
            except CompanionError as wrong:
                left.append((one.id, str(wrong)))
        return BulkReview(done, memories, items, tuple(left))

    def _remember_unreviewed(self, progress: Progress, allowed: Iterable[str]) -> int:
        """Put into memory what came from sources that are not reviewed, once their sessions are over."""
        before = self.here.now() - SILENT_FOR
        names = [name for name in allowed if name in self.runtime.settings.unreviewed]
        waiting = [
            one
            for name in names
            for one in log_import.unseen(self.store.database, self.store.user, name, before, AT_ONCE_MOST)
        ]
        return self._reviewed(progress, waiting, keep=True).reviewed

    def _log(self, file: Path, named: Sequence[AssistantLogs], around: Surroundings, *, quiet: bool) -> Log | None:
        from companion.signals import transcripts
        from companion.store.foreign import rows_of

        if not file.is_file():
            raise UsageError(f"{self.here.fit(str(file))} is not a file.", "Name the log of an assistant.")
        found = transcripts.recognised(file, named, around, rows_of)
        if found is None and not quiet:
            known = ", ".join(transcripts.names())
            raise UsageError(
                f"{self.here.fit(str(file))} is not a log of a known format.", f"Logs of {known} can be read."
            )
        return found

    def _surroundings(self) -> Surroundings:
        from companion.app.talks.belonging import Belonging
        from companion.signals.transcripts import Surroundings

        return Surroundings(Path.home(), os.environ, Belonging(self.store.database).roots)


def _imported(read: Sequence[LogRead | None], *, dry_run: bool) -> TalkImport:
    """What came of some logs, None for one that is as it was; logs from which something came first."""
    came = [one for one in read if one is not None]
    telling = [one for one in came if one.why or one.new or one.grown]
    return TalkImport(
        dry_run,
        tuple(sorted(telling, key=lambda one: (not one.new, not one.grown))[:LOGS_TOLD]),
        len(came),
        len(read) - len(came),
        sum(one.conversations for one in came),
        sum(one.new for one in came),
        sum(one.grown for one in came),
    )
