"""What was decided, asked or found blocked in a conversation stands in the context of the file that it names.

What was noted of somebody stands in the context while they are here.
"""

from __future__ import annotations

import pytest

from app.reviewed import closed
from companion.api import Note, Order
from companion.app.local import LocalCompanion
from companion.records import Format, Signals, Tier

PRICE = "shop/price.py"


@pytest.fixture
def heard(desk, shop):
    """A companion that reads conversations by the product's own rules."""
    desk.scan(shop.root)
    opened = desk.open(shop.root)
    yield opened
    opened.close()


def critical(companion: LocalCompanion, file: str = PRICE) -> dict[str, list[str]]:
    context = companion.assemble(8_000, Signals(current_file=file), Format.MARKDOWN, Order.PEOPLE)
    found: dict[str, list[str]] = {}
    for tier in context.tiers:
        for item in tier.items if tier.tier is Tier.CRITICAL else ():
            found.setdefault(item.section, []).append(item.text)
    return found


def test_a_decision_about_a_file_is_suggested_for_the_act_of_its_project_and_critical_there(heard):
    preview = closed(heard, f"We decided to keep {PRICE} free of imports.")
    found = preview.extraction.suggestion
    assert found is not None
    assert (found.act, found.pointing) == (heard.acts()[1].id, 1)
    assert PRICE in found.reason
    heard.redirect_review(found.act)
    heard.confirm_review()
    assert any("free of imports" in text for text in critical(heard)["Decisions"])


def test_an_open_blocker_is_critical_for_the_file_that_it_names_until_it_is_settled(heard):
    closed(heard, f"We're blocked on {PRICE}: the tax table is missing.")
    assert "Blockers" not in critical(heard)
    (blocker,) = heard.confirm_review().items
    assert any("tax table is missing" in text for text in critical(heard)["Blockers"])
    assert "Blockers" not in critical(heard, "shop/cart.py")
    assert heard.expand(blocker.id).text
    heard.settle_thread(blocker.id)
    assert "Blockers" not in critical(heard)


@pytest.mark.parametrize("note", ["Ann prefers small pull requests.", "Ann likes to be asked before a release."])
def test_what_is_noted_of_a_person_is_relevant_while_they_are_here(heard, note):
    heard.remember(Note(note))
    here = Signals(current_file=PRICE, collaborators=("Ann",))
    context = heard.assemble(8_000, here, Format.MARKDOWN, Order.PEOPLE)
    shown = [item.text for tier in context.tiers for item in tier.items if item.section == "Collaborators"]
    assert note in shown


def test_what_the_last_conversation_of_the_project_came_to_stands_in_the_background_once_it_is_kept(heard):
    def last() -> list[str]:
        context = heard.assemble(8_000, Signals(current_file="shop/cart.py"), Format.MARKDOWN, Order.PEOPLE)
        return [item.text for tier in context.tiers for item in tier.items if item.section == "Last conversation"]

    closed(heard, "We decided to round prices half up.")
    assert last() == []
    heard.confirm_review()
    (told,) = last()
    assert "round prices half up" in told
    assert heard.assemble(8_000, Signals(query="rename the cart"), Format.MARKDOWN, Order.PEOPLE).text.count(told) == 1
