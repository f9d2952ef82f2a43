"""Conversations: begun, spoken in, looked up, deleted; closed, reviewed, and remembered once that is confirmed."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.api import BY_HAND, TALKS_TOLD, Edit, Remembered, Transcript
from companion.app.checkout import Service
from companion.app.deleting import leave_and_tell
from companion.app.given import line_of, page
from companion.app.talks import confirming, consulting, previews, summing_up
from companion.app.talks.heard import as_kept
from companion.app.talks.past import past_turns
from companion.app.verbs.conversation.open_ends import OPEN_MOST
from companion.app.verbs.memory.acts import act_named, acts_of
from companion.errors import CompanionError, ModelMissing, StoreError, UnknownConversation, UsageError, WrongState
from companion.records.search import QUERY_MAX_CHARACTERS
from companion.records.talk import (
    Conversation,
    Erased,
    Message,
    NamedItem,
    Part,
    Preview,
    TalkState,
    Turn,
    TurnHit,
)
from companion.store import projects
from companion.store.care import deleted
from companion.store.care.deleted import Deleted
from companion.store.talk import (
    act_memories,
    acts,
    conversations,
    finding,
    forgetting,
    items,
    log_import,
    talk_turns,
    turn_index,
)

if TYPE_CHECKING:
    from companion.app.checkout import OpenCheckout
    from companion.language.names import Names
    from companion.records.talk import Extraction
    from companion.talk.consulted.claims import ModelClaim, Told

MESSAGES_MOST = 1_000
"""Messages of one turn: a long chain of an assistant's steps."""
TURNS_FOUND_MOST = 100
"""Turns that one search gives at most: more is reading the transcript."""
HEARD_BEFORE = 2
"""Turns before one that are read with it, as what it agrees to stands there."""


