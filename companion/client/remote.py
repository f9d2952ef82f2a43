"""The companion that an owner answers for: every verb is a request, what comes back is the same as at home."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from companion import wire
from companion.api import (
    BY_HAND,
    CHANGES_TOLD,
    TALKS_TOLD,
    AskedBy,
    AtWork,
    Card,
    Edit,
    Erased,
    Expansion,
    Explanation,
    Finding,
    Greeting,
    Identity,
    NightReport,
    Note,
    Order,
    OwnerState,
    PurgeReport,
    Refreshed,
    Remembered,
    ScanReport,
    Stats,
    Todo,
    Transcript,
    Verdict,
)
from companion.client.calling import READ_S, SILENCE_S, SLOW_S, WRITE_S, Caller, error_of
from companion.client.finding import Address
from companion.errors import CompanionError, UsageError
from companion.ports import Progress
from companion.records import (
    Context,
    Contradiction,
    Forecast,
    Format,
    Hint,
    Hit,
    Mark,
    Memory,
    Observation,
    Ruling,
    SearchQuery,
    Signals,
    Superseded,
    Why,
)
from companion.records.nights import NightRun, Undone
from companion.records.talk import Act, Conversation, Item, ItemType, Message, Part, Preview, TalkState, Turn, TurnHit

T = TypeVar("T")


class RemoteCompanion:
    """Asks an owner. See `companion.api.Companion` for the verbs; it may be shared by threads.

    `reconnect` is asked where an owner is when the one at `address` went away; `deadline_s` is how long a verb
    that reads may take.
    """

    def __init__(
        self,
        address: Address,
        path: Path,
        reconnect: Callable[[], Address] | None = None,
        deadline_s: float = READ_S,
    ) -> None:
        self._caller = Caller(address, reconnect)
        self._repo = str(path.absolute())
        self._deadline_s = deadline_s
        self._notices: dict[str, None] = {}

    def scan(self, progress: Progress, *, full: bool = False, embed: bool = True) -> ScanReport:
        """Read what is new in history and code, and learn from it."""
        return self._follow(ScanReport, progress, "/scan", full=full, embed=embed)

    def assemble(
        self, budget_tokens: int, signals: Signals, shown: Format, order: Order, *, count_use: bool = True
    ) -> Context:
        """The four-tier context, never above the budget."""
        said = self._read(
            "/context/assemble",
            budget=budget_tokens,
            signals=_signals(signals),
            format=shown.value,
            order=order.value,
            count_use=count_use,
        )
        return _understood(Context, lambda: _context(said))

    def explain(self, budget_tokens: int, signals: Signals, item_id: str | None, *, leave_one_out: bool) -> Explanation:
        """Why each item (or one) is in the context, and what would be there without it."""
        said = self._read(
            "/context/explain",
            budget=budget_tokens,
            signals=_signals(signals),
            item_id=item_id,
            leave_one_out=leave_one_out,
        )
        return _result(Explanation, said)

    def explain_last(self, item_id: str | None, budget_tokens: int | None) -> Explanation:
        """Why the context that was asked for last is as it is."""
        said = self._read("/context/explain-last", item_id=item_id, budget_tokens=budget_tokens)
        return _result(Explanation, said)

    def predict(self, signals: Signals) -> Forecast:
        """The files and memories that are likely needed."""
        given = _signals(signals)
        said = self._read("/context/predict", file_opened=given.pop("current_file"), **given)
        named = {"predicted_memories": "memories", "predicted_files": "files"}
        return _understood(Forecast, lambda: {named.get(name, name): value for name, value in said.items()})

    def search(self, query: SearchQuery) -> tuple[Hit, ...]:
        """Memories that match."""
        return _result(tuple[Hit, ...], self._read("/search", query=wire.encode(query)))

    def cards(self, ids: Sequence[str], persona: str = "") -> tuple[Card, ...]:
        """For whom and what these memories name, up to three more facts each."""
        return _result(tuple[Card, ...], self._read("/cards", ids=list(ids), persona=persona))

    def expand(self, id_: str) -> Expansion:
        """Everything behind an id (a prefix is enough) or `file:PATH`."""
        return _result(Expansion, self._read("/expand", id=id_))

    def remember(self, note: Note) -> Memory:
        """Keep what a person says."""
        return _result(Memory, self._write("/remember", note=wire.encode(note)))

    def forget(self, id_: str) -> Memory:
        """Archive a memory; explicit search still finds it."""
        return _result(Memory, self._write("/forget", id=id_))

    def revive(self, id_: str) -> Memory:
        """Bring an archived memory back."""
        return _result(Memory, self._write("/revive", id=id_))

    def pin(self, id_: str, *, on: bool) -> Memory:
        """Pin a memory, or take the pin out."""
        return _result(Memory, self._write("/pin", id=id_, on=on))

    def cite(self, ids: Sequence[str], action: str) -> None:
        """Record that memories influenced an action."""
        self._write("/cite", ids=list(ids), action=action)

    def pass_over(self, ids: Sequence[str], action: str) -> None:
        """Record that memories were shown and of no use."""
        self._write("/pass-over", ids=list(ids), action=action)

    def observe(self, seen: Sequence[Observation]) -> None:
        """Take note of what happened in an editor or shell; written down before it is acted on."""
        self._write("/observe", seen=wire.encode(tuple(seen), tuple[Observation, ...]))

    def at_work(self) -> AtWork:
        """What is at the centre of work now, and how that is known."""
        return _result(AtWork, self._read("/at-work"))

    def why(self, path: str, line: int) -> Why:
        """Why the definition around a line (from 1) is as it is."""
        return _result(Why, self._read("/why", path=path, line=line))

    def marks(self, path: str) -> tuple[Mark, ...]:
        """The definitions of a file that something is remembered about, by line."""
        return _result(tuple[Mark, ...], self._read("/marks", path=path))

    def hints(self, path: str) -> tuple[Hint, ...]:
        """Open contradictions and departures from conventions in a file, by line."""
        return _result(tuple[Hint, ...], self._read("/hints", path=path))

    def contradictions(self, *, settled: bool = False) -> tuple[Contradiction, ...]:
        """Open contradictions, newest first; `settled` adds those that were settled."""
        return _result(tuple[Contradiction, ...], self._read("/contradictions", settled=settled))

    def judge_again(self, id_: str) -> Ruling:
        """What the judges say of a contradiction now."""
        return _result(Ruling, self._slow("/judge-again", id=id_))

    def superseded(self, limit: int = 50) -> tuple[Superseded, ...]:
        """What newer statements of the same source took the place of, newest first."""
        return _result(tuple[Superseded, ...], self._read("/superseded", limit=limit))

    def settle(self, id_: str, verdict: Verdict) -> Contradiction:
        """Settle a contradiction as a person says."""
        from urllib.parse import quote

        said = self._write(
            f"/contradictions/{quote(id_, safe='')}/resolve",
            resolution=verdict.resolution.value,
            note=verdict.note,
            scopes={"a": _optional(verdict.scope_a), "b": _optional(verdict.scope_b)},
            merged=verdict.merged,
        )
        return _result(Contradiction, said)

    def refresh(self, paths: Sequence[str] | None) -> Refreshed:
        """Take in what changed in these files (None: wherever anything did) and in the history."""
        return _result(Refreshed, self._slow("/refresh", paths=None if paths is None else list(paths)))

    def consolidate(
        self,
        progress: Progress,
        *,
        dry_run: bool,
        passes: Sequence[str] = (),
        since: datetime | None = None,
        run: str = "",
        asked_by: AskedBy = AskedBy.COMMAND,
    ) -> NightReport:
        """Tidy the store by changes that are journalled, each with its reason, and can be undone."""
        given: dict[str, object] = {
            "dry_run": dry_run,
            "passes": list(passes),
            "since": wire.encode(since, datetime | None),
            "run": run,
            "asked_by": AskedBy(asked_by).value,
        }
        said = self._followed(progress, "/consolidate", given)
        return _understood(NightReport, lambda: said)

    def nights(self) -> tuple[NightRun, ...]:
        """The nights of this project, newest first."""
        return _result(tuple[NightRun, ...], self._read("/nights"))

    def night(self, run: str, *, after: int | None = None, limit: int = CHANGES_TOLD) -> NightReport:
        """What one night did (the newest, if `run` is empty)."""
        return _result(NightReport, self._read("/night", run=run, after=after, limit=limit))

    def undo(self, run: str, change: int | None = None) -> Undone:
        """Take back a night, or one change of it."""
        return _result(Undone, self._slow("/undo", run=run, change=change))

    def purge(self, *, dry_run: bool) -> PurgeReport:
        """Remove for good what was archived long ago."""
        return _result(PurgeReport, self._slow("/purge", dry_run=dry_run))

    def stats(self) -> Stats:
        """What the store holds of this project."""
        return _result(Stats, self._read("/stats"))

    def doctor(self) -> tuple[Finding, ...]:
        """Check the store, the indexes, the models and the repository."""
        return _result(tuple[Finding, ...], self._slow("/doctor"))

    def rebuild(self, progress: Progress) -> tuple[Finding, ...]:
        """Make every derived index anew from what is canonical."""
        return self._follow(tuple[Finding, ...], progress, "/rebuild")

    def export(self, folder: Path) -> tuple[Path, ...]:
        """Write everything of this project as JSON Lines and Markdown."""
        return _result(tuple[Path, ...], self._slow("/export", folder=str(folder.absolute())))

    def import_file(self, path: Path) -> int:
        """Read an export back; returns the number of memories that were new."""
        return _result(int, self._slow("/import", path=str(path.absolute())))

    def backup(self, target: Path | None) -> Path:
        """A consistent copy of the whole store."""
        return _result(Path, self._slow("/backup", target=None if target is None else str(target.absolute())))

    def start_conversation(self, title: str = "", persona: str = "", source: str = BY_HAND) -> Conversation:
        """Begin a conversation, which takes the user's one place."""
        return _result(Conversation, self._write("/start-conversation", title=title, persona=persona, source=source))

    def active_conversation(self) -> Conversation | None:
        """The conversation that holds the place."""
        return _maybe(Conversation, self._read("/active-conversation"))

    def add_turn(self, messages: Sequence[Message], conversation: str = "", channel: str = "") -> Turn:
        """Write down what was said."""
        said = wire.encode(tuple(messages), tuple[Message, ...])
        return _result(Turn, self._write("/add-turn", messages=said, conversation=conversation, channel=channel))

    def pause_conversation(self, conversation: str = "", *, on: bool = True) -> Conversation:
        """Silence nudges about a conversation, or no more."""
        return _result(Conversation, self._write("/pause-conversation", conversation=conversation, on=on))

    def close_conversation(self, conversation: str = "") -> Preview:
        """End a conversation and read what it leaves behind."""
        return _result(Preview, self._slow("/close-conversation", conversation=conversation))

    def resume_conversation(self, conversation: str = "") -> Conversation:
        """Go on with a conversation."""
        return _result(Conversation, self._write("/resume-conversation", conversation=conversation))

    def archive_conversation(self, conversation: str = "") -> Conversation:
        """Put a conversation away without remembering anything of it."""
        return _result(Conversation, self._write("/archive-conversation", conversation=conversation))

    def review(self, conversation: str = "") -> Preview:
        """What will be remembered of a conversation, and where."""
        return _result(Preview, self._read("/review", conversation=conversation))

    def edit_review(self, edit: Edit, conversation: str = "") -> Preview:
        """Change what will be remembered."""
        said = wire.encode(edit)
        return _result(Preview, self._write("/review/edit", edit=said, conversation=conversation))

    def redirect_review(self, act: str, conversation: str = "") -> Preview:
        """Send all that will be remembered to one act."""
        return _result(Preview, self._write("/review/redirect", act=act, conversation=conversation))

    def split_review(self, parts: Sequence[Part], conversation: str = "") -> Preview:
        """Send some items to other acts."""
        said = wire.encode(tuple(parts), tuple[Part, ...])
        return _result(Preview, self._write("/review/split", parts=said, conversation=conversation))

    def confirm_review(self, conversation: str = "") -> Remembered:
        """Remember it as the preview says, exactly once."""
        return _result(Remembered, self._slow("/review/confirm", conversation=conversation))

    def conversations(
        self, state: TalkState | None = None, persona: str = "", limit: int = TALKS_TOLD
    ) -> tuple[Conversation, ...]:
        """The user's conversations, the one spoken in last first."""
        named = None if state is None else state.value
        said = self._read("/conversations", state=named, persona=persona, limit=limit)
        return _result(tuple[Conversation, ...], said)

    def transcript(self, conversation: str = "", first: int = 1, last: int | None = None) -> Transcript:
        """What was said in a conversation."""
        return _result(Transcript, self._read("/transcript", conversation=conversation, first=first, last=last))

    def find_turns(self, text: str, limit: int = 10, conversation: str = "") -> tuple[TurnHit, ...]:
        """What was said about something, best first."""
        said = self._read("/find-turns", text=text, limit=limit, conversation=conversation)
        return _result(tuple[TurnHit, ...], said)

    def forget_conversation(self, conversation: str) -> Erased:
        """Delete a conversation for good."""
        return _result(Erased, self._slow("/forget-conversation", conversation=conversation))

    def threads(
        self, types: Sequence[ItemType] = (), act: str = "", persona: str = "", limit: int = TALKS_TOLD
    ) -> tuple[Item, ...]:
        """What conversations left open."""
        named = [one.value for one in types]
        return _result(tuple[Item, ...], self._read("/threads", types=named, act=act, persona=persona, limit=limit))

    def settle_thread(self, id_: str) -> Item:
        """Settle an open item by hand."""
        return _result(Item, self._write("/settle-thread", id=id_))

    def add_todo(self, todo: Todo) -> Item:
        """Keep a commitment, habit, thread or friction by hand."""
        return _result(Item, self._write("/add-todo", todo=wire.encode(todo)))

    def acts(self) -> tuple[Act, ...]:
        """The containers of memories."""
        return _result(tuple[Act, ...], self._read("/acts"))

    def make_act(self, name: str) -> Act:
        """Make an act for a line of work."""
        return _result(Act, self._write("/make-act", name=name))

    def delete_act(self, act: str) -> Act:
        """Delete an act; what it holds goes to Your Story."""
        return _result(Act, self._write("/delete-act", act=act))

    def story(self, act: str = "", persona: str = "", limit: int = 20, offset: int = 0) -> tuple[Memory, ...]:
        """Memories of Your Story, or of an act, newest first."""
        said = self._read("/story", act=act, persona=persona, limit=limit, offset=offset)
        return _result(tuple[Memory, ...], said)

    def identity(self, persona: str = "") -> Identity:
        """Who the user is, beyond what they are doing."""
        return _result(Identity, self._read("/identity", persona=persona))

    def revise(self, id_: str, text: str) -> Memory:
        """Say a memory that was told in other words."""
        return _result(Memory, self._write("/revise", id=id_, text=text))

    def route(self, id_: str, act: str) -> Memory:
        """Send a memory that was told to another act."""
        return _result(Memory, self._write("/route", id=id_, act=act))

    def erase(self, id_: str) -> Erased:
        """Delete a memory that was told, for good."""
        return _result(Erased, self._slow("/erase", id=id_))

    def greeting(self, persona: str = "") -> Greeting:
        """What a day begins with."""
        return _result(Greeting, self._read("/greeting", persona=persona))

    def notices(self) -> tuple[str, ...]:
        """What the user should know beside the answers so far; before any, what the owner has to say."""
        if not self._notices:
            self._read("/notices")
        return tuple(self._notices)

    def now(self) -> datetime:
        """The owner's clock, naive UTC."""
        return _result(datetime, self._read("/now"))

    def state(self) -> OwnerState:
        """Who the owner is and what it does."""
        return _result(OwnerState, self._caller.get("/status", self._deadline_s))

    def close(self) -> None:
        """Hang up; the owner goes on."""
        self._caller.close()

    def _read(self, path: str, /, **given: object) -> dict[str, object]:
        return self._heard(self._caller.ask(path, {"repo": self._repo, **given}, self._deadline_s, again=True))

    def _write(self, path: str, /, **given: object) -> dict[str, object]:
        return self._heard(self._caller.ask(path, {"repo": self._repo, **given}, WRITE_S, again=False))

    def _slow(self, path: str, /, **given: object) -> dict[str, object]:
        return self._heard(self._caller.ask(path, {"repo": self._repo, **given}, SLOW_S, again=False))

    def _follow(self, declared: type[T], progress: Progress, path: str, /, **given: object) -> T:
        """Long work; see `_followed`."""
        return _result(declared, self._followed(progress, path, given))

    def _followed(self, progress: Progress, path: str, given: dict[str, object]) -> dict[str, object]:
        """The last line of long work: progress is passed on as it comes; leaving (Ctrl-C) ends the work there."""
        with self._caller.lines("POST", path, {"repo": self._repo, **given}, SILENCE_S) as lines:
            for line in lines:
                if isinstance(problem := line.get("problem"), dict):
                    raise error_of(problem)
                if isinstance(step := line.get("progress"), dict):
                    progress.step(str(step["stage"]), int(step["done"]), step["total"])
                else:
                    return self._heard(line)
        raise CompanionError("The owner of the store broke off.", "Run the command again: it goes on.")

    def _heard(self, said: dict[str, object]) -> dict[str, object]:
        """An answer, its notices kept beside."""
        beside = said.pop("notices", ())
        if isinstance(beside, list):
            self._notices.update(dict.fromkeys(str(one) for one in beside))
        return said


