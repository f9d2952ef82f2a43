"""Asking: contexts, forecasts, search, and what stands behind an answer."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.api import Expansion, Explanation, Order
from companion.app.checkout import Service
from companion.app.contexts import last_asked, made, note_last, predicted
from companion.app.given import did_you_mean
from companion.app.prefetch import PrefetchKey
from companion.app.verbs.ask.one_list import put_away, would_answer
from companion.app.working.completing import complete
from companion.engine.recalling.candidates import TOPIC
from companion.engine.recalling.made_so import MADE
from companion.engine.recalling.past_work import PRECEDENT
from companion.engine.telling.explain import explain
from companion.errors import CompanionError, StoreUnwritable, UnknownMemory, UsageError
from companion.records import (
    Context,
    Forecast,
    Format,
    Kind,
    Profile,
    SearchQuery,
    Serving,
    Signals,
    Status,
    Tier,
    entity,
)
from companion.records.looking import Rate
from companion.records.memory import with_sharer
from companion.records.wording import counted
from companion.signals import git
from companion.store import declared, projects, standing, subjects
from companion.store.history import accuracy
from companion.store.memories import ties, usage
from companion.store.talk import ITEM_ID
from companion.store.text.facets import Viewer
from companion.store.working import events

if TYPE_CHECKING:
    from companion.records.talk import Item

MEMORY_ID, CODE_ID = "m1", "file:"
"""How the ids of memories and of code begin; pointers have ids of their own."""
FORECAST_MEMORIES = 10
"""Memories named beside a forecast's files."""
PAST_OF = "history:"
"""How the id of a module's past begins; the file follows for which it was told."""
PAST_MOST = 50
"""Memories of a file that are looked through for its past: more than anybody reads."""
TOPIC_MOST = 50
"""Memories told of a topic: more than anybody reads."""
PAST_COMMITS = 20
"""Commits named of it: a screen of them."""
BODY_CHARACTERS = 16_000
"""Characters of a file that are shown at once: some 4,000 tokens, half a usual context."""
FACT_LINES = 5
"""Lines shown on either side of the one that declares a fact."""
OWNERS_MOST = 5
"""People named with their commits to a file; the next made a few."""
EXPANDED = "expand"
"""The action by which opening a memory is logged as citing it."""
TIERS_ABOUT = frozenset([Tier.CRITICAL, Tier.RELEVANT])
"""Tiers that are chosen for the file or task: only of these does it say something if they were left."""


