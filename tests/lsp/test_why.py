"""Which lines are chosen for a place, which definitions are marked, what is hinted at."""

from __future__ import annotations

from datetime import datetime, timedelta

from engine.generated import generated
from engine.makers import NOW, decision, episode, fact, failure, kept, pattern
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.engine.telling.departures import CONTRADICTION, CONVENTION, HINTS, Disputed, columns, hints
from companion.engine.telling.dossier import FileDossier
from companion.engine.telling.why import LINES, TEXT_CHARACTERS, followed, marks, why
from companion.records import Blamed, Commit, DecisionStatus, Person, Source, Symbol, SymbolKind

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


def test_what_binds_is_told_before_what_only_holds():
    said = fact("note", "Keep this simple", names=[FILE], line=None)
    by_hand = replace(said, draft=replace(said.draft, source=Source.BY_HAND, evidence=()))
    known = dossier(
        naming(failure("boom", fingerprint="e1", fix="a check", names=[FILE]), "Cart.sum"),
        naming(episode("Fix rounding", names=[FILE]), "Cart.sum"),
        naming(decision("Which money?", "cents", names=[FILE]), "Cart.sum"),
        naming(by_hand, "Cart.sum"),
    )
    starts = [text.partition(":")[0] for text in texts(why(known, 6))]
    assert starts == ["Said", "Decided", "Known error"], "what happened is told by the story, from git"


def test_a_line_inside_a_class_but_in_no_method_has_a_history_of_its_own():
    assert followed(dossier(), 6) == ((5, 9), "sum"), "a method is followed as a whole"
    assert followed(dossier(), 12) == ((12, 12), "")
    assert followed(dossier(), 3) == ((3, 20), "Cart"), "the line that begins a class stands for all of it"
    assert followed(dossier(), 2) == ((2, 2), "")


def test_what_concerns_many_definitions_is_told_of_none_of_them():
    names = [f"part_{n}" for n in range(5)]
    symbols = tuple(Symbol(name, name, SymbolKind.FUNCTION, 3 * n + 1, 3 * n + 2, "") for n, name in enumerate(names))

    def told(*named):
        known = FileDossier(FILE, 30, symbols, (naming(decision("Which money?", "cents", names=[FILE]), *named),))
        return [bool(texts(why(known, symbol.line))) for symbol in symbols]

    assert told(*names[:2]) == [True, True, False, False, False]
    assert not any(told(*names))


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
    assert starts == ["Said", "Decided", "In its past", "Known error"]


def test_only_decisions_in_force_are_told():
    assert texts(why(dossier(decision("Which?", "that", names=[FILE])), 0))
    for status in (DecisionStatus.PROPOSED, DecisionStatus.SUPERSEDED):
        assert not texts(why(dossier(decision("Which?", "that", names=[FILE], status=status)), 0))


def test_a_change_that_was_taken_back_is_not_told():
    gone = episode("Try floats", names=[FILE], days_ago=1)
    gone = replace(gone, draft=replace(gone.draft, label="reverted"))
    assert texts(why(dossier(gone, episode("Use cents", names=[FILE], days_ago=9)), 0)) == ["In its past: Use cents"]


def commit(sha, subject, days_ago):
    at = NOW - timedelta(days=days_ago)
    return Commit(sha * 20, (), Person("Ann", "a@x"), at, at, subject, "", ())


def wrote(first, last, sha, subject, days_ago):
    return Blamed(first, last, sha * 20, subject, NOW - timedelta(days=days_ago))


def test_dates_of_changes_are_those_of_commits_and_never_of_what_is_remembered():
    known = dossier(
        naming(episode("Fix sum", names=[FILE], days_ago=2_000), "Cart.sum"), touched=commit("cc", "Tidy", 30)
    )
    origins = (wrote(1, 30, "bb", "Round in sum", 31),)
    when = {mark.symbol: (mark.says, mark.changed_at) for mark in marks(known, origins)}
    assert when == {
        "": ("Tidy", NOW - timedelta(days=30)),
        **dict.fromkeys(("Cart", "Cart.sum", "total"), ("Round in sum", NOW - timedelta(days=31))),
    }
    uncommitted = (wrote(1, 6, "aa", "Write sum", 90), Blamed(7, 7), wrote(8, 30, "aa", "Write sum", 90))
    assert [mark.changed_at for mark in marks(known, uncommitted) if mark.symbol != "total"][1:] == [None, None]
    assert [mark.changed_at for mark in marks(known, None) if mark.symbol] == [None, None]


def test_what_was_read_from_lines_is_as_old_as_they_are():
    known = dossier(fact("x", "is so", path=FILE, line=6))
    assert [line.at for line in why(known, 6, (wrote(1, 30, "bb", "Say so", 31),)).lines] == [NOW - timedelta(days=31)]


def test_a_bare_name_counts_only_beside_the_files_path():
    elsewhere = naming(decision("Which total?", "net", names=["src/other.py"]), "total")
    assert not texts(why(dossier(elsewhere), 25))
    dotted = naming(decision("Which sum?", "net", names=["src/other.py"]), "Cart.sum")
    assert len(texts(why(dossier(dotted), 6))) == 1


def test_a_pattern_is_told_where_it_is_departed_from_and_nowhere_else():
    rule = pattern("new_endpoint", "name routes in the plural", examples=["src/a.py"], exceptions=[FILE])
    assert texts(why(dossier(rule), 7)) == ["Departs from: name routes in the plural (9 places)"]
    assert not texts(why(dossier(rule), 25))
    followed = pattern("new_endpoint", "name routes in the plural", examples=[FILE])
    assert not texts(why(dossier(followed), 4)), "the same stands on all others that follow it"


def test_an_error_says_its_fix_and_whether_that_is_verified():
    known = naming(failure("boom", fingerprint="e1", fix="a check", names=[FILE]), "Cart.sum")
    (text,) = texts(why(dossier(known), 6))
    assert text == "Known error: TypeError: boom; fixed by: a check (not verified)"


def test_every_line_has_a_source():
    told = why(dossier(*(naming(memory, "Cart.sum") for memory in LIBRARY.memories)), 6).lines
    assert told
    assert all(line.source for line in told)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(LIBRARY.memories), max_size=60), st.integers(0, 400))
def test_any_place_gets_few_lines_of_bounded_length_each_said_once(memories, line):
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


def test_when_something_was_learned_is_not_when_it_changed():
    memory = kept(replace(fact("a", "b", path=FILE, line=6).draft, valid_from=None), created_at=datetime(2020, 1, 1))
    assert why(dossier(memory), 6).lines[0].at is None
    said = replace(memory, draft=replace(memory.draft, source=Source.BY_HAND))
    assert why(dossier(said), 6).lines[0].at == datetime(2020, 1, 1), "but it is when somebody said it"
