"""A scan learns what is new, forgets what is gone, survives being killed, and keeps branches apart."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from repos import WHY_TAXED, Repo

from app.conftest import Desk
from companion import syntax
from companion.api import Order
from companion.app.local import LocalCompanion
from companion.app.scanning import ranking
from companion.app.scanning.scan import Scanner
from companion.kinds import KINDS
from companion.ports import NoProgress, World
from companion.records import Decision, DecisionStatus, Draft, Format, Memory, Profile, SearchQuery, Signals, Status
from companion.signals.files import WorkTree
from companion.syntax import LANGUAGES, parsing
from companion.syntax.languages import row_of


def active(companion: LocalCompanion) -> list[Memory]:
    return [memory for memory in companion.store.memories.iterate(companion.project)]


def said(companion: LocalCompanion) -> dict[tuple[str, str], str]:
    return {(m.draft.subject, m.draft.attribute): m.draft.value for m in active(companion)}


def test_a_scan_learns_history_code_and_declared_facts(desk: Desk, shop: Repo):
    report = desk.scan(shop.root)
    assert (report.commits_total, report.files_total) == (5, 6)
    assert {"fact", "episode"} <= {row.kind for row in report.learned}
    companion = desk.open(shop.root)
    found = {m.draft.attribute: m for m in active(companion) if m.draft.origin == "pyproject.toml"}
    assert found["line_length"].draft.value == "100"
    assert found["line_length"].draft.evidence[0].label() == "pyproject.toml:6"
    companion.close()


def test_a_second_scan_with_nothing_new_changes_nothing(desk: Desk, shop: Repo):
    desk.scan(shop.root)
    again = desk.scan(shop.root)
    assert (again.commits_new, again.files_new, again.added, again.changed, again.retired) == (0, 0, 0, 0, 0)


def test_files_of_a_language_that_is_new_to_the_program_are_read_by_the_next_scan(
    desk: Desk, shop: Repo, monkeypatch: pytest.MonkeyPatch
):
    with monkeypatch.context() as before:
        before.setattr(parsing, "row_of", lambda language: None if language == "python" else row_of(language))
        before.setattr(syntax, "LANGUAGES", tuple(row for row in LANGUAGES if row.name != "python"))
        desk.scan(shop.root)
    companion = desk.open(shop.root)
    path = "shop/price.py"
    assert companion.store.code.parsed(companion.checkout, [path])[0].symbols == ()
    assert companion.scan(NoProgress()).files_new > 0
    assert companion.store.code.parsed(companion.checkout, [path])[0].symbols
    assert companion.scan(NoProgress()).files_new == 0
    companion.close()


def test_a_full_scan_over_a_known_store_learns_nothing_twice(desk: Desk, shop: Repo):
    first = desk.scan(shop.root)
    again = desk.scan(shop.root, full=True)
    assert (again.added, again.changed, again.retired) == (0, 0, 0)
    assert again.learned == first.learned
    assert again.commits_total == first.commits_total


def test_a_changed_value_is_a_new_version_and_the_old_one_is_what_was_known_then(desk: Desk, shop: Repo):
    desk.scan(shop.root)
    before = desk.clock.now()
    desk.clock.advance(days=1)
    shop.write("pyproject.toml", (shop.root / "pyproject.toml").read_text().replace("100", "120"))
    report = desk.scan(shop.root)
    assert report.changed == 1
    companion = desk.open(shop.root)
    now = {m.draft.attribute: m for m in active(companion)}["line_length"]
    assert now.draft.value == "120"
    old = next(
        hit.memory
        for hit in companion.search(SearchQuery(text="line length", as_of=before, profile=Profile.MEMORY))
        if hit.memory.draft.attribute == "line_length"
    )
    assert old.draft.value == "100"
    assert old.superseded_by == now.id
    companion.close()


def test_a_deleted_file_takes_its_facts_and_code_along(desk: Desk, shop: Repo):
    desk.scan(shop.root)
    (shop.root / "pyproject.toml").unlink()
    (shop.root / "shop/price.py").unlink()
    report = desk.scan(shop.root)
    assert report.files_gone == 2
    companion = desk.open(shop.root)
    assert not [m for m in active(companion) if m.draft.origin == "pyproject.toml"]
    assert "shop/price.py" not in companion.library().paths()
    companion.close()


def test_a_decision_is_in_force_until_a_later_scan_finds_what_took_it_back(desk: Desk, shop: Repo):
    shop.write("shop/price.py", "def total(items):\n    return sum(items)\n\n\ndef total_of(items): ...\n")
    shop.commit(
        "Deprecate `total_of` in favour of total\n\nIt counts an item twice if a cart is merged, because the list is "
        "read once for each daemon. Carts cannot be told apart here, so callers should not add them up themselves."
    )

    def decisions() -> dict[str, Memory]:
        companion = desk.open(shop.root)
        found = {m.draft.subject: m for m in active(companion) if m.draft.type == "decision"}
        companion.close()
        return found

    desk.scan(shop.root)
    body = decisions()["total_of"].draft.body
    assert isinstance(body, Decision)
    assert body.status is DecisionStatus.IN_FORCE
    back = shop.commit("Undeprecate total_of (#12)")
    desk.scan(shop.root)
    undone = decisions()["total_of"].draft
    assert isinstance(undone.body, Decision)
    assert undone.body.status is DecisionStatus.SUPERSEDED
    assert undone.evidence[-1].ref == back
    assert desk.scan(shop.root).changed == 0


def test_rewritten_history_archives_what_the_lost_commits_taught(desk: Desk, shop: Repo):
    desk.scan(shop.root)
    lost = shop.git("rev-parse", "HEAD")
    shop.git("reset", "-q", "--hard", "HEAD~1")
    shop.write("shop/price.py", "def total(items):\n    return 0\n")
    shop.commit(
        "Fix the total for an empty cart\n\nIt raised TypeError: unsupported operand, because the list was None (#9)."
    )
    report = desk.scan(shop.root)
    assert any("rewritten" in note for note in report.notes)
    companion = desk.open(shop.root)
    assert not [m for m in active(companion) if lost in {e.ref for e in m.draft.evidence}]
    assert report.commits_total == 5
    companion.close()


def test_what_a_branch_taught_is_not_known_elsewhere_until_it_is_merged(desk: Desk, shop: Repo):
    desk.scan(shop.root)
    shop.git("checkout", "-q", "-b", "vat")
    shop.write("shop/vat.py", "def vat(cents):\n    return cents // 5\n")
    made = shop.commit(f"Add value added tax to prices\n\n{WHY_TAXED}\n\nFixes #20")
    desk.scan(shop.root)

    def knows(expected: bool) -> None:
        companion = desk.open(shop.root)
        hits = companion.search(SearchQuery(text="value added tax prices", profile=Profile.MEMORY))
        assert (made in {e.ref for hit in hits for e in hit.memory.draft.evidence}) is expected
        companion.close()

    knows(True)
    shop.git("checkout", "-q", "main")
    desk.scan(shop.root)
    knows(False)
    shop.git("merge", "-q", "--ff-only", "vat")
    desk.scan(shop.root)
    knows(True)


def test_worktrees_share_a_project_and_keep_their_own_code(desk: Desk, shop: Repo, tmp_path: Path):
    desk.scan(shop.root)
    shop.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    (tmp_path / "side/shop/price.py").write_text("def only_here():\n    return 1\n")
    (tmp_path / "side/pyproject.toml").write_text('[project]\nname = "shop"\n\n[tool.ruff]\nline-length = 60\n')
    desk.scan(tmp_path / "side")
    main, side = desk.open(shop.root), None
    project, checkout = main.project, main.checkout
    here = said(main)
    assert "only_here" not in main.library().paths()["shop/price.py"].outline
    lines = [
        hit.memory.draft.value
        for hit in main.search(SearchQuery(text="line length", limit=20, profile=Profile.MEMORY))
        if hit.memory.draft.attribute == "line_length"
    ]
    assert lines == ["100"]
    main.close()
    side = desk.open(tmp_path / "side")
    assert side.project == project
    assert side.checkout != checkout
    assert "only_here" in side.library().paths()["shop/price.py"].outline
    lines = [
        hit.memory.draft.value
        for hit in side.search(SearchQuery(text="line length", limit=20, profile=Profile.MEMORY))
        if hit.memory.draft.attribute == "line_length"
    ]
    assert lines == ["60"]
    assert here
    side.close()


def test_a_copy_a_fork_and_a_namesake_are_projects_of_their_own(
    desk: Desk, shop: Repo, tmp_path: Path, new_repo: Callable[..., Repo]
):
    ids = {}
    copy = tmp_path / "copies" / "shop"
    shutil.copytree(shop.root, copy)
    fork = tmp_path / "forks" / "shop"
    shutil.copytree(shop.root, fork)
    Repo(fork).git("remote", "add", "origin", "https://git.example.org/someone/shop.git")
    namesake = new_repo("other/shop")
    namesake.write("a.py", "x = 1\n")
    namesake.commit("Start")
    for folder in (shop.root, copy, fork, namesake.root):
        companion = desk.open(folder)
        ids[folder] = companion.project
        companion.close()
    assert len(set(ids.values())) == 4


def test_a_scan_killed_at_any_stage_goes_on_and_loses_nothing(desk: Desk, shop: Repo, tmp_path: Path):
    whole = desk.scan(shop.root)
    script = (
        "import os, shutil, signal, sys\n"
        "from pathlib import Path\n"
        "sys.path[:0] = [sys.argv[3]]\n"
        "from app.conftest import Desk\n"
        "from fakes import FakeClock\n"
        "homes = Path(sys.argv[1])\n"
        "class Deadly:\n"
        "    stages = []\n"
        "    def step(self, stage, done, total):\n"
        "        if stage not in Deadly.stages:\n"
        "            Deadly.stages.append(stage)\n"
        "            shutil.copytree(homes / 'run', homes / str(len(Deadly.stages)))\n"  # as a kill would leave it now
        "Desk(homes / 'run', FakeClock()).open(Path(sys.argv[2])).scan(Deadly())\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    homes = tmp_path / "killed"
    homes.mkdir()
    given = [str(homes), str(shop.root), str(Path(__file__).parent.parent)]
    ended = subprocess.run([sys.executable, "-c", script, *given], check=False, env={**os.environ, "PYTHONPATH": ""})
    assert ended.returncode == -signal.SIGKILL
    stages = sorted(homes.iterdir(), key=lambda home: home.name)
    assert len(stages) >= 6
    for home in stages:
        resumed = Desk(home, desk.clock).scan(shop.root)
        assert resumed.learned == whole.learned, home.name
        assert (resumed.commits_total, resumed.files_total) == (whole.commits_total, whole.files_total)


def test_nothing_is_written_into_the_repository(desk: Desk, shop: Repo):
    before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in shop.root.rglob("*") if path.is_file()}
    desk.scan(shop.root)
    companion = desk.open(shop.root)
    companion.assemble(4_000, Signals(current_file="shop/cart.py"), Format.MARKDOWN, Order.PEOPLE)
    companion.close()
    after = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in shop.root.rglob("*") if path.is_file()}
    assert after == before


def test_vectors_fill_in_behind_and_search_says_how_far_they_are(desk: Desk, shop: Repo):
    companion = desk.open(shop.root, embedder=True)
    report = companion.scan(NoProgress(), embed=False)
    assert report.readiness.to_embed > 0
    assert companion.search(SearchQuery(text="rounding of prices", profile=Profile.MEMORY))
    report = companion.scan(NoProgress())
    assert report.readiness.to_embed == 0
    assert companion.search(SearchQuery(text="rounding of prices", profile=Profile.MEMORY))
    companion.close()


def test_a_forgotten_memory_stays_forgotten_after_the_next_scan(desk: Desk, shop: Repo):
    desk.scan(shop.root)
    companion = desk.open(shop.root)
    victim = next(m for m in active(companion) if m.draft.attribute == "line_length")
    companion.forget(victim.id)
    companion.close()
    desk.scan(shop.root, full=True)
    companion = desk.open(shop.root)
    assert not [m for m in active(companion) if m.draft.attribute == "line_length" and m.status is Status.ACTIVE]
    companion.close()


class Broken:
    """A way of learning that fails."""

    name = "broken"

    def origins(self, world: World) -> Sequence[str]:
        return ()

    def learn(self, world: World) -> Iterator[Draft]:
        raise ZeroDivisionError


def test_a_kind_that_fails_is_named_and_learned_from_again_while_the_others_go_on(desk: Desk, shop: Repo):
    companion = desk.open(shop.root)
    learners = (Broken(), *KINDS)
    scanner = Scanner(
        companion.runtime,
        companion.state,
        companion.project,
        companion.checkout,
        NoProgress(),
        desk.clock.now(),
        learners=learners,
    )
    scanned = scanner.run(WorkTree(companion.state))
    assert any("broken" in note for note in scanned.notes)
    assert scanned.outcome.added > 0
    again = companion.scan(NoProgress())
    assert (again.commits_new, again.files_new) == (5, 6)
    assert (again.added, again.retired) == (0, 0)
    assert companion.scan(NoProgress()).commits_new == 0
    companion.close()


def test_the_weights_are_learned_anew_once_enough_commits_came(desk: Desk, shop: Repo, monkeypatch: pytest.MonkeyPatch):
    desk.scan(shop.root)
    learned: list[bool] = []
    kept = ranking.RankingStage._keep

    def noted(stage: ranking.RankingStage, *found: Any) -> None:
        learned.append(stage.full)
        kept(stage, *found)

    monkeypatch.setattr(ranking.RankingStage, "_keep", noted)
    monkeypatch.setattr(ranking, "RANKER_AFTER", 3)
    monkeypatch.setattr(ranking, "RANKER_PART", 1.0)
    told = []
    for number in range(3):
        shop.write("shop/price.py", f"def total_{number}(items):\n    return {number}\n")
        shop.commit(f"Total number {number}")
        desk.scan(shop.root)
        told.append(list(learned))
    desk.scan(shop.root, full=True)
    assert (told, learned) == ([[], [], [False]], [False, True])
