"""Where a talk's leavings go and what of a long text is handed on, at the edge of each rule."""

from __future__ import annotations

import pytest
from fakes import WordCounter

from companion.language.names import Names
from companion.records.talk import Act, Item, ItemType
from companion.talk.past.handing import cut
from companion.talk.past.sampling import spread
from companion.talk.routing import suggestion

LEDGER, MAILER = Act("a1", "Ledger rewrite"), Act("a2", "Mailer")
STORY = Act("a0", "Your Story", permanent=True)


def said(*texts: str) -> list[Item]:
    return [Item(f"i{at}", ItemType.DECISION, text, at) for at, text in enumerate(texts)]


def test_items_that_name_an_act_point_to_it_and_the_more_the_surer():
    three = suggestion(
        said("The ledger rewrite uses cents.", "Start the ledger rewrite.", "Ship the ledger rewrite."),
        [],
        [LEDGER, MAILER],
    )
    mixed = suggestion(
        said("The ledger rewrite uses cents.", "Start the ledger rewrite.", "Ship the ledger rewrite.", "Tea at four."),
        [],
        [LEDGER, MAILER],
    )
    assert three is not None and mixed is not None
    assert (three.act, three.pointing) == (mixed.act, mixed.pointing) == ("a1", 3)
    assert three.confidence > mixed.confidence
    assert "they mention Ledger rewrite" in three.reason


def test_people_are_not_counted_among_the_items_that_point_nowhere():
    items = said("The ledger rewrite uses cents.", "Start the ledger rewrite.", "Ship the ledger rewrite.")
    person = Item("p1", ItemType.PERSON, "Ana", 1)
    assert suggestion([*items, person], [], [LEDGER]) == suggestion(items, [], [LEDGER])


def test_an_act_that_is_named_itself_is_surer_and_says_so():
    items = said("The ledger rewrite uses cents.", "Start the ledger rewrite.", "Ship the ledger rewrite.")
    named = Item("n1", ItemType.ACT, "ledger", 1, details={"act": "a1"})
    found, plain = suggestion([*items, named], [], [LEDGER]), suggestion(items, [], [LEDGER])
    assert found is not None and plain is not None
    assert found.confidence > plain.confidence and "it is named" in found.reason


def test_items_of_two_acts_and_those_of_none_go_to_the_story():
    two = said("The ledger rewrite uses cents.", "Start the ledger rewrite.", "Ask the mailer.", "Restart the mailer.")
    assert suggestion(two, [], [LEDGER, MAILER, STORY]) is None
    assert suggestion(said("Tea at four."), [], [LEDGER, MAILER, STORY]) is None
    assert suggestion(said("Your story, your story."), [], [STORY]) is None


def test_an_item_follows_the_open_item_of_the_same_thing():
    item = Item("i1", ItemType.DECISION, "Cents it is.", 1, entities=("table:invoices",))
    others = [Item(f"i{at}", ItemType.DECISION, "Cents.", at, entities=("table:invoices",)) for at in (2, 3)]
    open_item = Item("o1", ItemType.TASK, "Migrate", 1, entities=("table:invoices",), act="a1")
    found = suggestion([item, *others], [open_item], [LEDGER])
    assert found is not None and found.act == "a1" and "invoices" in found.reason


SHOP = Act("a3", "shop", project="p1")


def named(*keys: str) -> list[Item]:
    return [Item(f"i{at}", ItemType.DECISION, "So it is.", at, entities=(key,)) for at, key in enumerate(keys)]


def test_what_names_files_points_to_the_act_of_the_project_that_has_them_and_to_no_other():
    known = Names(files={"a.py"}, project="p1")
    found = suggestion(named("file:a.py"), [], [LEDGER, SHOP], known)
    assert found is not None and (found.act, found.reason) == ("a3", "1 of its items point to shop: they mention a.py")
    assert suggestion(named("file:b.py"), [], [SHOP], known) is None
    assert suggestion(named("file:a.py"), [], [Act("a4", "other", project="p2")], known) is None


def test_one_name_of_code_may_be_a_word_of_english_and_two_that_are_written_as_code_are_none():
    known = Names(symbols={"add", "TokenStore.rotate"}, project="p1")
    assert suggestion(named("symbol:TokenStore.rotate"), [], [SHOP], known) is None
    assert suggestion(named("symbol:add", "symbol:add"), [], [SHOP], known) is None
    assert suggestion(named("symbol:TokenStore.rotate", "symbol:TokenStore.rotate"), [], [SHOP], known) is not None


@pytest.mark.parametrize("most", [1, 2, 3, 5, 8])
def test_what_is_cut_fits_and_is_the_beginning(most: int):
    text = "one two three four five six"
    short = cut(text, most, WordCounter())
    assert WordCounter().count(short) <= most
    assert short == text if most >= 6 else text.startswith(short.removesuffix(" […]"))


def test_nothing_fits_into_no_tokens_and_one_token_may_hold_one_word():
    assert cut("one two", 0, WordCounter()) == ""
    assert cut("one", 1, WordCounter()) == "one"


def test_any_beginning_of_what_is_spread_lies_over_all_of_it():
    assert sorted(spread(range(9))) == list(range(9))
    assert spread(range(3))[0] == 1 and spread(range(9))[0] == 4
    first, second, third = spread(range(9))[:3]
    assert second < first < third
    assert list(spread(range(2))) == [0, 1]
