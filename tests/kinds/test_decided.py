"""Which decisions a history states, and which of them are still in force."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

import pytest
from kinds.history import SOURCE_AND_TEST, WHY, HistoryWorld, Log, learn
from msgspec.structs import replace

from companion.kinds.history.choices import choices_in
from companion.kinds.history.drafting import origin_of
from companion.kinds.history.episodes import Episodes, today_of
from companion.kinds.history.today import Today
from companion.records import Decision, DecisionStatus, Draft, FileRole, Kind, ParsedFile, Symbol, SymbolKind


@pytest.mark.parametrize(
    ("subject", "body", "about", "choice", "reason"),
    [
        ("Drop support for Python 3.7", WHY, "Python 3.7", "no longer supported", WHY),
        ("Drop support for EOL Python 3.7", "", "Python 3.7", "no longer supported", "It is EOL."),
        ("Deprecate `load_all` in favor of `load_many`", WHY, "load_all", "deprecated in favour of load_many", WHY),
        (
            "Keep cookies between requests",
            "We decided to store them on disk because memory is lost on restart.",
            "Keep cookies between requests",
            "to store them on disk because memory is lost on restart",
            "memory is lost on restart",
        ),
        (
            "Add structured tracing spans",
            "Switch from `log` to `tracing`. It costs nothing when it is off.",
            "log",
            "tracing instead of log",
            "It costs nothing when it is off.",
        ),
    ],
)
def test_a_stated_choice_is_a_decision_in_force(subject: str, body: str, about: str, choice: str, reason: str) -> None:
    log = Log()
    commit = log.commit(subject, body, SOURCE_AND_TEST)
    (draft,) = [d for d in learn(log.commits) if d.kind is Kind.FACT]
    assert isinstance(draft.body, Decision)
    assert (draft.subject, draft.value, draft.body.reason) == (about, choice, reason)
    assert draft.body.status is DecisionStatus.IN_FORCE
    assert draft.evidence[0].ref == commit.sha


def test_a_decision_of_a_commit_of_very_many_files_is_about_those_that_it_names() -> None:
    log = Log()
    many = tuple(f"src/part{number}.py" for number in range(40))
    log.commit("Import the sources", "We decided to keep src/part7.py free of globals because they leak.", many)
    (draft,) = [d for d in learn(log.commits) if d.kind is Kind.FACT]
    assert draft.entities == ("file:src/part7.py",)


@pytest.mark.parametrize(
    "sentence",
    [
        "The old API was deprecated in 2016 and nobody noticed.",
        "This no longer fails.",
        "We should decide on a name.",
        "Switch to a loop.",
        "Remove support code for the old parser.",
        "The 'name' parameter of fields.Method is deprecated in favour of `serialize` and is optional.",
        "Use `eq` instead of == because the linter asks for it.",
        "Use `^site/` instead of `^/site` because grep gets paths without a leading slash.",
        "List of steps:\n\n- Switch from _exit to exitOverride.\n- Name it well everywhere.\n- Show it to readers.",
    ],
)
def test_talk_around_choices_is_no_decision(sentence: str) -> None:
    log = Log()
    log.commit("Fix the pool on restart", f"{WHY} {sentence}", SOURCE_AND_TEST)
    assert [draft for draft in learn(log.commits) if draft.kind is Kind.FACT] == []


def test_the_later_of_two_decisions_on_one_question_stands() -> None:
    log = Log()
    why = "It costs something even when it is off."
    log.commit("Add structured tracing spans", f"Deprecate `old_log`. {why}", SOURCE_AND_TEST)
    later = log.commit(
        "Add spans for every worker", f"Deprecate `old_log` in favour of `Tracer`. {why}", SOURCE_AND_TEST
    )
    (draft,) = [d for d in learn(log.commits) if d.kind is Kind.FACT]
    assert draft.origin == origin_of(later.sha)


def test_what_is_deprecated_is_decided_only_while_it_stands_in_the_code() -> None:
    log = Log()
    log.commit("Deprecate `Pool.take_all`", WHY, SOURCE_AND_TEST)
    log.commit("Deprecate `helpers.total_seconds`", WHY, SOURCE_AND_TEST)
    log.commit("Deprecate `Pool.give_back`", WHY, SOURCE_AND_TEST)
    log.commit("Remove deprecated give_back", WHY, SOURCE_AND_TEST)
    code = ParsedFile(
        path="src/pool.py",
        language="python",
        role=FileRole.SOURCE,
        content_hash="1",
        size_bytes=1,
        lines=1,
        symbols=tuple(
            Symbol(name, f"Pool.{name}", SymbolKind.METHOD, 1, 2, f"def {name}(self)")
            for name in ("take_all", "give_back")
        ),
    )
    drafts = Episodes().learn(HistoryWorld(commits=log.commits, code=(code,), paths=SOURCE_AND_TEST))
    assert in_force(drafts) == ["Pool.take_all"]


def test_a_sentence_about_its_author_is_no_decision() -> None:
    log = Log()
    log.commit("Keep one pool", "I've chosen to keep one pool, because two would fight over sockets.", SOURCE_AND_TEST)
    assert not [draft for draft in learn(log.commits) if draft.kind is Kind.FACT]


def in_force(drafts: Iterable[Draft]) -> list[str]:
    return [d.subject for d in drafts if isinstance(d.body, Decision) and d.body.status is DecisionStatus.IN_FORCE]


def decisions(log: Log) -> list[str]:
    return [draft.levels.full for draft in learn(log.commits) if draft.kind is Kind.FACT]


def test_a_deprecation_that_names_neither_a_reason_nor_another_way_is_no_decision() -> None:
    log = Log()
    log.commit("Deprecate `helpers.total_seconds`", "", SOURCE_AND_TEST)
    drafts = learn(log.commits)
    assert [draft.kind for draft in drafts] == [Kind.EPISODE]


def test_a_deprecation_is_told_with_what_to_use_instead_or_why() -> None:
    log = Log()
    log.commit("Deprecate `load_all`", f"Use `load_many` instead, it reads in blocks. {WHY}", SOURCE_AND_TEST)
    log.commit("Deprecate `Pool.keep`", WHY, SOURCE_AND_TEST)
    instead, why = decisions(log)
    assert instead.startswith("load_all is deprecated in favour of load_many.")
    assert why.startswith("Pool.keep is deprecated. The pool kept closed connections because")


def test_a_platform_given_up_later_is_the_newer_answer_of_the_same_platform() -> None:
    log = Log()
    log.commit("Drop support for Python 3.6 and 3.7", WHY, SOURCE_AND_TEST)
    log.commit("Drop support for PHP 7.4", WHY, SOURCE_AND_TEST)
    log.commit("Drop support for EOL Python 3.8", WHY, SOURCE_AND_TEST)
    drafts = [draft for draft in learn(log.commits) if draft.kind is Kind.FACT]
    assert [draft.levels.compressed for draft in drafts] == [
        "PHP 7.4 is no longer supported.",
        "Python 3.8 is no longer supported.",
    ]


def test_a_decision_says_its_sentence_once() -> None:
    log = Log()
    log.commit("Drop support for EOL Python 3.7", "", SOURCE_AND_TEST)
    log.commit("Drop support for PHP 7 since its parser has no cache", "", SOURCE_AND_TEST)
    assert decisions(log) == [
        "Python 3.7 is no longer supported. It is EOL.",
        "PHP 7 is no longer supported. Drop support for PHP 7 since its parser has no cache.",
    ]


def test_a_deprecation_of_what_stands_nowhere_any_more_earns_no_place() -> None:
    log = Log()
    log.commit("Deprecate `helpers.total_seconds`", "", SOURCE_AND_TEST)
    code = ParsedFile(
        path="src/pool.py", language="python", role=FileRole.SOURCE, content_hash="1", size_bytes=1, lines=1
    )
    assert list(Episodes().learn(HistoryWorld(commits=log.commits, code=(code,), paths=SOURCE_AND_TEST))) == []


def test_a_commit_that_says_nothing_but_a_decision_is_told_as_that_alone() -> None:
    log = Log()
    log.commit("Drop support for EOL Python 3.7", "", SOURCE_AND_TEST)
    told = log.commit("Drop support for PHP 7.4", WHY, SOURCE_AND_TEST)
    drafts = learn(log.commits)
    assert [draft.origin for draft in drafts if draft.kind is Kind.EPISODE] == [origin_of(told.sha)]
    assert len([draft for draft in drafts if draft.kind is Kind.FACT]) == 2


def test_what_was_taken_instead_is_decided_while_any_word_of_it_is_found() -> None:
    why = "Switch from `log` to `tracing` because it costs nothing when it is off."
    (choice,) = choices_in("Add spans", why)
    for names, applies in (("tracing",), True), (("log", "other"), False), ((), True):
        code = tuple(ParsedFile(f"{name}.py", "python", FileRole.SOURCE, "1", 1, 1) for name in names)
        assert Today(frozenset(), {}, lambda code=code: code).applies(choice, ()) is applies


@pytest.mark.parametrize(
    ("subject", "later"),
    [
        ("Deprecate FormRequest in favor of form2request", "Undeprecated the basic FormRequest API (#7671)"),
        ("Deprecate `Pool.keep`", "Un-deprecate `keep`, it has no other way"),
        ("Deprecate `Pool.keep`", "`Pool.keep` is no longer deprecated"),
        ("Deprecate `Pool.keep`", "Rename keep to hold"),
        ("Deprecate `Pool.keep`", "Remove the deprecated `Pool.keep` method"),
        ("Drop support for Python 3.7", "Restore support for Python 3.7"),
        ("Switch from `log` to `tracing` because it is free when off", "Replace tracing with spans"),
        ("Switch from `log` to `tracing` because it is free when off", "Switch back to log"),
        ("Switch from `log` to `tracing` because it is free when off", "Use spans instead of tracing"),
        ("Drop support for Python 3.7", 'Revert "Drop support for Python 3.7" (#12)'),
    ],
)
def test_a_decision_that_a_later_commit_takes_back_is_superseded_and_says_by_what(subject: str, later: str) -> None:
    log = Log()
    made = log.commit(subject, WHY, SOURCE_AND_TEST)
    back = log.commit(later, "", SOURCE_AND_TEST)
    drafts = [draft for draft in learn(log.commits) if draft.origin == origin_of(made.sha)]
    (decision,) = [draft for draft in drafts if isinstance(draft.body, Decision)]
    assert isinstance(decision.body, Decision)
    assert decision.body.status is DecisionStatus.SUPERSEDED
    assert decision.valid_to == back.committed_at
    assert decision.levels.compressed.startswith(f"No longer in force since {back.committed_at:%Y-%m-%d}: ")
    assert decision.evidence[-1].ref == back.sha
    assert {draft.label for draft in drafts} == {"removed" if later.startswith(("Remove", "Rename")) else "reverted"}


@pytest.mark.parametrize(
    ("subject", "later"),
    [
        ("Deprecate FormRequest in favor of form2request", "Remove FormRequest from tests"),
        ("Deprecate FormRequest in favor of form2request", "Silence deprecation warnings in TestFormRequest"),
        ("Deprecate `Pool.keep`", "Restore the deprecation warning of Pool.keep"),
        ("Deprecate `Pool.keep`", "Remove keep tests"),
        ("Deprecate `Pool.keep`", "Replace Pool.keep with Pool.hold in tests"),
        ("Deprecate `Pool.keep`", "Stop using Pool.keep"),
        ("Deprecate `rng`", "Rename `Rng::gen` to `Rng::random`"),
        ("Deprecate `Pool.keep`", "Restore Pool.keep tests"),
        ("Drop support for Python 3.7", "Restore Python 3.7 docs"),
        ("Drop support for Python 3.7", "Restore support for Python 3.14"),
        ("Switch from `log` to `tracing` because it is free when off", "Replace the log format with tracing spans"),
    ],
)
def test_a_later_commit_about_something_else_takes_nothing_back(subject: str, later: str) -> None:
    log = Log()
    log.commit(subject, WHY, SOURCE_AND_TEST)
    log.commit(later, "", SOURCE_AND_TEST)
    assert len(in_force(learn(log.commits))) == 1


def test_a_commit_without_a_reason_is_an_episode_and_told_as_reverted_once_it_is_taken_back() -> None:
    log = Log()
    log.commit("Deprecate FormRequest in favor of form2request", "", SOURCE_AND_TEST)
    (told,) = learn(log.commits)
    assert (told.kind, told.label) == (Kind.EPISODE, "")
    log.commit("Undeprecated the basic FormRequest API (#7671)", "", SOURCE_AND_TEST)
    (told,) = learn(log.commits)
    assert (told.kind, told.label) == (Kind.EPISODE, "reverted")
    assert "Reverted by: Undeprecated the basic FormRequest API" in told.levels.full


def test_a_deprecation_whose_thing_was_removed_later_was_carried_out_and_is_not_told_as_reverted() -> None:
    log = Log()
    log.commit("Deprecate res.sendfile", "", SOURCE_AND_TEST)
    world = HistoryWorld((), old=log.commits, said=learn(log.commits))
    gone = log.commit("Remove res.sendfile", "", SOURCE_AND_TEST)
    told = learn(log.commits)[0]
    assert told.levels.summary.startswith(f"Removed on {gone.committed_at:%Y-%m-%d}: Deprecate res.sendfile")
    assert "Removed by: Remove res.sendfile" in told.levels.full
    assert "reverted" not in f"{told.value} {told.label} {told.levels.full}".lower()
    today = today_of(dataclasses.replace(world, old=log.commits))
    assert [today.outdated(draft) for draft in world.said] == [f"{gone.sha[:9]} removed it: Remove res.sendfile"]


def test_what_was_taught_before_is_told_as_taken_back_by_new_commits_and_held_against_the_code_as_it_is() -> None:
    log = Log()
    for name in ("keep", "take", "bare"):
        log.commit(f"Deprecate `Pool.{name}` in favour of hold", WHY, SOURCE_AND_TEST)
    taught = learn(log.commits)
    assert len(in_force(taught)) == 3
    code = ParsedFile(
        path="src/pool.py",
        language="python",
        role=FileRole.SOURCE,
        content_hash="1",
        size_bytes=1,
        lines=1,
        symbols=tuple(Symbol(name, f"Pool.{name}", SymbolKind.METHOD, 1, 2, "") for name in ("keep", "take")),
    )
    back = log.commit("Undeprecate keep", "", SOURCE_AND_TEST)
    world = HistoryWorld([back], old=log.commits[:-1], said=taught, code=(code,), paths=SOURCE_AND_TEST)
    again = list(Episodes().learn(world))
    assert in_force(again) == ["Pool.take", "Pool.bare"]
    assert {draft.origin for draft in taught} <= set(Episodes().origins(world))
    assert [d.label for d in again if isinstance(d.body, Decision)] == ["reverted", "", ""]
    reasons = [f"{back.sha[:9]} reverted it: Undeprecate keep", "", "Pool.bare is not in the code any more"]
    assert [today_of(world).outdated(draft) for draft in taught if isinstance(draft.body, Decision)] == reasons
    gone = HistoryWorld([back], old=log.commits[:-1], said=taught, code=(replace(code, path="src/other.py"),))
    assert all(map(today_of(gone).outdated, taught))
    untouched = HistoryWorld((), old=log.commits, said=taught)
    assert list(Episodes().learn(untouched)) == [] == list(Episodes().origins(untouched))


def test_a_checkout_that_speaks_for_the_project_is_held_against_what_was_taught_and_no_other() -> None:
    world = HistoryWorld(Log().commits, paths=SOURCE_AND_TEST)
    assert today_of(world) is not None
    for repo in (
        replace(world.repo, branch="try", default_branch="origin/main"),
        replace(world.repo, in_progress="rebase"),
    ):
        assert today_of(dataclasses.replace(world, checked_out=repo)) is None
