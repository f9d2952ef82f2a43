"""Whatever id a context shows can be opened, and what cannot be told of a file is said with what to do."""

from __future__ import annotations

import pytest

from companion.api import Note, Order
from companion.app.verbs.ask.contexts import BODY_CHARACTERS
from companion.errors import UsageError
from companion.records import Format, Signals, told_at


@pytest.fixture
def companion(desk, shop):
    desk.scan(shop.root)
    opened = desk.open(shop.root)
    yield opened
    opened.close()


def test_every_item_of_a_context_opens_by_its_id(companion):
    context = companion.assemble(8_000, Signals(current_file="shop/price.py"), Format.JSON, Order.PEOPLE)
    shown = {item.id for tier in context.tiers for item in tier.items}
    assert "history:shop/price.py" in shown
    assert any(id_.startswith("topic:") for id_ in shown)
    for id_ in shown:
        assert companion.expand(id_).text, id_


def test_a_topic_opens_as_a_list_of_what_is_remembered_of_it_and_one_of_nothing_is_refused(companion):
    context = companion.assemble(8_000, Signals(current_file="shop/price.py"), Format.JSON, Order.PEOPLE)
    topics = [item for tier in context.tiers for item in tier.items if item.id.startswith("topic:")]
    assert topics
    for topic in topics:
        listed = companion.expand(topic.id).text.splitlines()
        ids = [line.rpartition("(")[2].rstrip(")") for line in listed]
        assert topic.text.endswith(f"({len(ids)})")
        assert all(companion.expand(id_).memory for id_ in ids)
    with pytest.raises(UsageError, match="zeppelins"):
        companion.expand("topic:zeppelins")


def test_the_past_of_a_file_names_who_worked_on_it_and_what_happened_there_newest_first(companion):
    told = companion.expand("history:shop/price.py").text
    assert "commits)" in told
    assert told.index("step 3") < told.index("step 1")


def test_the_past_of_a_file_names_its_last_commits(companion, shop):
    told = companion.expand("history:shop/price.py").text
    assert f"Fix rounding of prices, step 3 (commit {shop.git('rev-parse', 'HEAD')[:10]})" in told


def test_a_merge_is_opened_with_what_it_changed_against_its_first_parent(companion, shop):
    shop.git("checkout", "-q", "-b", "round")
    shop.write("shop/round.py", "def rounded(amount):\n    return round(amount, 2)\n")
    shop.commit("Round")
    shop.git("checkout", "-q", "-")
    shop.write("shop/other.py", "OTHER = 1\n")
    shop.commit("Something else")
    shop.git("merge", "-q", "--no-ff", "-m", "Merge branch 'round'", "round")
    companion.refresh(None)
    assert companion.expand(shop.git("rev-parse", "HEAD")[:10]).text.endswith("Changed:\nshop/round.py")


def test_a_note_of_an_assistant_is_told_by_the_same_name_wherever_it_stands(companion):
    note = companion.remember(Note("Prices are rounded once, at the very end", pinned=True, assistant="claude"))
    context = companion.assemble(8_000, Signals(current_file="shop/price.py"), Format.JSON, Order.PEOPLE)
    (item,) = [item for tier in context.tiers for item in tier.items if item.id == note.id]
    assert tuple(one.label() for one in item.evidence) == told_at(note.draft) == ("assistant claude",)


def test_the_past_of_a_file_that_is_not_there_is_refused_with_the_nearest_name(companion):
    with pytest.raises(UsageError, match=r"shop/prize\.py"):
        companion.expand("history:shop/prize.py")


def test_a_file_of_a_submodule_is_said_to_belong_to_a_repository_of_its_own(desk, shop, new_repo):
    inner = new_repo("inner")
    inner.write("lib.py", "def lib():\n    return 1\n")
    inner.commit("Begin")
    shop.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.root), "libs/inner")
    shop.commit("Add the library")
    desk.scan(shop.root)
    companion = desk.open(shop.root)
    try:
        companion.assemble(1_000, Signals(current_file="libs/inner/lib.py"), Format.MARKDOWN, Order.PEOPLE)
        (said,) = [one for one in companion.notices() if "libs/inner/lib.py" in one]
    finally:
        companion.close()
    assert "submodule libs/inner" in said
    assert "ask there" in said


def test_a_commit_is_opened_with_what_it_says_and_the_files_that_it_changed(companion, shop):
    told = companion.expand(shop.git("rev-parse", "HEAD")[:10])
    assert told.title == "Fix rounding of prices, step 3"
    assert told.text.startswith("The total was off by a cent because floats lose digits")
    assert told.text.endswith("Changed:\nshop/cart.py\nshop/price.py")


def test_a_long_file_is_shown_in_parts_and_each_says_how_to_go_on(desk, new_repo):
    repo = new_repo("long")
    repo.write("long.py", "".join(f"value_{number} = 'the value with number {number}'\n" for number in range(1_000)))
    repo.write("docs/guide.md", "# Guide\n\nThe values are listed in `long.py`.\n")
    repo.commit("Begin")
    desk.scan(repo.root)
    companion = desk.open(repo.root)
    try:
        id_, shown = "file:long.py", []
        while id_:
            text, _, then = companion.expand(id_).text.partition("\n\n(line ")
            assert len(text) <= BODY_CHARACTERS
            shown += text.splitlines()
            id_ = then.partition("companion expand ")[2].partition("`")[0]
        assert shown == [f"value_{number} = 'the value with number {number}'" for number in range(1_000)]
        forecast = companion.predict(Signals(query="the values of the guide"))
    finally:
        companion.close()
    sure = [one.probability for one in forecast.files]
    assert sure == sorted(sure, reverse=True)
