"""Which lines are chosen for a place, which definitions are marked, what is hinted at."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from engine.generated import generated
from engine.makers import NOW, decision, episode, fact, failure, kept, pattern
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.engine.telling.departures import CONTRADICTION, CONVENTION, HINTS, Disputed, columns, hints
from companion.engine.telling.dossier import Came, Dossier
from companion.engine.telling.why import LINES, TEXT_CHARACTERS, marks, why
from companion.ports import Owner
from companion.records import Commit, DecisionStatus, Person, Source, Symbol, SymbolKind

FILE = "src/cart.py"
CLASS = Symbol("Cart", "Cart", SymbolKind.CLASS, 3, 20, "class Cart")
METHOD = Symbol("sum", "Cart.sum", SymbolKind.METHOD, 5, 9, "def sum(self)")
OTHER = Symbol("total", "total", SymbolKind.FUNCTION, 22, 30, "def total()")
LIBRARY = generated(120, files=8)


def dossier(*memories, **given_):
    return Dossier(FILE, 30, (CLASS, METHOD, OTHER), tuple(memories), **given_)


def naming(memory, *symbols):
    return replace(
        memory, draft=replace(memory.draft, entities=(*memory.draft.entities, *(f"symbol:{s}" for s in symbols)))
    )


def texts(answer):
    return [line.text for line in answer.lines]


def test_the_innermost_definition_is_meant():
    assert why(dossier(), 6).symbol == "Cart.sum"
    assert why(dossier(), 12).symbol == "Cart"
    outside = why(dossier(), 2)
    assert (outside.symbol, outside.first_line, outside.last_line) == ("", 2, 2)


def test_what_binds_speaks_first_and_the_rest_in_order():
    said = fact("note", "Keep this simple", names=[FILE], line=None)
    by_hand = replace(said, draft=replace(said.draft, source=Source.BY_HAND, evidence=()))
    known = dossier(
        naming(failure("boom", fingerprint="e1", fix="a check", names=[FILE]), "Cart.sum"),
        episode("Fix rounding", names=[FILE]),
        decision("Which money?", "cents", names=[FILE]),
        by_hand,
    )
    starts = [text.partition(":")[0] for text in texts(why(known, 6))]
    assert starts == ["Said", "Decided", "The file changed", "Known error"]


def test_only_decisions_in_force_are_told():
    for status in (DecisionStatus.PROPOSED, DecisionStatus.SUPERSEDED):
        assert not texts(why(dossier(decision("Which?", "that", names=[FILE], status=status)), 6))


def test_a_change_of_the_definition_comes_before_a_newer_one_of_the_file():
    known = dossier(
        episode("Move files", names=[FILE], days_ago=1),
        naming(episode("Fix sum", names=[FILE], days_ago=50), "Cart.sum"),
    )
    assert texts(why(known, 6)) == ["Changed: Fix sum", "The file changed: Move files"]
    assert texts(why(known, 25)) == ["The file changed: Move files"]


def test_a_change_that_was_taken_back_is_not_the_last_that_mattered():
    gone = episode("Try floats", names=[FILE], days_ago=1)
    gone = replace(gone, draft=replace(gone.draft, label="reverted"))
    assert texts(why(dossier(gone, episode("Use cents", names=[FILE], days_ago=9)), 6)) == [
        "The file changed: Use cents"
    ]


def test_without_an_episode_the_newest_commit_is_told_and_without_that_the_owner():
    commit = Commit("ab" * 20, (), Person("Ann", "a@x"), NOW, NOW, "Tidy", "", ())
    owners = (Owner("Ann", "a@x", 0.8, 9),)
    assert texts(why(dossier(touched=commit, owners=owners), 6)) == ["Last commit: Tidy"]
    assert texts(why(dossier(owners=owners), 6)) == ["Mostly written by Ann (80% of what counts)"]


def commit(sha, subject, days_ago):
    at = NOW - timedelta(days=days_ago)
    return Commit(sha * 20, (), Person("Ann", "a@x"), at, at, subject, "", ())


def test_the_lines_of_a_definition_tell_what_changed_it_last():
    old, new = commit("aa", "Write sum", 90), commit("bb", "Write total", 5)
    known = dossier(touched=new, came=(Came(1, 21, old), Came(22, 30, new)))
    assert texts(why(known, 6)) == ["Changed last: Write sum"]
    assert texts(why(known, 25)) == ["Changed last: Write total"]
    assert texts(why(known, 21)) == ["Last commit: Write total"], "outside of any definition the file's speaks"
    assert [mark.changed_at for mark in marks(replace(known, memories=(fact("x", "y", path=FILE, line=6),)))][1:] == [
        old.committed_at,
        old.committed_at,
    ]


def test_the_episode_of_a_commit_that_wrote_its_lines_is_the_definitions_own():
    told = episode("Rework the sums", names=[FILE], days_ago=90)
    sha = told.draft.body.commits[0]
    came = (Came(5, 9, replace(commit("aa", "sums", 90), sha=sha)), Came(22, 30, commit("bb", "Write total", 5)))
    assert texts(why(dossier(told, came=came), 6)) == ["Changed: Rework the sums"]
    assert texts(why(dossier(told, came=came), 25)) == [
        "Changed last: Write total",
        "The file changed: Rework the sums",
    ]


def test_a_bare_name_counts_only_beside_the_files_path():
    elsewhere = naming(episode("Change total of another file", names=["src/other.py"]), "total")
    assert not texts(why(dossier(elsewhere), 25))
    dotted = naming(episode("Change Cart.sum", names=["src/other.py"]), "Cart.sum")
    assert texts(why(dossier(dotted), 6)) == ["Changed: Change Cart.sum"]


def test_a_pattern_is_told_where_it_is_followed_or_departed_from_and_nowhere_else():
    rule = pattern("new_endpoint", "name routes in the plural", examples=["src/a.py"], exceptions=[FILE])
    assert texts(why(dossier(rule), 7)) == ["Departs from: name routes in the plural (9 places)"]
    assert not texts(why(dossier(rule), 25))
    followed = pattern("new_endpoint", "name routes in the plural", examples=[FILE])
    assert texts(why(dossier(followed), 4)) == ["Follows: name routes in the plural (9 places)"]


def test_an_error_says_its_fix_and_whether_that_is_verified():
    (text,) = texts(why(dossier(failure("boom", fingerprint="e1", fix="a check", names=[FILE])), 6))
    assert text == "Known error: TypeError: boom; fixed by: a check (not verified)"


def test_every_line_has_a_source():
    for line in why(dossier(*LIBRARY.memories), 6).lines:
        assert line.source
        assert line.at is not None


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(LIBRARY.memories), max_size=60), st.integers(0, 400))
def test_any_place_gets_at_most_nine_lines_of_bounded_length_each_said_once(memories, line):
    path, forms = next(iter(LIBRARY.codes.items()))
    known = Dossier(path, forms.lines, forms.symbols, tuple({m.id: m for m in memories}.values()))
    answer = why(known, line)
    assert len(answer.lines) <= LINES
    assert len({one.id for one in answer.lines if one.id}) == len([one for one in answer.lines if one.id])
    assert all(len(one.text) <= TEXT_CHARACTERS and "\n" not in one.text for one in answer.lines)
    assert answer == why(replace(known, memories=tuple(reversed(known.memories))), line)


def test_a_class_counts_what_is_known_of_its_methods():
    known = dossier(naming(episode("Fix sum", names=[FILE]), "Cart.sum"), fact("x", "is so", path=FILE, line=15))
    by_symbol = {mark.symbol: mark for mark in marks(known)}
    assert (by_symbol["Cart"].memories, by_symbol["Cart.sum"].memories) == (2, 1)
    assert "total" not in by_symbol
    assert by_symbol[""].kind == "module"


def test_a_file_of_which_nothing_is_known_has_no_mark():
    assert marks(dossier()) == ()


def test_departures_and_contradictions_are_hinted_at_where_they_stand():
    lines = ["import a", "", "class Cart:", "", "    def sum(self):", "        x = 1  ", "        raise E"]
    rule = pattern("raise", "raise ValueError", exceptions=[FILE])
    found = hints(dossier(rule), [Disputed("x1aa", 5, "README says 3.9, the manifest 3.11.")], lines, ())
    assert [(h.first_line, h.first_column, h.last_column, h.code) for h in found] == [
        (5, 9, 12, CONTRADICTION),
        (7, 9, 16, CONVENTION),
    ]
    assert lines[4][8:11] == "sum"


def test_what_a_person_found_of_no_use_is_not_hinted_at_again():
    rule = pattern("raise", "raise ValueError", exceptions=[FILE])
    assert hints(dossier(rule), [], ["x"] * 9, ())
    assert not hints(dossier(rule), [], ["x"] * 9, {rule.id})


def test_a_line_that_the_file_does_not_have_has_no_hint():
    rule = pattern("raise", "raise ValueError", exceptions=[FILE])
    assert not hints(dossier(rule), [Disputed("x1", 9, "no")], ["x"] * 3, ())


def test_hints_of_one_file_are_bounded():
    many = [Disputed(f"x{n}", 1, "no") for n in range(3 * HINTS)]
    assert len(hints(dossier(), many, ["x"], ())) == HINTS


def test_columns_are_of_the_name_or_of_the_line_without_its_margins():
    assert columns("    def sum(self, summed):", METHOD) == (9, 12)
    assert columns("  𝔘 = 1  ", None) == (3, 8)
    assert columns("   ", None) == (1, 1)


def test_an_age_less_memory_is_no_trouble():
    memory = kept(replace(fact("a", "b", path=FILE, line=6).draft, valid_from=None), created_at=datetime(2020, 1, 1))
    assert why(dossier(memory), 6).lines[0].at == datetime(2020, 1, 1)
