"""A commit's message as passages."""

from __future__ import annotations

from datetime import datetime

from companion.evidence.commits import cut_commit
from companion.records import Commit, PassageKind, Person

SOMEBODY = Person("Ada", "ada@example.org")
THEN = datetime(2026, 1, 5, 9)


def commit(subject: str, body: str = "") -> Commit:
    return Commit("a" * 40, (), SOMEBODY, THEN, THEN, subject, body, ())


def test_a_message_is_one_passage_of_its_commit_without_signatures_and_tools_trailers():
    body = "Because of that.\n\nFixes: #12\nSigned-off-by: Ada <ada@example.org>\nChange-Id: I1234\n"
    (found,) = cut_commit(commit("Do this", body))
    assert found.text == "Do this\n\nBecause of that.\n\nFixes: #12"
    assert (found.kind, found.title, found.ref, found.at) == (PassageKind.COMMIT, "Do this", "a" * 40, THEN)
    assert (found.path, found.span) == ("", None)


def test_what_looks_like_a_trailer_within_the_body_stays():
    (found,) = cut_commit(commit("Do this", "Read-only: never written.\n\nThe end."))
    assert "Read-only: never written." in found.text


def test_a_very_long_body_is_given_in_parts_of_one_commit_and_nothing_is_lost():
    body = "\n\n".join(f"Paragraph {number} " + "tells much. " * 20 for number in range(60))
    found = cut_commit(commit("Do this", body))
    assert len(found) > 3
    assert {p.ref for p in found} == {"a" * 40}
    assert " ".join(" ".join(p.text for p in found).split()) == " ".join(f"Do this {body}".split())


def test_a_message_without_end_is_bounded():
    found = cut_commit(commit("Do this", "x" * 1_000_000))
    assert len(found) <= 16
    assert max(len(p.text) for p in found) <= 4_000


def test_a_commit_that_says_nothing_has_no_passage():
    assert cut_commit(commit("")) == ()
