"""Whatever is asked of a daemon comes back as if it were asked here, errors and progress included."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from daemons import Served
from msgspec.structs import replace
from waiting import until

from companion.api import Companion, Note, Order, RunOrder, Verdict
from companion.client.calling import error_of
from companion.client.remote import RemoteCompanion
from companion.errors import CompanionError, DaemonGone, NotARepository, StoreHeld, UnknownMemory, UsageError
from companion.kinds.by_hand import draft_from_note
from companion.records import (
    Activity,
    Diagnosed,
    Diagnostic,
    Format,
    Kind,
    Memory,
    Ran,
    Resolution,
    Scope,
    SearchQuery,
    Signals,
    Status,
    Touch,
    Touched,
    Visibility,
)
from companion.records.runs import RunState
from companion.surfaces.http.verbs import VERBS

AT_HAND = Signals(
    current_file="shop/cart.py",
    query="rounding of prices",
    errors=("ValueError: off by a cent",),
    activity=Activity.DEBUGGING,
    collaborators=("Ann",),
    opened=("shop/price.py",),
)


def shown_first(companion: Companion) -> str:
    """The id of something that is in the context."""
    context = companion.assemble(3_000, AT_HAND, Format.MARKDOWN, Order.PEOPLE, count_use=False)
    return next(item.id for tier in context.tiers for item in tier.items)


def a_plan(companion: Companion) -> str:
    """The id of a run that is planned."""
    found = companion.reports()
    return found[-1].id if found else companion.consolidate(RunOrder(dry_run=True), Steps()).run


ASKED: dict[str, Callable[[Companion], Any]] = {
    "assemble": lambda c: c.assemble(3_000, AT_HAND, Format.XML, Order.ASSISTANTS, count_use=False),
    "assemble nothing": lambda c: c.assemble(0, Signals(), Format.MARKDOWN, Order.PEOPLE, count_use=False),
    "predict": lambda c: c.predict(AT_HAND),
    "explain": lambda c: c.explain(3_000, AT_HAND, None, leave_one_out=False),
    "explain one": lambda c: c.explain(3_000, AT_HAND, shown_first(c), leave_one_out=True),
    "search": lambda c: c.search(SearchQuery("rounding", kinds=(Kind.EPISODE,), limit=5)),
    "expand": lambda c: c.expand("file:shop/cart.py"),
    "at_work": lambda c: c.at_work(),
    "why": lambda c: c.why("shop/cart.py", 5),
    "marks": lambda c: c.marks("shop/cart.py"),
    "facts": lambda c: c.facts(),
    "hints": lambda c: c.hints("shop/cart.py"),
    "contradictions": lambda c: c.contradictions(settled=True),
    "reports": lambda c: c.reports(),
    "report": lambda c: c.report(a_plan(c)),
    "report by pages": lambda c: c.report(a_plan(c), after=1, limit=3),
    "purge": lambda c: c.purge(dry_run=True),
    "stats": lambda c: c.stats(),
    "now": lambda c: c.now(),
    "notices": lambda c: c.notices(),
}


class Steps:
    """Progress as it was told; may fail at a step."""

    def __init__(self, fail_at: int = 1_000_000) -> None:
        self.told: list[tuple[str, int, int | None]] = []
        self._fail_at = fail_at

    def step(self, stage: str, done: int, total: int | None) -> None:
        self.told.append((stage, done, total))
        if len(self.told) > self._fail_at:
            raise KeyboardInterrupt


@pytest.mark.parametrize("verb", ASKED)
def test_a_verb_that_reads_answers_the_same_here_and_there(served: Served, verb: str):
    here, remote = served.daemon.companion(served.root), served.remote()
    until(lambda: ASKED[verb](remote) == ASKED[verb](here))  # where lines come from is told from the second answer on


def test_every_verb_of_the_protocol_has_a_route_and_a_method():
    verbs = {name for name in dir(Companion) if not name.startswith("_")} - {"close"}
    assert {verb.name for verb in VERBS} == verbs
    assert not [name for name in verbs if not hasattr(RemoteCompanion, name)]
    assert not [verb.name for verb in VERBS if verb.route.declared is not getattr(Companion, verb.name)]


def test_what_is_remembered_there_is_kept(served: Served):
    remote = served.remote()
    memory = remote.remember(Note("Prices are cents", Kind.FACT, Scope(path="shop"), pinned=True, label="money"))
    here = served.daemon.companion(served.root)

    def kept() -> Memory:
        return here.store.memories.get([memory.id])[0]

    assert (kept().id, kept().draft, memory.became, memory.contradicts) == (memory.id, memory.draft, "note", ())
    assert remote.pin(memory.id[:12], on=False).draft.pinned is False
    remote.cite([memory.id], "a change")
    remote.pass_over([memory.id], "another")
    assert (kept().usage.cited, kept().usage.ignored) == (1, 1)
    assert remote.forget(memory.id) == kept()
    assert remote.revive(memory.id[:12]).status is Status.ACTIVE


def test_a_contradiction_is_settled_from_afar(served: Served):
    remote = served.remote()
    here = served.daemon.companion(served.root)
    for length, origin in ((80, "setup.cfg"), (120, ".editorconfig")):
        text = f"The line length is {length}"
        said = draft_from_note(text, Kind.FACT, Scope(), Visibility.USER_PRIVATE, False, "", here.now())
        declared = replace(said, subject="code style", attribute="line_length", value=str(length), origin=origin)
        here.store.memories.keep(here.project, "facts", [declared], here.now())
    (opened,) = remote.contradictions()
    settled = remote.settle(opened.id, Verdict(Resolution.A_WINS, "as the file says"))
    (kept,) = served.daemon.companion(served.root).contradictions(settled=True)
    assert (settled.id, settled.resolution, settled.note) == (opened.id, Resolution.A_WINS, "as the file says")
    assert (kept.id, kept.resolution, kept.note) == (opened.id, Resolution.A_WINS, "as the file says")
    assert remote.contradictions() == ()
    with pytest.raises(CompanionError) as there:
        remote.settle("x1 / not one", Verdict(Resolution.B_WINS, scope_b=Scope(path="shop")))
    with pytest.raises(CompanionError) as here:
        served.daemon.companion(served.root).settle("x1 / not one", Verdict(Resolution.B_WINS))
    assert (type(there.value), str(there.value)) == (type(here.value), str(here.value))


def test_what_is_observed_is_taken_note_of(served: Served):
    remote = served.remote()
    remote.observe(
        (
            Touched("shop/cart.py", Touch.OPENED),
            Touched("shop/cart.py", Touch.EDITED, "Cart.sum", 8),
            Diagnosed("shop/cart.py", (Diagnostic(3, "undefined name"),)),
            Ran("pytest", str(served.root), 1, 0.5, remote.now(), "FAILED"),
        )
    )
    assert remote.at_work().events == served.daemon.companion(served.root).at_work().events > 0


def test_files_are_written_and_read_where_the_client_says(served: Served, tmp_path: Path):
    remote = served.remote()
    written = remote.export(tmp_path / "export")
    assert written
    assert all(path.is_file() for path in written)
    lines = next(path for path in written if path.suffix == ".jsonl")
    assert remote.import_file(lines) == 0
    assert remote.backup(tmp_path / "copy.duckdb").is_file()
    assert {finding.name for finding in remote.doctor()} == {
        f.name for f in served.daemon.companion(served.root).doctor()
    }


def test_a_scan_tells_its_progress_and_reports_the_same(served: Served):
    steps, remote = Steps(), served.remote()
    report = remote.scan(steps, full=True)
    assert steps.told
    assert report.files_total == remote.stats().files
    assert remote.rebuild(Steps())
    assert remote.refresh(["shop/cart.py"]).files_gone == 0
    assert remote.refresh(None).commits_new == 0


def test_a_run_is_planned_carried_out_and_taken_back_from_afar(served: Served):
    steps, remote = Steps(), served.remote()
    planned = remote.consolidate(RunOrder(dry_run=True, passes=("compress", "link")), steps)
    assert steps.told
    assert [one.name for one in planned.passes] == ["compress", "link"]
    done = remote.consolidate(RunOrder(run=planned.run), Steps())
    assert (done.run, done.state) == (planned.run, RunState.APPLIED)
    assert done == served.daemon.companion(served.root).report(done.run)
    assert remote.undo(done.run).undone == done.changes_total - done.refused
    assert remote.reports()[0].state is RunState.UNDONE


def test_an_abandoned_scan_ends_and_the_next_one_goes_on(served: Served):
    remote = served.remote()
    with pytest.raises(KeyboardInterrupt):
        remote.scan(Steps(fail_at=0), full=True)
    assert remote.scan(Steps()).files_total


@pytest.mark.parametrize(
    ("wrong", "ask"),
    [
        (UnknownMemory, lambda c: c.expand("m1ffff")),
        (UnknownMemory, lambda c: c.forget("nothing")),
        (UsageError, lambda c: c.expand("file:nowhere.py")),
        (UsageError, lambda c: c.predict(Signals(branch="nowhere"))),
        (UsageError, lambda c: c.assemble(100, Signals("../outside"), Format.JSON, Order.PEOPLE)),
        (UsageError, lambda c: c.consolidate(RunOrder(dry_run=True, passes=("gossip",)), Steps())),
        (UsageError, lambda c: c.consolidate(RunOrder(run="n1nothing"), Steps())),
        (UsageError, lambda c: c.undo("n1nothing")),
        (UsageError, lambda c: c.report("n1nothing")),
        (CompanionError, lambda c: c.import_file(Path("/nowhere/at/all"))),
    ],
)
def test_an_error_is_raised_as_it_would_be_here(served: Served, wrong: type, ask: Callable[[Companion], Any]):
    with pytest.raises(wrong) as there:
        ask(served.remote())
    with pytest.raises(wrong) as here:
        ask(served.daemon.companion(served.root))
    assert type(there.value) is type(here.value)
    assert there.value.what == here.value.what
    assert there.value.next_step
    assert there.value.next_step == here.value.next_step or not here.value.next_step


def test_where_there_is_no_repository_the_error_says_so(served: Served, tmp_path: Path):
    with pytest.raises(NotARepository):
        RemoteCompanion(served.unix, tmp_path).stats()


def test_who_holds_a_store_is_told_from_afar():
    wrong = error_of({"code": "StoreHeld", "detail": "held", "next_step": "wait", "holder_pid": 12})
    assert isinstance(wrong, StoreHeld)
    assert wrong.holder_pid == 12
    assert type(error_of({"code": "Exception", "detail": "d"})) is CompanionError


def test_one_companion_may_be_asked_by_many_threads(served: Served):
    remote = served.remote()
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda n: remote.search(SearchQuery("rounding", limit=1 + n % 3)), range(60)))
    assert {len(hits) for hits in found} == {1, 2, 3}


def test_notices_come_with_the_answers(served: Served):
    (served.root / "notes.bin").write_bytes(b"\0\1")
    try:
        remote, here = served.remote(), served.daemon.companion(served.root)
        signals = Signals(current_file="notes.bin")
        context = here.assemble(1_000, signals, Format.MARKDOWN, Order.PEOPLE, count_use=False)
        assert remote.assemble(1_000, signals, Format.MARKDOWN, Order.PEOPLE, count_use=False) == context
        assert remote.notices() == here.notices() != ()
    finally:
        (served.root / "notes.bin").unlink()


def test_the_same_is_answered_over_tcp(served: Served):
    remote = served.remote(served.tcp)
    assert remote.search(SearchQuery("rounding")) == served.remote().search(SearchQuery("rounding"))
    assert remote.state().pid == served.daemon.state().pid


def test_a_daemon_that_ended_between_two_requests_is_found_again(serving: Callable[[], Served]):
    first = serving()
    remote = first.remote()
    before = remote.search(SearchQuery("rounding"))
    first.asked_to_stop()
    first.end()
    serving()
    assert remote.search(SearchQuery("rounding")) == before
    assert remote.remember(Note("Kept by the second daemon")).id


def test_without_a_daemon_the_error_says_what_to_type(serving: Callable[[], Served]):
    served = serving()
    served.end()
    with pytest.raises(DaemonGone) as wrong:
        RemoteCompanion(served.unix, served.root).stats()
    assert "companion" in wrong.value.next_step


def test_stopping_ends_the_server_and_its_threads(serving: Callable[[], Served]):
    before = set(threading.enumerate())
    served = serving()
    served.remote().search(SearchQuery("rounding"))
    served.asked_to_stop()
    served.end()
    left = [thread for thread in threading.enumerate() if thread not in before]
    for thread in left:
        thread.join(60)  # a copy of the store that has begun is finished
    assert not [thread.name for thread in left if thread.is_alive()]
