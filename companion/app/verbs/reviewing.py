"""How a conversation ends: closed, reviewed, changed or resumed, and remembered once it is confirmed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from companion.api import Edit, Remembered
from companion.app.talks import confirming, consulting, previews
from companion.app.verbs.talking import Talking
from companion.errors import UsageError, WrongState
from companion.records.talk import Conversation, NamedItem, Part, Preview, TalkState
from companion.store import projects
from companion.store.talk import acts, bringing, conversations, items, turns


class Reviewing(Talking):
    """The verbs of a review. See `companion.api.Companion`."""

    def close_conversation(
        self, conversation: str = "", named: Sequence[NamedItem] = (), named_by: str = ""
    ) -> Preview:
        """End a conversation and read what it leaves behind; what is said meanwhile is read too."""
        if len(named) > consulting.NAMED_MOST:
            raise UsageError(f"{len(named)} items are too many.", f"Name the {consulting.NAMED_MOST} that matter.")
        database = self.rooms.database
        one = self._talk(conversation)
        conversations.need(one, {TalkState.ACTIVE})
        story = self.acts()[0]
        heard = turns.of(database, one.id)
        told = self._consulted(heard)
        if named:
            told = consulting.named(heard, named, self._fit(named_by), told)
        found = self._heard_with(heard, told)
        with database.write():
            if (now_there := turns.of(database, one.id)) != heard:
                found = self._heard_with(now_there, told)
            closed = conversations.move(
                database, one.id, {TalkState.ACTIVE}, TalkState.READY_TO_CLOSE, "closed", self.now()
            )
            preview = self._kept(previews.fresh(closed, found, story.id))
        if one.source in self.rooms.settings.unreviewed:
            preview = replace(preview, conversation=self.confirm_review(one.id).conversation)
        return preview

    def resume_conversation(self, conversation: str = "") -> Conversation:
        """Go on with it: a pause ends, a review is dropped, what could not be put into memory stays as it was said."""
        database = self.rooms.database
        one = self._talk(conversation) if conversation else self._waiting() or self._talk("")
        if one.state is TalkState.ACTIVE:
            return conversations.pause(database, one.id, self.now(), on=False) if one.paused else one
        allowed = {TalkState.READY_TO_CLOSE, TalkState.COMPRESSING}
        after = TalkState.ARCHIVED if one.outside else TalkState.ACTIVE  # nobody goes on here with another's session
        with database.write():
            back = conversations.move(database, one.id, allowed, after, "resumed", self.now())
            conversations.drop_preview(database, one.id)
            bringing.seen(database, one.id, on=False)
        return back

    def review(self, conversation: str = "") -> Preview:
        """What will be remembered of a conversation, and where."""
        one = self._under_review(conversation)
        found = self._read_unseen(one) if one.unseen else conversations.preview(self.rooms.database, one)
        if found is None:
            raise WrongState(f"Nothing of the conversation {one.id[:12]} is under review.", "`companion talk close`.")
        known = acts.all_of(self.rooms.database, self.rooms.user)
        return previews.standing(found, {act.id for act in known}, known[0].id)

    def edit_review(self, edit: Edit, conversation: str = "") -> Preview:
        """Change what will be remembered; the first words are kept beside."""
        fit = replace(edit, narrative=edit.narrative.strip())
        return self._changed(conversation, lambda preview: previews.edited(preview, fit, self._home(preview)))

    def redirect_review(self, act: str, conversation: str = "") -> Preview:
        """Send all that will be remembered to one act."""
        to = self._act(act)
        return self._changed(conversation, lambda preview: previews.redirected(preview, to.id))

    def split_review(self, parts: Sequence[Part], conversation: str = "") -> Preview:
        """Send some items to other acts; the rest stays where it was."""
        fit = [replace(part, act=self._act(part.act).id) for part in parts]
        return self._changed(conversation, lambda preview: previews.split(preview, fit))

    def confirm_review(self, conversation: str = "") -> Remembered:
        """Remember it as the preview says, exactly once; what was begun and cut off is finished by asking again."""
        database = self.rooms.database
        one = self._under_review(conversation)
        if one.unseen:
            self._read_unseen(one, consult=False)
        with database.write():  # a commit of its own: whatever comes after it, this was decided
            one = conversations.get(database, one.id)
            unseen = one.unseen and one.state is TalkState.ARCHIVED
            if unseen:
                self._see(one)
            if unseen or one.state is TalkState.READY_TO_CLOSE:
                conversations.move(database, one.id, {one.state}, TalkState.COMPRESSING, "confirmed", self.now())
        return confirming.finish(self.rooms, one.id, self.rooms.user)

    def _see(self, one: Conversation) -> None:
        """What was brought in is reviewed; from now on what it says for good counts as such."""
        rules, database = self.rooms.talk_rules(), self.rooms.database
        self._read_unseen(one, consult=False)
        bringing.anchor(database, [(turn.id, rules.anchor(turn)) for turn in turns.of(database, one.id)])
        bringing.seen(database, one.id)

    def _read_unseen(self, one: Conversation, *, consult: bool = True) -> Preview:
        """What was brought in is read when it is reviewed; it belongs to its project, which it was said in.

        A model is asked where a person looks at it, not where hundreds are kept at once.
        """
        database, now = self.rooms.database, self.now()
        if (kept := conversations.preview(database, one)) is not None:
            return kept
        heard = turns.of(database, one.id)
        told = self._consulted(heard, consulting.REVIEW_S) if consult else None
        name = projects.project_name(database, one.project)[: acts.NAME_MAX]
        with database.write():
            act = acts.ensure(database, self.rooms.user, name, now, project=one.project)
            return self._kept(previews.fresh(one, self._heard_with(heard, told), act.id))

    def _waiting(self) -> Conversation | None:
        """The newest that is under review or being put into memory."""
        database, user = self.rooms.database, self.rooms.user
        there = conversations.holder(database, user)
        if there is not None and there.state is TalkState.READY_TO_CLOSE:
            return there
        return next(iter(conversations.listed(database, user, 1, state=TalkState.COMPRESSING)), None)

    def _under_review(self, conversation: str) -> Conversation:
        if conversation:
            return conversations.get(self.rooms.database, self._fit(conversation))
        one = self._waiting()
        if one is None:
            raise WrongState("Nothing waits for your review.", "End the conversation first: `companion talk close`.")
        return one

    def _changed(self, conversation: str, change: Callable[[Preview], Preview]) -> Preview:
        """A preview changed and kept, as long as it is not confirmed."""
        if (unread := self._under_review(conversation)).unseen:
            with self.rooms.database.unsigned():
                self._read_unseen(unread)
        with self.rooms.database.write():
            one = self._under_review(conversation)
            if not one.unseen:
                conversations.need(one, {TalkState.READY_TO_CLOSE})
            return self._kept(change(self.review(one.id)))

    def _home(self, preview: Preview) -> str:
        """The act that a conversation belongs to unless it is said otherwise: Your Story, or whence it was brought."""
        one, (story, *others) = preview.conversation, self.acts()
        return next((act.id for act in others if one.outside and act.project == one.project), story.id)

    def _kept(self, preview: Preview) -> Preview:
        """A preview and its candidates, kept; joins the transaction of whoever calls."""
        one, database = preview.conversation, self.rooms.database
        items.propose(database, one.id, preview.extraction.items, one.persona, self.now())
        conversations.keep_preview(database, preview)
        return preview
