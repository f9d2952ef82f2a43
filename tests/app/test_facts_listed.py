"""What files of settings declare can be asked, is no memory, and stands in a context that names it."""

from __future__ import annotations

from contextlib import closing

import pytest
from repos import Repo

from app.conftest import Desk
from companion.api import Order
from companion.app.scanning.learning import LISTED_SINCE
from companion.errors import UsageError
from companion.kinds.levels import ladder
from companion.records import Draft, Format, Kind, SearchQuery, Signals

MANIFEST = '[project]\nname = "shop"\ndependencies = [\n"attrs>=23",\n"frobnicate>=4.2"]\n'


def test_a_fact_is_asked_by_words_with_its_place_and_follows_its_file(desk: Desk, shop: Repo):
    shop.write("pyproject.toml", MANIFEST)
    desk.scan(shop.root)
    with closing(desk.open(shop.root)) as companion:
        (told,) = companion.facts("frobnicate")
        assert (told.says, told.place) == ("frobnicate: dependency, >=4.2", "pyproject.toml:5")
        assert {"attrs", "frobnicate"} <= {one.subject for one in companion.facts()}
        assert companion.facts("frobnicate attrs") == ()
    shop.write("pyproject.toml", MANIFEST.replace("frobnicate>=4.2", "frobnicate>=5"))
    desk.scan(shop.root)
    with closing(desk.open(shop.root)) as companion:
        assert [one.value for one in companion.facts("frobnicate")] == ["dependency, >=5"]


def test_a_context_has_a_declared_fact_where_its_task_names_it_and_not_else(desk: Desk, shop: Repo):
    shop.write("pyproject.toml", MANIFEST)
    desk.scan(shop.root)
    with closing(desk.open(shop.root)) as companion:

        def text(signals: Signals) -> str:
            return companion.assemble(4_000, signals, Format.MARKDOWN, Order.PEOPLE, count_use=False).text

        assert "frobnicate: dependency, >=4.2" in text(Signals(query="raise the version of frobnicate"))
        assert "frobnicate: dependency, >=4.2" in text(Signals(current_file="pyproject.toml"))
        for task in ("round the price", "frobnicate the price twice", "bump the price"):
            assert "frobnicate: dependency" not in text(Signals(query=task)), task


def test_a_dependency_is_no_part_of_a_task_that_shares_words_of_its_name_or_meets_its_manifest(desk: Desk, shop: Repo):
    shop.write("pyproject.toml", '[project]\nname = "shop"\ndependencies = ["content-type>=2", "debug>=4"]\n')
    desk.scan(shop.root)
    with closing(desk.open(shop.root)) as companion:

        def listed(task: str) -> list[str]:
            signals = Signals(query=task, edited=("pyproject.toml",))
            context = companion.assemble(4_000, signals, Format.MARKDOWN, Order.PEOPLE, count_use=False)
            items = [one for tier in context.tiers for one in tier.items if one.id.startswith("fact:")]
            return [one.title for one in items]

        for task in ("round the price", "send the Content-Type header", "bump debug-toolbar", "upgrade @types/debug"):
            assert listed(task) == [], task
        assert listed("why is content-type needed here") == ["content-type"]
        assert listed("upgrade Content-Type") == ["content-type"]
        assert listed("upgrade debug.") == ["debug"]


def test_a_search_tells_what_is_declared_now_before_what_commits_said_of_it_and_not_for_an_earlier_moment(
    desk: Desk, shop: Repo
):
    shop.write("pyproject.toml", MANIFEST.replace("dependencies", 'requires-python = ">=3.9"\ndependencies'))
    shop.commit("Require Python 3.9 or newer")
    shop.write("pyproject.toml", MANIFEST.replace("dependencies", 'requires-python = ">=3.12"\ndependencies'))
    shop.commit("Require Python 3.12 or newer")
    desk.scan(shop.root)
    with closing(desk.open(shop.root)) as companion:
        first, *others = companion.search(SearchQuery("required Python"))
        assert (first.sort, first.path, first.memory) == ("declared", "pyproject.toml", None)
        assert "3.12" in first.text
        assert first.id == companion.expand(first.id[:12]).id
        assert {one.commit is not None for one in others[:2]} == {True}
        assert companion.search(SearchQuery("when did we require Python 3.9 or newer"))[0].commit
        assert "3.12" in companion.search(SearchQuery("which version of Python is required"))[0].text
        (wanted, *_) = companion.search(SearchQuery("which version of frobnicate"))
        assert wanted.text == "Dependency: frobnicate, version >=4.2."
        earlier = companion.search(SearchQuery("required Python", as_of=companion.now()))
        assert not any(one.sort == "declared" for one in earlier)
        assert all(one.memory for one in companion.search(SearchQuery("Python", kinds=(Kind.FACT,))))


def test_a_fact_that_a_context_shows_is_expanded_to_its_lines_until_its_file_no_longer_says_it(desk: Desk, shop: Repo):
    shop.write("pyproject.toml", MANIFEST)
    desk.scan(shop.root)
    with closing(desk.open(shop.root)) as companion:
        context = companion.assemble(
            4_000, Signals(query="raise the version of frobnicate"), Format.MARKDOWN, Order.PEOPLE, count_use=False
        )
        (shown,) = [i.id for tier in context.tiers for i in tier.items if "frobnicate: dependency" in i.text]
        told = companion.expand(shown[:14])
        assert told.id == shown
        assert "pyproject.toml:5" in told.text
        assert '"frobnicate>=4.2"' in told.text
    shop.write("pyproject.toml", MANIFEST.replace('"frobnicate>=4.2"', ""))
    desk.scan(shop.root)
    with closing(desk.open(shop.root)) as companion, pytest.raises(UsageError, match="companion facts"):
        companion.expand(shown)


def test_what_was_a_memory_before_it_was_listed_is_retired(desk: Desk, shop: Repo):
    desk.scan(shop.root)
    with closing(desk.open(shop.root)) as companion:
        old = Draft(Kind.WORKFLOW, "", "test", "Makefile", "make test", ladder("test: make test"), "Makefile")
        memories, learner = companion.store.memories, f"{LISTED_SINCE}@{companion.checkout}"
        memories.reconcile(companion.project, learner, ["Makefile"], [old], companion.now())
        assert memories.taught(companion.project, learner)
    shop.write("Makefile", "test:\n\tpytest\n")
    desk.scan(shop.root)
    with closing(desk.open(shop.root)) as companion:
        assert companion.store.memories.taught(companion.project, learner) == ()
        assert [one.value for one in companion.facts("make test") if one.subject == "make test"] == ["pytest"]


def test_of_many_rows_that_say_as_much_a_search_tells_three_and_a_job_of_ci_by_what_it_runs(desk: Desk, shop: Repo):
    scripts = ",\n".join(f'"test:{name}": "jest {name}"' for name in "abcdef")
    shop.write("package.json", f'{{"name": "shop", "scripts": {{{scripts}}}}}')
    jobs = "".join(
        f"  {name}:\n    steps:\n      - run: {run}\n"
        for name, run in (("lint", "npm run lint"), ("unit", "npm run test:a"))
    )
    shop.write(".github/workflows/ci.yml", f"on: [push]\njobs:\n{jobs}")
    desk.scan(shop.root)
    with closing(desk.open(shop.root)) as companion:
        assert [hit.sort for hit in companion.search(SearchQuery("npm run test"))].count("declared") == 3
        (first, *_) = companion.search(SearchQuery("what does CI run for lint?"))
        assert first.text == "ci runs lint: npm run lint"
