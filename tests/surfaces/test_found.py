"""How what a search found is told: plainly where nothing fits."""

from __future__ import annotations

from datetime import datetime
from types import SimpleNamespace

import pytest
from engine.makers import episode
from msgspec.structs import replace

from companion import wire
from companion.api import Expansion
from companion.app.verbs.ask.one_list import memory_hit
from companion.records import Episode, Hit, Reason, SearchHit, Status
from companion.surfaces import documents, fitting, groups
from companion.surfaces.cli import hits
from companion.surfaces.mcp import answers


@pytest.fixture
def hit() -> SearchHit:
    return memory_hit(
        Hit(episode("Fix login loop when the cookie is gone", names=["src/login.py"]), 0.4), datetime(2026, 1, 5)
    )


def test_a_search_that_nothing_fits_says_so_shows_the_few_nearest_and_what_to_do(hit: SearchHit):
    far = replace(hit, fits=False)
    lines = hits.hits([far] * 10).splitlines()
    assert lines[0] == fitting.NOTHING_FITS
    assert sum("Fix login loop" in line for line in lines) == fitting.NEAREST_SHOWN
    assert "`--json`" in lines[-1]
    assert "other words" in hits.hits([far]).splitlines()[-1]
    answer = answers.found([far])
    assert fitting.NOTHING_FITS in answer.text
    assert answer.values is not None
    assert fitting.NOTHING_FITS in str(answer.values["said"])


def test_an_editor_lists_the_few_nearest_under_the_same_sentence(hit: SearchHit, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(groups, "GROUPS", {})
    companion = SimpleNamespace(search=lambda query: (replace(hit, fits=False),) * 10)
    (found,) = groups.of_memory(companion, "cooking", {})
    assert [row.label for row in found.rows] == [fitting.NOTHING_FITS, *["Fix login loop when the cookie is gone"] * 3]


def test_where_something_fits_the_others_are_counted_and_not_listed(hit: SearchHit):
    said = hits.hits([hit, replace(hit, fits=False)])
    assert "Nothing fits" not in said
    assert said.count("Fix login loop") == 1
    assert said.split()[:2] == ["1st", hit.id[:12]], "a rank, and no score"
    assert "1 of the 2 nearest hardly fits" in said
    assert fitting.NOTHING_FITS not in answers.found([hit, replace(hit, fits=False)]).text


def test_a_result_tells_when_it_happened_and_only_what_sets_it_apart(hit: SearchHit):
    reasons = (
        Reason("words", 1.0, 0.6, "says login"),
        Reason("importance", 0.3, 0.1, "importance 1"),
        Reason("use", 0.0, 0.1, "never cited"),
        Reason("recency", 0.1, 0.1, "2209 days old"),
    )
    said = hits.hits([replace(hit, reasons=reasons)])
    assert said.endswith(" - says login")
    body = hit.memory.draft.body
    assert isinstance(body, Episode)
    assert f"[commit {body.occurred_at:%Y-%m-%d}]" in said


def test_code_is_told_by_its_title_a_document_without_its_rules_and_a_commit_by_one_id():
    found = [
        SearchHit("chunk", "file:a.js", "go(url)", "go(url) {\n  var a = url;\n}", 1.0, path="a.js", spans=((3, 5),)),
        SearchHit("document", "file:b.md", "4.9 / 2014", "4.9 / 2014\n=======\n\n  * Fix go", 1.0, path="b.md"),
        SearchHit("commit", "6f0302fb78f636da", "Fix go", "Fix go", 1.0, commit="6f0302fb78f636da"),
    ]
    said = hits.hits(found).splitlines()
    assert said[:2] == [" 1st  file:a.js  [chunk] go(url)", "      a.js:3-5"]
    assert said[2] == " 2nd  file:b.md  [document] 4.9 / 2014 Fix go"
    assert said[4:] == [" 3rd  6f0302fb78f6  [commit] Fix go"]


def test_what_is_behind_an_id_is_told_in_words_and_its_title_once(hit: SearchHit):
    memory = hit.memory
    title = "Fix login loop when the cookie is gone"
    text = f"{title}\n\nFiles: src/login.py"
    said = documents.expansion(Expansion(memory.id, title, text, memory))
    assert said.count(title) == 1
    assert "Kind: commit, read from the repository" in said
    assert memory.draft.source not in said.split("Kind:")[1].splitlines()[0].split()


def test_what_is_archived_says_why_by_what_and_until_when(hit: SearchHit):
    draft = replace(hit.memory.draft, valid_to=datetime(2026, 3, 4))
    gone = replace(
        hit.memory, draft=draft, status=Status.ARCHIVED, archived_reason="holds no longer: its files are gone"
    )
    said = documents.expansion(Expansion(gone.id, "Fix it", "Fix it", gone))
    assert said.endswith("\nArchived: holds no longer: its files are gone; valid until 2026-03-04")
    heir = replace(gone, archived_reason="superseded", superseded_by="m1" + "a" * 30, draft=hit.memory.draft)
    assert "(archived: superseded by m1aaaaaaaaaa)" in hits.hits([replace(hit, memory=heir)])


def test_what_an_older_daemon_found_is_taken_to_fit(hit: SearchHit):
    said = wire.encode(hit)
    assert isinstance(said, dict)
    old = wire.decode(SearchHit, {name: value for name, value in said.items() if name != "fits"})
    assert "Nothing fits" not in hits.hits([old])
