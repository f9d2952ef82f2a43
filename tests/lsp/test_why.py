"""Which lines are chosen for a place, which definitions are marked, what is hinted at."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from engine.generated import generated
from engine.makers import NOW, decision, episode, fact, failure, kept, pattern
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.engine.telling.departures import CONTRADICTION, CONVENTION, HINTS, Disputed, columns, hints
from companion.engine.telling.dossier import FileDossier
from companion.engine.telling.why import LINES, TEXT_CHARACTERS, marks, why
from companion.records import ASKING, UNCOMMITTED, Blamed, Commit, DecisionStatus, Person, Source, Symbol, SymbolKind

FILE = "src/cart.py"
CLASS = Symbol("Cart", "Cart", SymbolKind.CLASS, 3, 20, "class Cart")
METHOD = Symbol("sum", "Cart.sum", SymbolKind.METHOD, 5, 9, "def sum(self)")
OTHER = Symbol("total", "total", SymbolKind.FUNCTION, 22, 30, "def total()")
LIBRARY = generated(120, files=8)


def dossier(*memories, **given_):
    return FileDossier(FILE, 30, (CLASS, METHOD, OTHER), tuple(memories), **given_)


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


def test_the_commit_of_the_line_speaks_first_then_what_binds_and_the_rest_in_order():
    said = fact("note", "Keep this simple", names=[FILE], line=None)
    by_hand = replace(said, draft=replace(said.draft, source=Source.BY_HAND, evidence=()))
    known = dossier(
        naming(failure("boom", fingerprint="e1", fix="a check", names=[FILE]), "Cart.sum"),
        naming(episode("Fix rounding", names=[FILE]), "Cart.sum"),
        naming(decision("Which money?", "cents", names=[FILE]), "Cart.sum"),
        naming(by_hand, "Cart.sum"),
    )
    starts = [text.partition(":")[0] for text in texts(why(known, 6, (wrote(5, 9, "aa", "Write sum", 5),)))]
    assert starts == ["This line", "Said", "Decided", "In its past", "Known error"]


def test_what_is_true_of_the_whole_file_is_told_of_the_file_alone():
    said = fact("note", "Keep this simple", names=[FILE], line=None)
    by_hand = replace(said, draft=replace(said.draft, source=Source.BY_HAND, evidence=()))
    known = dossier(
        by_hand,
        failure("boom", fingerprint="e1", names=[FILE]),
        decision("Which money?", "cents", names=[FILE]),
        episode("Move files", names=[FILE], days_ago=1),
        touched=commit("aa", "Tidy", 0),
    )
    assert not texts(why(known, 6))
    assert not texts(why(known, 2))
    starts = [text.partition(":")[0] for text in texts(why(known, 0))]
    assert starts == ["The file changed last", "Said", "Decided", "In its past", "Known error"]


def test_only_decisions_in_force_are_told():
    assert texts(why(dossier(decision("Which?", "that", names=[FILE])), 0))
    for status in (DecisionStatus.PROPOSED, DecisionStatus.SUPERSEDED):
        assert not texts(why(dossier(decision("Which?", "that", names=[FILE], status=status)), 0))


def test_a_change_that_was_taken_back_is_not_told():
    gone = naming(episode("Try floats", names=[FILE], days_ago=1), "Cart.sum")
    gone = replace(gone, draft=replace(gone.draft, label="reverted"))
    kept_ = naming(episode("Use cents", names=[FILE], days_ago=9), "Cart.sum")
    assert texts(why(dossier(gone, kept_), 6)) == ["In its past: Use cents"]


def commit(sha, subject, days_ago):
    at = NOW - timedelta(days=days_ago)
    return Commit(sha * 20, (), Person("Ann", "a@x"), at, at, subject, "", ())


def wrote(first, last, sha, subject, days_ago):
    return Blamed(first, last, sha * 20, subject, NOW - timedelta(days=days_ago))


def test_two_lines_of_one_definition_name_the_commit_of_each():
    origins = (wrote(1, 6, "aa", "Write sum", 90), wrote(7, 21, "bb", "Round in sum", 5))
    assert texts(why(dossier(), 6, origins)) == ["This line: Write sum", "Changed last: Round in sum"]
    assert texts(why(dossier(), 7, origins)) == ["This line: Round in sum"]
    line = why(dossier(), 6, origins).lines[0]
    assert (line.source, line.at, line.about) == (f"commit {'aa' * 5}", NOW - timedelta(days=90), "line")
    assert texts(why(dossier(), 2, origins)) == ["This line: Write sum"], "outside of any definition"
    assert not texts(why(dossier(), 25, origins)), "git said nothing of it"


def test_an_uncommitted_line_says_so_and_its_definition_has_no_date_of_a_last_change():
    origins = (wrote(1, 6, "aa", "Write sum", 90), Blamed(7, 7), wrote(8, 30, "aa", "Write sum", 90))
    known = dossier(naming(episode("Fix sum", names=[FILE]), "Cart.sum"))
    assert why(known, 7, origins).lines[0] == UNCOMMITTED
    assert texts(why(known, 7, origins))[1:] == ["In its past: Fix sum"]
    assert [mark.changed_at for mark in marks(known, origins) if mark.symbol] == [None, None]


def test_while_git_is_asked_the_answer_says_so_and_tells_what_it_knows():
    known = dossier(naming(episode("Fix sum", names=[FILE]), "Cart.sum"))
    assert why(known, 6, None).lines[0] == ASKING
    assert texts(why(known, 6, None))[1:] == ["In its past: Fix sum"]
    assert [mark.changed_at for mark in marks(known, None) if mark.symbol] == [None, None]


def test_dates_of_changes_are_those_of_commits_and_never_of_what_is_remembered():
    known = dossier(
        naming(episode("Fix sum", names=[FILE], days_ago=2_000), "Cart.sum"), touched=commit("cc", "Tidy", 30)
    )
    origins = (wrote(1, 30, "bb", "Round in sum", 31),)
    when = {mark.symbol: mark.changed_at for mark in marks(known, origins)}
    assert when == {
        "": NOW - timedelta(days=30),
        "Cart": NOW - timedelta(days=31),
        "Cart.sum": NOW - timedelta(days=31),
    }
    told = why(known, 0).lines[0]
    assert (told.text, told.at) == ("The file changed last: Tidy", NOW - timedelta(days=30))
    assert not any("hanged" in line.text for line in why(known, 6, origins).lines if line.id)


def test_what_is_remembered_of_the_lines_commit_stands_behind_it_and_is_told_once():
    told = naming(episode("Rework the sums", names=[FILE], days_ago=90), "Cart.sum")
    sha = told.draft.body.commits[0]
    origins = (Blamed(5, 9, sha, "sums", NOW), wrote(22, 30, "bb", "Write total", 5))
    assert [(line.text, line.id) for line in why(dossier(told), 6, origins).lines] == [("This line: sums", told.id)]
    assert texts(why(dossier(told), 25, origins)) == ["This line: Write total"]
    both = replace(told, draft=replace(told.draft, body=replace(told.draft.body, commits=(sha, "cc" * 20))))
    told_twice = why(dossier(both), 6, (Blamed(5, 6, sha, "sums", NOW), wrote(7, 9, "cc", "sums again", -1))).lines
    assert [(line.text, line.id) for line in told_twice] == [
        ("This line: sums", told.id),
        ("Changed last: sums again", ""),
    ]


def test_a_bare_name_counts_only_beside_the_files_path():
    elsewhere = naming(episode("Change total of another file", names=["src/other.py"]), "total")
    assert not texts(why(dossier(elsewhere), 25))
    dotted = naming(episode("Change Cart.sum", names=["src/other.py"]), "Cart.sum")
    assert texts(why(dossier(dotted), 6)) == ["In its past: Change Cart.sum"]


def test_a_pattern_is_told_where_it_is_followed_or_departed_from_and_nowhere_else():
    rule = pattern("new_endpoint", "name routes in the plural", examples=["src/a.py"], exceptions=[FILE])
    assert texts(why(dossier(rule), 7)) == ["Departs from: name routes in the plural (9 places)"]
    assert not texts(why(dossier(rule), 25))
    followed = pattern("new_endpoint", "name routes in the plural", examples=[FILE])
    assert texts(why(dossier(followed), 4)) == ["Follows: name routes in the plural (9 places)"]


def test_an_error_says_its_fix_and_whether_that_is_verified():
    known = naming(failure("boom", fingerprint="e1", fix="a check", names=[FILE]), "Cart.sum")
    (text,) = texts(why(dossier(known), 6))
    assert text == "Known error: TypeError: boom; fixed by: a check (not verified)"


def test_every_line_has_a_source():
    told = why(dossier(*(naming(memory, "Cart.sum") for memory in LIBRARY.memories)), 6).lines
    assert told
    for line in told:
        assert line.source
        assert line.at is not None


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(LIBRARY.memories), max_size=60), st.integers(0, 400))
def test_any_place_gets_at_most_nine_lines_of_bounded_length_each_said_once(memories, line):
    path, forms = next(iter(LIBRARY.codes.items()))
    known = FileDossier(path, forms.lines, forms.symbols, tuple({m.id: m for m in memories}.values()))
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