class Contexts(Service):
    """The verbs that read. See `companion.api.Companion`."""

    def assemble(
        self, budget_tokens: int, signals: Signals, shown: Format, order: Order, *, count_use: bool = True
    ) -> Context:
        done = complete(self.here, self.here.at_hand(signals))
        wanted = PrefetchKey(budget_tokens, done.signals, shown, order, done.errors)
        prefetched = self.here.session().prefetched
        ready = prefetched.ready(wanted, self.store.database.revision, self.here.now(), self.here.work_folder())
        context = made(self.here, wanted) if ready is None else ready
        context = replace(context, inferred={**context.inferred, **done.inferred})
        if unread := self._unread(done.signals.current_file):
            self.here.say(unread)
            context = replace(context, missing=(*context.missing, unread))
        if count_use:
            if not signals.only:  # what somebody chose once is not what is asked for at the next file
                prefetched.usual = wanted
            self._count_use(context, wanted, ready=ready is not None)
        return context

    def explain(self, budget_tokens: int, signals: Signals, item_id: str | None, *, leave_one_out: bool) -> Explanation:
        done = complete(self.here, self.here.at_hand(signals))
        wanted = PrefetchKey(budget_tokens, done.signals, Format.MARKDOWN, Order.PEOPLE, done.errors)
        told = self._explained(wanted, item_id, leave_one_out=leave_one_out)
        if (asked := SearchQuery(done.signals.query, profile=Profile.MEMORY)).text.strip():
            library = self.here.library(done.signals)
            best = would_answer(self.store.database, put_away(library, asked), library.search(asked), ())
            if best is not None:
                self.here.say(best)
        return replace(told, context=replace(told.context, inferred={**told.context.inferred, **done.inferred}))

    def _explained(self, wanted: PrefetchKey, item_id: str | None, *, leave_one_out: bool) -> Explanation:
        def without(left_out: str) -> Context:
            return made(self.here, wanted, leave_out=frozenset({left_out}))

        with suppress(UnknownMemory):  # a label stands for its memory; what else is shown has ids of its own
            item_id = item_id and self.here.resolved(item_id)
        try:
            told = explain(made(self.here, wanted), item_id, without if leave_one_out else None)
        except UnknownMemory as unknown:
            raise self._archived(item_id or "") or unknown from None
        linked = ties.linked(self.store.database, self.here.project, [entry.item.id for entry in told.items])
        return replace(told, items=tuple(replace(one, linked=linked.get(one.item.id, ())) for one in told.items))

    def _archived(self, item_id: str) -> UnknownMemory | None:
        """The error that says why a memory is in the archive; None for any other id."""
        with suppress(UnknownMemory):
            (one,) = self.store.memories.get([self.here.resolved(item_id)])
            if one.status is Status.ARCHIVED:
                said = f"`{one.id}` ({one.draft.levels.index}) is archived: {one.archived_reason}."
                return UnknownMemory(said, f"`companion expand {one.id}` shows all of it.")
        return None

    def explain_last(self, item_id: str | None, budget_tokens: int | None) -> Explanation:
        self.here.need_reading()
        last = last_asked(self.here)
        if last is None:
            raise UsageError("No context has been asked for yet.", "Run `companion context --file FILE` first.")
        wanted = replace(
            last,
            budget_tokens=last.budget_tokens if budget_tokens is None else budget_tokens,
            signals=self.here.at_hand(last.signals),
            format=Format.MARKDOWN,
            order=Order.PEOPLE,
        )
        return self._explained(wanted, item_id, leave_one_out=item_id is not None)

    def predict(self, signals: Signals) -> Forecast:
        done = complete(self.here, self.here.at_hand(signals))
        shown = made(
            self.here,
            PrefetchKey(self.runtime.settings.budget_tokens, done.signals, Format.JSON, Order.PEOPLE, done.errors),
        )
        near = [i.id for tier in shown.tiers[:2] for i in tier.items if i.id.startswith(MEMORY_ID)]
        memories = tuple(near[:FORECAST_MEMORIES])
        known = [(one.id, one.draft) for one in self.store.memories.get(memories)]
        unread = self._unread(done.signals.current_file)
        titles = {id_: with_sharer(" ".join(draft.levels.summary.split()), draft.origin) for id_, draft in known}
        return Forecast(
            files=tuple(sorted(predicted(self.here, done.signals, done.errors), key=lambda one: -one.probability)),
            memories=memories,
            confidence=shown.confidence,
            activity=shown.activity,
            missing=(*shown.missing, unread) if unread else shown.missing,
            titles=tuple(titles.get(id_, "") for id_ in memories),
        )

    def expand(self, id_: str) -> Expansion:
        """All behind an id of a memory, item, fact (a prefix is enough), of `file:PATH`, `history:PATH`, `topic:NAME`.

        A commit is known by the first digits of its id too, also behind `precedent:` or `made:`. What a run archived
        comes back by its id.
        """
        if id_.startswith("file:"):
            return self._expand_file(id_.removeprefix("file:"))
        if id_.startswith(declared.FACT):
            return self._expand_fact(id_)
        if id_.startswith(PAST_OF):
            return self._expand_past(id_.removeprefix(PAST_OF))
        if id_.startswith(TOPIC):
            return self._expand_topic(id_.removeprefix(TOPIC))
        id_ = id_.removeprefix(PRECEDENT).removeprefix(MADE)
        if id_.startswith(ITEM_ID):
            from companion.store.talk import items

            return _expanded_item(items.get(self.store.database, id_))
        if (commit := subjects.of_id(self.store.database, self.here.project, id_)) is not None:
            files = commit[1] or self._merged(commit[0].id)
            changed = "\n".join(("Changed:", *files[: subjects.FILES_TOLD]))
            said = self._message(commit[0].id)
            return Expansion(commit[0].id, commit[0].draft.subject, f"{said}{changed}", commit[0])
        found = self.here.resolved(id_)
        (memory,) = self.store.memories.get([found])
        versions = tuple(self.store.memories.versions(found))
        linked = ties.linked(self.store.database, self.here.project, [memory.id]).get(memory.id, ())
        self.here.behind(lambda: self._note_cited(memory.id, EXPANDED))
        levels = memory.draft.levels
        return Expansion(memory.id, levels.compressed, levels.full, memory, versions, linked)

    def _message(self, sha: str) -> str:
        """What a commit says below its subject, with a line between it and what follows; empty where git cannot say."""
        with suppress(CompanionError):
            said = [self.here.fit(one.body).strip() for one in git.read_commits(self.here.state, rev=sha, most=1)]
            return "".join(f"{one}\n\n" for one in said if one)
        return ""

    def _merged(self, sha: str) -> tuple[str, ...]:
        """The files that a merge changed against its first parent; none where git cannot say."""
        with suppress(CompanionError):
            found = [
                file.path or file.old_path for one in git.line_changes(self.here.state, sha, 1) for file in one.files
            ]
            return tuple(sorted(found))
        return ()

    def _note_cited(self, id_: str, action: str) -> None:
        """Note that somebody went on with a memory; on a full disk the answer is worth more than that."""
        with suppress(StoreUnwritable):  # which a notice of the store says
            usage.record(self.store.database, [id_], "cited", action, self.here.now())
            if self.store.memories.asked_for([id_], self.here.now()):
                self.here.say(f"{id_} was archived and has been restored because it was opened.")

    def _expand_file(self, path: str) -> Expansion:
        """The text of a file, from a line on where one is named behind its path: as much as is read at once."""
        library = self.here.library()
        named, _, number = path.rpartition(":")
        path, begin = (named, int(number)) if path not in library.paths() and number.isdecimal() else (path, 1)
        forms = library.paths().get(path)
        if forms is None:
            raise UsageError(f"`{path}` is not an indexed file.", did_you_mean(path, library.paths()))
        body = library.body(path, max(1, begin), max(1, forms.lines))
        if len(body) > BODY_CHARACTERS:
            body = body[:BODY_CHARACTERS].rpartition("\n")[0] or body[:BODY_CHARACTERS]
            after = max(1, begin) + body.count("\n") + 1
            body += f"\n\n(line {after:,} of {forms.lines:,} is next: `companion expand file:{path}:{after}` goes on)"
        return Expansion(f"file:{path}", path, body or forms.outline or path)

    def _expand_fact(self, id_: str) -> Expansion:
        """A row of `companion facts`, with the lines of its file around it."""
        one = declared.named(declared.read(self.store.database, self.here.checkout), id_)
        if one is None:
            raise UsageError(f"`{id_}` is not a fact that a file declares now.", "List them with `companion facts`.")
        library = self.here.library()
        body = library.body(one.path, max(1, one.line - FACT_LINES), one.line + FACT_LINES) if one.line else ""
        return Expansion(declared.id_of(one), one.says, f"{one.says}\n{one.place}\n\n{body or ''}".rstrip())

    def _expand_past(self, path: str) -> Expansion:
        """Who has worked on a file, what is remembered to have happened to it and its last commits, newest first."""
        from companion.store.history import overviews  # which no context needs

        library = self.here.library()
        path = path if path in library.paths() else library.called(path)
        if path not in library.paths():
            raise UsageError(f"`{path}` is not an indexed file.", did_you_mean(path, library.paths()))
        about = library.about([entity("file", path)], PAST_MOST)
        episodes = sorted(
            (one for one in about if one.draft.kind is Kind.EPISODE),
            key=lambda one: (one.draft.valid_from or one.created_at, one.id),
            reverse=True,
        )
        who = [f"{owner.person} ({counted(owner.commits, 'commit')})" for owner in library.owners(path, OWNERS_MOST)]
        what = [f"{one.draft.levels.compressed} ({one.id})" for one in episodes]
        commits = overviews.of_file(self.store.database, self.here.project, path, self.here.state.branch, PAST_COMMITS)
        last = [f"{one.authored_at:%Y-%m-%d} {one.subject} (commit {one.sha[:10]})" for one in commits]
        told = "\n".join([*who, *what, *last])
        return Expansion(f"{PAST_OF}{path}", path, told or f"Nothing is known of the past of {path}.")

    def _expand_topic(self, name: str) -> Expansion:
        """The memories of a topic that a context names; of a folder those of all below it too."""
        database, reader = self.store.database, Viewer(self.here.state.branch, checkout=self.here.checkout)
        for called in (name, f"{name}/"):  # a context tells folders without the stroke at their end
            if found := standing.of_topic(database, self.here.project, reader, called, TOPIC_MOST):
                told = "\n".join(f"{one.draft.levels.compressed} ({one.id})" for one in found)
                return Expansion(f"{TOPIC}{called}", called, told)
        raise UsageError(f"Nothing is remembered of `{name}`.", "`companion search TEXT` looks further.")

    def _unread(self, path: str) -> str:
        """Why the file at hand is not among what was read, as it may be new; empty if it is."""
        if not path or path in self.here.library().paths():
            return ""
        for inner in self.here.state.submodules:
            if path.startswith(f"{inner}/"):
                return (
                    f"{path} is of the submodule {inner}, a repository of its own: `companion init` it and ask there."
                )
        rows = projects.skipped(self.store.database, self.here.checkout)
        reason = next((row.reason for row in rows if row.path == path), "")
        if reason:
            return f"{path} is not indexed: {reason}."
        if not self.here.holds(path) and self.here.work_folder() is not None:
            hint = did_you_mean(path, self.here.library().paths())
            return f"There is no file `{path}` yet: only its name and folder count. {hint}"
        return f"{path} is not indexed yet: run `companion init`."

    def _count_use(self, context: Context, wanted: PrefetchKey, *, ready: bool) -> None:
        """Note what was served; on a full disk the context is worth more than its being counted."""
        session, now = self.here.session(), self.here.now()
        shown = [(one.tier, item) for one in context.tiers if one.tier is not Tier.INDEX for item in one.items]
        memories = [(tier, item) for tier, item in shown if item.id.startswith(MEMORY_ID)]
        served = tuple(dict.fromkeys(item.id for _, item in memories))
        about = {item.id: item.files for tier, item in memories if tier in TIERS_ABOUT and item.files}
        code = tuple(item.id.removeprefix(CODE_ID) for _, item in shown if item.id.startswith(CODE_ID))
        serving = Serving(session.at_hand().newest, now, wanted.signals.current_file, about, code)
        self.here.behind(lambda: self._note_served(served, serving, wanted, ready=ready))

    def _note_served(self, served: Sequence[str], serving: Serving, wanted: PrefetchKey, *, ready: bool) -> None:
        database, session = self.store.database, self.here.session()
        with suppress(StoreUnwritable):  # which a notice of the store says
            with database.write(quiet=True):  # one commit, and one wait for the disk
                usage.record(database, served, "retrieved", wanted.signals.current_file, serving.at)
                if serving.after:  # nothing can come of it where nobody observes
                    events.serve(database, self.here.checkout, serving)
                    accuracy.count(database, self.here.checkout, serving.at, {"asked": Rate(1, int(ready))})
                note_last(self.here, wanted)
            session.served(serving)


def _expanded_item(one: Item) -> Expansion:
    """What an item says, the words it rests on, where they were said and what became of them."""
    about = [f"{one.type.value}, {one.state.value}", *(f"{name}: {said}" for name, said in one.details.items() if said)]
    about += [f"“{one.quote}”"] if one.quote and one.quote != one.text else []
    when = f" on {one.touched_at:%Y-%m-%d}" if one.touched_at is not None else ""
    called = f" “{one.said_in}”" if one.said_in else ""
    about.append(
        f"Said in turn {one.turn} of the conversation {one.conversation}{called}; last mentioned{when}"
        if one.conversation
        else f"Written by hand{when}"
    )
    about += [f"Belongs to {one.project_name}"] if one.project_name else []
    about += [f"Remembered in {one.memory}"] if one.memory else []
    return Expansion(one.id, one.text, "\n".join([one.text, "", *about]))