class Talks(Service):
    """The verbs of conversations and their reviews. See `companion.api.Companion`."""

    def start_conversation(self, title: str = "", persona: str = "", source: str = BY_HAND) -> Conversation:
        """Begin a conversation; one that was confirmed and cut off is finished first."""
        self._finish_confirmed()
        now = self.here.now()
        acts_of(self.here)
        held_in = self.here.project if self.here.checkout else ""
        who, by = self.store.user, line_of(persona)
        new = Conversation("", who, TalkState.ACTIVE, now, held_in, by, line_of(source), line_of(title))
        return self._cooling(conversations.start(self.store.database, new))

    def active_conversation(self) -> Conversation | None:
        return conversations.holder(self.store.database, self.store.user)

    def add_turn(self, messages: Sequence[Message], conversation: str = "", channel: str = "") -> Turn:
        database = self.store.database
        fit = self._sayable(messages)
        one = talk_named(self.here, conversation)
        said = talk_turns.say(
            database,
            one,
            fit,
            self.here.now(),
            channel=line_of(channel),
            counter=self.runtime.adapters.counter,
            firmness=self.runtime.talk_rules().anchor,
            gap=past_turns(self.runtime).gap(),
        )
        self.here.behind(lambda: self._note_heard(one, said))
        past_turns(self.runtime).hot.said(said)
        self.here.behind(
            lambda: summing_up.tend(self.runtime, one.persona, self.here.now(), tokens=max(1, said.tokens))
        )
        return said

    def pause_conversation(self, conversation: str = "", *, on: bool = True) -> Conversation:
        return conversations.pause(self.store.database, talk_named(self.here, conversation).id, self.here.now(), on=on)

    def archive_conversation(self, conversation: str = "") -> Conversation:
        database = self.store.database
        one = talk_named(self.here, conversation)
        allowed = set(TalkState) - ({TalkState.ARCHIVED} if not one.unseen else set())
        with database.write():
            log_import.seen(database, one.id)
            away = conversations.move(database, one.id, allowed, TalkState.ARCHIVED, self.here.now())
            items.drop_candidates(database, one.id)
            conversations.drop_preview(database, one.id)
        return self._cooling(away)

    def conversations(
        self, state: TalkState | None = None, persona: str = "", limit: int = TALKS_TOLD
    ) -> tuple[Conversation, ...]:
        by = line_of(persona)
        return conversations.listed(self.store.database, self.store.user, page(limit), state=state, persona=by)

    def transcript(self, conversation: str = "", first: int = 1, last: int | None = None) -> Transcript:
        database = self.store.database
        one = talk_named(self.here, conversation)
        memories = tuple(memory.id for memory in act_memories.of_conversation(database, one.id))
        return Transcript(
            one, talk_turns.of(database, one.id, first, last), items.of_conversation(database, one.id), memories
        )

    def find_turns(self, text: str, limit: int = 10, conversation: str = "", act: str = "") -> tuple[TurnHit, ...]:
        """What was said about something, in all conversations, in one or in those of an act, best first.

        Without a model, or before its vectors are made, words alone decide.
        """
        if not text.strip() or not 1 <= limit <= TURNS_FOUND_MOST:
            raise UsageError("That cannot be looked for.", f"Give words, and a limit of 1 to {TURNS_FOUND_MOST}.")
        self.here.tell_if_cut(text)
        runtime = self.runtime
        among = frozenset([talk_named(self.here, conversation).id]) if conversation else None
        if act:
            its = act_memories.conversations_of(runtime.store.database, act_named(self.here, act).id)
            among = its if among is None else among & its
        asked = turn_query(self.here, self.here.fit(text)[:QUERY_MAX_CHARACTERS], among)
        found = finding.turns(
            runtime.store.database, runtime.store.text_index, runtime.store.vectors, runtime.store.user, asked, limit
        )
        said = {turn.id: turn for turn in talk_turns.get(runtime.store.database, [one.turn for one in found])}
        held = {id_: conversations.get(runtime.store.database, id_) for id_ in {one.conversation for one in found}}
        return tuple(
            TurnHit(said[one.turn], held[one.conversation], one.score, one.words, one.meaning)
            for one in found
            if one.turn in said
        )

    def forget_conversation(self, conversation: str) -> Erased:
        runtime, one = self.runtime, talk_named(self.here, conversation)
        with runtime.store.database.write():
            log_import.note_deleted(runtime.store.database, one.id, self.here.now())
            gone = forgetting.forget(runtime.store.database, one.id)
            spaces = (*gone.spaces, turn_index.talk_project(runtime.store.user))
            deleted.note(runtime.store.database, Deleted(conversations=(one.id,), spaces=spaces))
        leave_and_tell(self.here)
        self.here.behind(
            lambda: summing_up.tend(runtime, one.persona, self.here.now())
        )  # what was summed up of it went too
        return Erased(one.id, gone.turns, gone.items, gone.memories)

    def _cooling(self, one: Conversation) -> Conversation:
        """The conversation; turns that are over with it become cold behind the answer."""
        self.here.behind(lambda: summing_up.cool(self.runtime, one.persona, self.here.now()))
        return one

    def _sayable(self, messages: Sequence[Message]) -> list[Message]:
        """Messages as they may be kept. Raises UsageError where nothing was said."""
        if len(messages) > MESSAGES_MOST:
            raise UsageError(f"{len(messages)} messages are too many for one turn.", f"At most {MESSAGES_MOST}.")
        if said := [Message(one.role, kept) for one in messages if (kept := as_kept(one.role, one.text))]:
            return said
        raise UsageError("There is nothing said in it.", 'Say something: `companion talk add "…"`.')

    def _heard_in(self, said: Sequence[Turn], claims: Sequence[ModelClaim] = ()) -> Extraction:
        """What these turns leave behind, by the rules and what a model claimed as far as it was said.

        What is open in another project stays open: nobody speaks of it here.
        """
        database, rules = self.store.database, self.runtime.talk_rules()
        held_in = self.here.project if self.here.checkout else ""
        known = items.open_ones(database, OPEN_MOST)
        open_items = [one for one in known if not held_in or one.project in {"", held_in}]
        begun = time.monotonic()
        found = rules.extract(said, open_items, acts_of(self.here), _names(self.here), claims)
        return replace(found, seconds=round(time.monotonic() - begun, 3))

    def _consulted(self, said: Sequence[Turn], most_s: float = consulting.CLOSING_S) -> Told | None:
        """What a language model says of these turns, None where there is none; asked outside of any transaction."""
        return consulting.told(self.runtime, said, lambda claims: self._heard_in(said, claims), most_s)

    def _heard_with(self, said: Sequence[Turn], told: Told | None) -> Extraction:
        """What these turns leave behind, with what a model said of them."""
        return self._heard_in(said) if told is None else consulting.joined(self._heard_in(said, told.claims), told)

    def _note_heard(self, one: Conversation, said: Turn) -> None:
        """Candidates of a turn, used inside their own conversation alone; what is lost of them is found at the end."""
        database = self.store.database
        before = talk_turns.of(database, one.id, max(1, said.number - HEARD_BEFORE), said.number)
        found = [item for item in self._heard_in(before).items if item.turn == said.number]
        items.propose(database, one.id, found, one.persona, self.here.now(), turn=said.number)

    def _finish_confirmed(self) -> None:
        """What was confirmed and cut off is put into memory now; where it fails again, it waits on."""
        database, user = self.store.database, self.store.user
        for one in conversations.listed(database, user, TALKS_TOLD, state=TalkState.COMPRESSING):
            try:
                with database.unsigned():
                    confirming.finish(self.runtime, one.id, user)
            except StoreError:
                raise
            except CompanionError as wrong:
                self.here.say(f"The conversation {one.id[:12]} could not be put into memory yet: {wrong}")

    def close_conversation(
        self, conversation: str = "", named: Sequence[NamedItem] = (), named_by: str = ""
    ) -> Preview:
        if len(named) > consulting.NAMED_MOST:
            raise UsageError(f"{len(named)} items are too many.", f"Name the {consulting.NAMED_MOST} that matter.")
        database = self.store.database
        one = talk_named(self.here, conversation)
        conversations.need(one, {TalkState.ACTIVE})
        story = acts_of(self.here)[0]
        heard = talk_turns.of(database, one.id)
        told = self._consulted(heard)
        if named:
            told = consulting.named(heard, named, self.here.fit(named_by), told)
        found = self._heard_with(heard, told)
        with database.write():
            if (now_there := talk_turns.of(database, one.id)) != heard:
                found = self._heard_with(now_there, told)
            closed = conversations.move(database, one.id, {TalkState.ACTIVE}, TalkState.READY_TO_CLOSE, self.here.now())
            preview = self._kept(previews.fresh(closed, found, story.id))
        if one.source in self.runtime.settings.unreviewed:
            preview = replace(preview, conversation=self.verbs.confirm_review(one.id).conversation)
        return preview

    def resume_conversation(self, conversation: str = "") -> Conversation:
        """Go on with it: a pause ends, a review is dropped, what could not be put into memory stays as it was said."""
        database = self.store.database
        one = talk_named(self.here, conversation) if conversation else self._waiting() or talk_named(self.here, "")
        if one.state is TalkState.ACTIVE:
            return conversations.pause(database, one.id, self.here.now(), on=False) if one.paused else one
        allowed = {TalkState.READY_TO_CLOSE, TalkState.COMPRESSING}
        after = TalkState.ARCHIVED if one.outside else TalkState.ACTIVE  # nobody goes on here with another's session
        with database.write():
            back = conversations.move(database, one.id, allowed, after, self.here.now())
            conversations.drop_preview(database, one.id)
            log_import.seen(database, one.id, on=False)
        return back

    def review(self, conversation: str = "") -> Preview:
        one = self._under_review(conversation)
        found = self._read_unseen(one) if one.unseen else conversations.preview(self.store.database, one)
        if found is None:
            raise WrongState(f"Nothing of the conversation {one.id[:12]} is under review.", "`companion talk close`.")
        known = acts.all_of(self.store.database, self.store.user)
        return previews.standing(found, {act.id for act in known}, known[0].id)

    def edit_review(self, edit: Edit, conversation: str = "") -> Preview:
        fit = replace(edit, narrative=edit.narrative.strip())
        return self._changed(conversation, lambda preview: previews.edited(preview, fit, self._home(preview)))

    def redirect_review(self, act: str, conversation: str = "") -> Preview:
        to = act_named(self.here, act)
        return self._changed(conversation, lambda preview: previews.redirected(preview, to.id))

    def split_review(self, parts: Sequence[Part], conversation: str = "") -> Preview:
        fit = [replace(part, act=act_named(self.here, part.act).id) for part in parts]
        return self._changed(conversation, lambda preview: previews.split(preview, fit))

    def confirm_review(self, conversation: str = "") -> Remembered:
        database = self.store.database
        one = self._under_review(conversation)
        if one.unseen:
            self._read_unseen(one, consult=False)
        with database.write():  # a commit of its own: whatever comes after it, this was decided
            one = conversations.get(database, one.id)
            unseen = one.unseen and one.state is TalkState.ARCHIVED
            if unseen:
                self._see(one)
            if unseen or one.state is TalkState.READY_TO_CLOSE:
                conversations.move(database, one.id, {one.state}, TalkState.COMPRESSING, self.here.now())
        done = confirming.finish(self.runtime, one.id, self.store.user)
        self._cooling(done.conversation)
        return done

    def _see(self, one: Conversation) -> None:
        """What was brought in is reviewed; from now on what it says for good counts as such."""
        rules, database = self.runtime.talk_rules(), self.store.database
        self._read_unseen(one, consult=False)
        log_import.anchor(database, [(turn.id, rules.anchor(turn)) for turn in talk_turns.of(database, one.id)])
        log_import.seen(database, one.id)

    def _read_unseen(self, one: Conversation, *, consult: bool = True) -> Preview:
        """What was brought in is read when it is reviewed; it belongs to its project, which it was said in.

        A model is asked where a person looks at it, not where hundreds are kept at once.
        """
        database, now = self.store.database, self.here.now()
        if (kept := conversations.preview(database, one)) is not None:
            return kept
        heard = talk_turns.of(database, one.id)
        told = self._consulted(heard, consulting.REVIEW_S) if consult else None
        name = projects.project_name(database, one.project)[: acts.NAME_MAX]
        with database.write():
            act = acts.ensure(database, self.store.user, name, now, project=one.project)
            return self._kept(previews.fresh(one, self._heard_with(heard, told), act.id))

    def _waiting(self) -> Conversation | None:
        """The newest that is under review or being put into memory."""
        database, user = self.store.database, self.store.user
        there = conversations.holder(database, user)
        if there is not None and there.state is TalkState.READY_TO_CLOSE:
            return there
        return next(iter(conversations.listed(database, user, 1, state=TalkState.COMPRESSING)), None)

    def _under_review(self, conversation: str) -> Conversation:
        if conversation:
            return conversations.get(self.store.database, self.here.fit(conversation))
        one = self._waiting()
        if one is None:
            raise WrongState("There is nothing to review.", "End the conversation first: `companion talk close`.")
        return one

    def _changed(self, conversation: str, change: Callable[[Preview], Preview]) -> Preview:
        """A preview changed and kept, as long as it is not confirmed."""
        if (unread := self._under_review(conversation)).unseen:
            with self.store.database.unsigned():
                self._read_unseen(unread)
        with self.store.database.write():
            one = self._under_review(conversation)
            if not one.unseen:
                conversations.need(one, {TalkState.READY_TO_CLOSE})
            return self._kept(change(self.review(one.id)))

    def _home(self, preview: Preview) -> str:
        """The act that a conversation belongs to unless it is said otherwise: Your Story, or whence it was brought."""
        one, (story, *others) = preview.conversation, acts_of(self.here)
        return next((act.id for act in others if one.outside and act.project == one.project), story.id)

    def _kept(self, preview: Preview) -> Preview:
        """A preview and its candidates, kept; joins the transaction of whoever calls."""
        one, database = preview.conversation, self.store.database
        items.propose(database, one.id, preview.extraction.items, one.persona, self.here.now())
        conversations.keep_preview(database, preview)
        return preview


