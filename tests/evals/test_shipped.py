"""What counts of a shipped context: recall in real forms, strict and wide precision; and issues to files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from engine.fake_library import FakeLibrary
from engine.makers import code
from engine.past import history
from msgspec.structs import replace

from companion.engine.attending.focus import focus
from companion.engine.predicting.predict import predict
from companion.errors import UsageError
from companion.evals.prediction import prediction, shipped_figures
from companion.evals.useful import linked, useful
from companion.ports import Library
from companion.records import (
    Activity,
    Commit,
    Context,
    ContextItem,
    Format,
    Link,
    LinkKind,
    Prediction,
    Signals,
    Tier,
    TierReport,
)
from evals.replayed.localize import folder_of, localize

A, B, C, T = "src/alpha.py", "src/beta.py", "src/gamma.py", "tests/test_alpha.py"
LINKS = (Link(A, C, LinkKind.CALL), Link(T, A, LinkKind.TEST), Link(C, "src/delta.py", LinkKind.IMPORT))
CODES = {path: code(path) for path in (A, B, C, T, "src/delta.py")}


def item(path: str, level: str = "places", tokens: int = 100, tier: Tier = Tier.RELEVANT) -> ContextItem:
    return ContextItem(f"file:{path}", path, tier, "Files", level, tokens, 1.0, "text", files=(path,))


def note(tokens: int, *files: str, tier: Tier = Tier.BACKGROUND) -> ContextItem:
    return ContextItem("m1", "a rule", tier, "Rules", "summary", tokens, 1.0, "text", files=files)


def context(*items: ContextItem) -> Context:
    tiers = tuple(
        TierReport(tier, 0, sum(i.tokens for i in items if i.tier is tier), tuple(i for i in items if i.tier is tier))
        for tier in Tier
    )
    tokens = sum(i.tokens for i in items)
    return Context("text", tokens, 8_000, 0, "words", Format.MARKDOWN, Activity.EXPLORING, 0.5, tiers)


class Still:
    """A project that stands still, and always ships the same context."""

    def __init__(self, shipped: Context, commits: Sequence[Commit] = ()) -> None:
        self.held = FakeLibrary(codes=CODES, links_=LINKS, commits=[("c1", (A, B))])
        self.library: Library = self.held
        self.trees: list[str] = []
        self.closed = 0
        self._shipped = shipped
        self._commits = list(commits)

    def commits(self) -> list[Commit]:
        return self._commits

    def advance(self, commits: Sequence[Commit], tree: str) -> None:
        self.trees.append(tree)

    def predict(self, signals: Signals, limit: int) -> tuple[Prediction, ...]:
        return predict(focus(signals, ()), self.held, limit)

    def assemble(self, budget_tokens: int, signals: Signals) -> Context:
        return self._shipped

    def changed_names(self, commit: Commit) -> frozenset[str]:
        return frozenset({"secret_name"})

    def close(self) -> None:
        self.closed += 1


CODE = frozenset({A, B, C, T, "src/delta.py"})
COMMITS = history(f"+{A} +{B} +{C} +{T} +src/delta.py", f"{A} {B}")


def test_a_bare_name_is_no_recall_and_a_file_counts_once() -> None:
    figures = shipped_figures(context(item(B), item(B, "body"), item(C, "name"), item(A)), A, {B, C}, CODE)
    assert figures["recall_8k"] == 0.5
    assert figures["named_8k"] == 1.0
    assert figures["strict_precision"] == 1.0


def test_an_oracle_shows_as_many_and_is_right_as_often_as_can_be() -> None:
    shown = [item(B, tier=Tier.CRITICAL), item(C), item(T), item("src/delta.py")]
    figures = shipped_figures(context(*shown), A, {B, "src/gone.py"}, CODE)
    assert figures["strict_precision"] == 0.25
    assert figures["oracle_precision"] == 0.5
    assert figures["critical_strict_precision"] == figures["critical_oracle_precision"] == 1.0


def test_without_code_in_it_a_context_has_no_precision_to_tell() -> None:
    figures = shipped_figures(context(note(50, B)), A, {B}, CODE)
    assert figures["recall_8k"] == 0.0
    assert "strict_precision" not in figures


def test_recall_is_named_by_the_budget_that_it_was_reached_within() -> None:
    small = replace(context(item(B)), budget_tokens=900)
    assert shipped_figures(small, A, {B}, CODE)["recall_900"] == 1.0


def test_prediction_with_contexts_tells_recall_in_them_and_strips_intents() -> None:
    told = prediction(COMMITS, (still := Still(context(item(B), item(A)))), contexts=still)
    assert told["n"] == 1
    assert told["ours"]["recall_8k"] == 1.0  # type: ignore[index]
    assert set(told["by"]) >= {"file only", "with intent", "intent stripped"}  # type: ignore[call-overload]
    assert still.trees == [COMMITS[0].sha]


def test_useful_is_edited_or_linked_to_another_edited_file_than_the_one_at_hand() -> None:
    """`C` is linked to `A`: useful where `B` is at hand and `A` is to follow, not where `A` itself is open."""
    assert linked(FakeLibrary(links_=LINKS), frozenset({A})) == {A, C, T}
    shipped = context(item(B, tokens=100), item(C, tokens=200), item("src/delta.py", tokens=100))
    told = useful(COMMITS, Still(shipped))
    assert told["ours"]["useful_share"] == pytest.approx((0.25 + 0.75) / 2)  # type: ignore[index]
    assert told["ours"]["edited_share"] == pytest.approx(0.25)  # type: ignore[index]
    assert told["ours"]["elsewhere_share"] == pytest.approx((0.5 + 0.25) / 2)  # type: ignore[index]


def test_tokens_about_no_file_are_told_apart_and_not_judged() -> None:
    told = useful(COMMITS, Still(context(item(B, tokens=100), note(300), note(100, "src/delta.py"))))
    background = told["by"]["background"]  # type: ignore[index]
    assert background["tokens"] == 2 * 400
    assert background["judged_share"] == 0.25
    assert background["useful_share"] == 0.0
    assert told["ours"]["useful_share"] == 1.0  # type: ignore[index]


def test_a_filled_budget_stands_beside_what_was_cut() -> None:
    told = useful(COMMITS, Still(context(item(B))))
    assert list(told["baselines"]) == ["filled up", "filled up by rank fusion"]  # type: ignore[call-overload]
    for filled in told["baselines"].values():  # type: ignore[attr-defined]
        assert filled["strict_precision"] < told["ours"]["strict_precision"] == 1.0  # type: ignore[index]


def instances(folder: Path, *rows: dict[str, object]) -> Path:
    path = folder / "issues.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def issue(repo: str, base: str, text: str = "gamma_3() raises") -> dict[str, object]:
    return {"instance_id": repo + base, "repo": repo, "base_commit": base, "problem_statement": text, "gold_files": [C]}


def test_an_issue_leads_to_the_file_that_must_change(tmp_path: Path) -> None:
    (tmp_path / "owner__tool").mkdir()
    opened: list[Still] = []

    def open_replay(folder: Path) -> Still:
        assert folder == tmp_path / "owner__tool"
        still = Still(context(), COMMITS)
        still.library = still.held = FakeLibrary(codes=CODES)
        opened.append(still)
        return still

    known, gone, absent = issue("owner/tool", COMMITS[1].sha), issue("owner/tool", "f00"), issue("x/absent", "1")
    told = localize(instances(tmp_path, known, gone, absent), tmp_path, open_replay)
    assert told["n"] == 1
    assert told["ours"]["hit@1"] == 1.0  # type: ignore[index]
    assert set(told["baselines"]) == {"bm25 on the text", "most recently used", "rank fusion"}  # type: ignore[call-overload]
    assert told["settings"] == {"left_out": 2}
    assert [still.closed for still in opened] == [1]
    assert opened[0].trees == [COMMITS[1].sha]


def test_repositories_are_found_under_the_usual_spellings(tmp_path: Path) -> None:
    (tmp_path / "flask").mkdir()
    (tmp_path / "psf+requests").mkdir()
    assert folder_of(tmp_path, "pallets/flask") == tmp_path / "flask"
    assert folder_of(tmp_path, "psf/requests") == tmp_path / "psf+requests"
    assert folder_of(tmp_path, "nobody/nothing") is None


def test_a_line_that_is_no_instance_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Line 1 of"):
        localize(instances(tmp_path, {"repo": "a/b"}), tmp_path, lambda folder: Still(context()))
