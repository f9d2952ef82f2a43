"""Talk of other assistants, brought in by an owner."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from companion.api import BulkReview, TalkImport, TalkSource
from companion.client.remote.asker import Asker, result_of
from companion.ports import Progress
from companion.records.talk import Conversation


class Bringing(Asker):
    """See `companion.api.bringing.Bringing` for the verbs."""

    def talk_sources(self) -> tuple[TalkSource, ...]:
        """The assistants whose logs can be read."""
        return result_of(tuple[TalkSource, ...], self._read("/talk-sources"))

    def allow_source(self, source: str, *, on: bool = True) -> TalkSource:
        """Agree to an assistant's logs being read, or take that back."""
        return result_of(TalkSource, self._write("/talk-sources/allow", source=source, on=on))

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
        """Bring in what is new in the logs of these assistants."""
        given = {"dry_run": dry_run, "here": here, "if_allowed": if_allowed}
        path = None if file is None else str(file.absolute())
        return self._follow(TalkImport, progress, "/import-talk", sources=list(sources), file=path, **given)

    def unseen_talk(self, source: str = "", limit: int = 100) -> tuple[Conversation, ...]:
        """Conversations that were brought in and that nobody has reviewed."""
        return result_of(tuple[Conversation, ...], self._read("/unseen-talk", source=source, limit=limit))

    def review_unseen(
        self, progress: Progress, conversations: Sequence[str] = (), source: str = "", *, keep: bool
    ) -> BulkReview:
        """Remember what these conversations leave behind, or put them away."""
        given = {"conversations": list(conversations), "source": source, "keep": keep}
        return self._follow(BulkReview, progress, "/review-unseen", **given)