def talk_named(here: OpenCheckout, conversation: str) -> Conversation:
    """A conversation by the beginning of its id; none given: the one that holds the place."""
    if conversation:
        return conversations.get(here.store.database, here.fit(conversation))
    one = conversations.holder(here.store.database, here.store.user)
    if one is None:
        raise UnknownConversation("No conversation is going on.", "Begin one: `companion talk start`.")
    return one


def turn_query(here: OpenCheckout, text: str, among: frozenset[str] | None = None) -> finding.TurnQuery:
    """What is looked for in turns: by words and, where there is a model, by meaning."""
    embedder = here.runtime.adapters.embedder
    try:
        if embedder is not None:
            vector = here.store.readings.questions.vector(embedder, text)
            return finding.TurnQuery(text, embedder.model, vector, among)
    except ModelMissing as wrong:
        here.say(f"Words alone decided. {wrong}")
    return finding.TurnQuery(text, among=among)


def _names(checkout: OpenCheckout) -> Names:
    """Files and symbols of the checkout, and people; read again only when the code changed."""
    from companion.language.names import Names
    from companion.store.talk import known

    runtime, which = checkout.runtime, checkout.checkout
    people = known.people(runtime.store.database)
    if not which:
        return Names(people=people)
    revision = runtime.store.readings.code_revision(which)
    symbols = runtime.store.readings.kept(
        ("names", which), revision, lambda: known.symbols(runtime.store.database, which)
    )
    return Names(checkout.library().paths().keys(), symbols, people, checkout.project)
