"""What is served, cited or left is logged where it happens, with what it was for, and never twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from repos import Repo

from app.conftest import Desk
from companion.api import Order
from companion.app.local import LocalCompanion
from companion.engine.usefulness import PASSED_OVER_AFTER
from companion.records import Context, Event, Format, Happening, Signals, Tier, Touch, Touched
from companion.store.memories.usage import SHOWN_AND_LEFT

CART, PRICE = "shop/cart.py", "shop/price.py"


@pytest.fixture
def companion(desk: Desk, shop: Repo) -> Iterator[LocalCompanion]:
    desk.scan(shop.root)
    opened = desk.open(shop.root)
    yield opened
    opened.close()


def ask(companion: LocalCompanion, path: str = CART, **options: bool) -> Context:
    return companion.assemble(4_000, Signals(current_file=path), Format.MARKDOWN, Order.PEOPLE, **options)


def shown(context: Context) -> set[str]:
    items = (item for tier in context.tiers if tier.tier is not Tier.INDEX for item in tier.items)
    return {item.id for item in items if item.id.startswith("m1")}


def logged(companion: LocalCompanion, what: str) -> Counter[tuple[str, str]]:
    """How often each memory was logged so, with what it was for."""
    with companion.store.database.read() as connection:
        rows = connection.execute("select memory_id, context from usage_log where what = ?", [what]).fetchall()
    return Counter((id_, context) for id_, context in rows)


def touched(path: str, how: Touch = Touch.OPENED) -> list[Touched]:
    return [Touched(path, how)]


def test_what_a_context_shows_is_retrieved_for_the_file_it_was_asked_for(companion: LocalCompanion) -> None:
    context = ask(companion)
    assert shown(context)
    assert logged(companion, "retrieved") == Counter((id_, CART) for id_ in shown(context))


def test_what_is_assembled_without_being_asked_for_counts_for_nothing(companion: LocalCompanion) -> None:
    ask(companion, count_use=False)
    companion.explain(4_000, Signals(current_file=CART), None, leave_one_out=False)
    companion.predict(Signals(current_file=CART))
    assert not logged(companion, "retrieved")


def test_opening_or_pinning_a_memory_cites_it(companion: LocalCompanion) -> None:
    id_ = sorted(shown(ask(companion)))[0]
    companion.expand(id_)
    companion.pin(id_, on=True)
    companion.pin(id_, on=False)
    assert logged(companion, "cited") == Counter({(id_, "expand"): 1, (id_, "pin"): 1})


def test_a_file_that_was_named_and_is_opened_next_cites_what_named_it_once(companion: LocalCompanion) -> None:
    companion.observe(touched(CART))
    ask(companion)
    companion.observe(touched(PRICE))
    cited = logged(companion, "cited")
    assert cited and {context for _, context in cited} == {f"opened next: {PRICE}"}
    companion.observe([*touched(PRICE, Touch.EDITED), *touched(PRICE, Touch.SAVED)])
    ids = Counter(id_ for id_, _ in logged(companion, "cited"))
    assert max(ids.values()) == 1, "one serving is credited once for a file"


def test_what_was_written_down_and_not_judged_when_killed_is_judged_by_the_next_process_once(
    desk: Desk, shop: Repo
) -> None:
    desk.scan(shop.root)
    first = desk.open(shop.root)
    first.observe(touched(CART))
    ask(first)
    first.session().note([Event(0, first.now(), Happening.EDITED, PRICE)])  # and here it was killed
    assert not logged(first, "cited")
    first.close()
    for _ in range(3):
        again = desk.open(shop.root)
        again.observe(touched(CART, Touch.SELECTED))
        cited = logged(again, "cited")
        again.close()
        assert cited and set(cited.values()) == {1}
        assert {context for _, context in cited} == {f"edited next: {PRICE}"}


def test_a_judgement_that_could_not_be_written_is_made_again(
    companion: LocalCompanion, monkeypatch: pytest.MonkeyPatch
) -> None:
    companion.observe(touched(CART))
    ask(companion)

    def fail(*_: object) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr("companion.app.working.session.projects.set_value", fail)
        with pytest.raises(OSError, match="full"):
            companion.observe(touched(PRICE, Touch.EDITED))
        assert not logged(companion, "cited"), "all of it or nothing"
    companion.observe(touched(CART, Touch.SELECTED))
    assert set(logged(companion, "cited").values()) == {1}


def test_what_is_shown_and_left_for_a_working_morning_is_ignored_once(companion: LocalCompanion) -> None:
    others = [f"docs/note_{number}.md" for number in range(PASSED_OVER_AFTER)]
    for other in others:
        (companion.work_folder() / other).write_text("x\n")  # type: ignore[operator]
        companion.observe(touched(CART, Touch.CLOSED))
        ask(companion)
        companion.observe(touched(other))
    left = logged(companion, "ignored")
    assert left
    assert {context for _, context in left} == {SHOWN_AND_LEFT}
    assert set(left.values()) == {1}


def test_what_assembling_records_changes_no_later_answer(companion: LocalCompanion) -> None:
    first = ask(companion).text
    for _ in range(5):
        ask(companion)
    with companion.store.database.write() as connection:  # as a commit of anything would do
        connection.execute("update memories set ignored_count = ignored_count + 50, retrieved_count = 99")
    assert ask(companion).text == first