def stop(address: Address, why: str) -> None:
    """Ask an owner to end; it ends after it has answered. Raises CompanionError if nobody answers."""
    caller = Caller(address)
    try:
        caller.ask("/stop", {"why": why}, READ_S, again=False)
    finally:
        caller.close()


def _result(declared: type[T], said: dict[str, object]) -> T:
    return _understood(declared, lambda: said["result"])


def _maybe(declared: type[T], said: dict[str, object]) -> T | None:
    return None if said.get("result") is None else _result(declared, said)


def _understood(declared: type[T], shape: Callable[[], object]) -> T:
    """The record an answer holds; an owner of another version may answer what we do not know."""
    try:
        return wire.decode(declared, shape())
    except (UsageError, KeyError, TypeError) as wrong:
        raise CompanionError(
            f"The owner of the store answered what this version does not understand. {wrong}",
            "Restart it with `companion stop`; the next command starts one of this version.",
        ) from wrong


def _context(said: dict[str, Any]) -> object:
    tiers = said["tiers"]
    return {
        "text": said["context"],
        "tokens": said["token_count"],
        "tiers": [tiers[f"tier{number}"] for number in range(1, 5)],
        **said["details"],
    }


def _signals(signals: Signals) -> dict[str, Any]:
    given = wire.encode(signals)
    assert isinstance(given, dict)
    given["recent_errors"] = given.pop("errors")
    return given


def _optional(record: object) -> object:
    return None if record is None else wire.encode(record)
