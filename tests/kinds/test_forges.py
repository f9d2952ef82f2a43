"""Every forge shows commits, requests and issues at addresses of its own; of an unknown one none is guessed."""

from __future__ import annotations

from datetime import datetime

import pytest

from companion.kinds.history.forges import links_of
from companion.records import Commit, Person
from companion.signals.git.checkout import normalised_remote

AT = datetime(2024, 5, 1)
SHA = "ab" * 20


def commit(subject: str = "Fix it", body: str = "", request: str = "") -> Commit:
    return Commit(SHA, (), Person("Ann", "a@x"), AT, AT, subject, body, (), pull_request=request)


@pytest.mark.parametrize(
    ("address", "made", "request_", "issue"),
    [
        (
            "git@github.com:Shop/Cart.git",
            f"https://github.com/shop/cart/commit/{SHA}",
            "https://github.com/shop/cart/pull/12",
            "https://github.com/shop/cart/issues/9",
        ),
        (
            "https://gitlab.example.org/group/sub/cart.git",
            f"https://gitlab.example.org/group/sub/cart/-/commit/{SHA}",
            "https://gitlab.example.org/group/sub/cart/-/merge_requests/12",
            "https://gitlab.example.org/group/sub/cart/-/issues/9",
        ),
        (
            "https://user@bitbucket.org/shop/cart.git",
            f"https://bitbucket.org/shop/cart/commits/{SHA}",
            "https://bitbucket.org/shop/cart/pull-requests/12",
            "https://bitbucket.org/shop/cart/issues/9",
        ),
        (
            "https://codeberg.org/shop/cart",
            f"https://codeberg.org/shop/cart/commit/{SHA}",
            "https://codeberg.org/shop/cart/pulls/12",
            "https://codeberg.org/shop/cart/issues/9",
        ),
        (
            "ssh://git@gitea.example.org:2222/shop/cart.git",
            f"https://gitea.example.org/shop/cart/commit/{SHA}",
            "https://gitea.example.org/shop/cart/pulls/12",
            "https://gitea.example.org/shop/cart/issues/9",
        ),
        *(
            (
                address,
                f"https://dev.azure.com/firm/shop/_git/cart/commit/{SHA}",
                "https://dev.azure.com/firm/shop/_git/cart/pullrequest/12",
                "https://dev.azure.com/firm/shop/_workitems/edit/9",
            )
            for address in (
                "https://firm@dev.azure.com/firm/shop/_git/cart",
                "git@ssh.dev.azure.com:v3/firm/shop/cart",
                "https://firm.visualstudio.com/DefaultCollection/shop/_git/cart",
            )
        ),
    ],
)
def test_what_stands_behind_a_commit_is_linked_where_its_forge_shows_it(
    address: str, made: str, request_: str, issue: str
) -> None:
    links = links_of(normalised_remote(address), commit(body="See #9.", request="12"))
    assert [(one.sort, one.url) for one in links] == [("pull request", request_), ("issue", issue), ("commit", made)]


@pytest.mark.parametrize("remote", ["", "git.example.org/shop/cart", "github.com", "dev.azure.com/firm"])
def test_of_an_unknown_forge_a_commit_is_known_by_its_id_and_a_number_by_itself(remote: str) -> None:
    links = links_of(remote, commit(body="See #9.", request="12"))
    assert [(one.name, one.url) for one in links][-1] == (SHA[:10], "") or remote == "github.com"
    assert not any(one.url for one in links)


def test_what_the_commits_of_a_squashed_request_name_is_no_issue_here_for_they_may_be_of_a_fork() -> None:
    body = "Resolves #9.\n\n* Feat #6: Add a flag\n\n* Fix #45: Typos\n\n* Strict mode (#2323)"
    squashed = commit("Add a strict mode (#12)", body, request="12")
    assert [one.name for one in links_of("github.com/a/b", squashed)] == ["#12", "#9", SHA[:10]]
    by_hand = commit("Add a strict mode", "Two faults:\n\n* it took NaN, see #6\n* it took tabs, see #45")
    assert [one.name for one in links_of("github.com/a/b", by_hand)] == ["#6", "#45", SHA[:10]]


def test_a_commit_that_names_no_request_has_that_of_the_merge_that_brought_it() -> None:
    merge = commit("Merge pull request #7 from ann/topic", request="7")
    assert [one.name for one in links_of("github.com/a/b", commit(), merge)] == ["#7", SHA[:10]]
    assert [one.name for one in links_of("github.com/a/b", commit(request="3"), merge)] == ["#3", SHA[:10]]


@pytest.mark.parametrize(
    ("remote", "page"),
    [
        ("github.com/shop/cart", "https://github.com/shop/cart/releases/tag/cart%402.1"),
        ("gitlab.example.org/shop/cart", "https://gitlab.example.org/shop/cart/-/tags/cart%402.1"),
        ("bitbucket.org/shop/cart", "https://bitbucket.org/shop/cart/src/cart%402.1"),
        ("codeberg.org/shop/cart", "https://codeberg.org/shop/cart/releases/tag/cart%402.1"),
        ("dev.azure.com/firm/shop/_git/cart", "https://dev.azure.com/firm/shop/_git/cart?version=GTcart%402.1"),
        ("git.example.org/shop/cart", ""),
    ],
)
def test_the_release_of_a_commit_is_linked_by_its_tag(remote: str, page: str) -> None:
    release, made = links_of(remote, commit(), release="cart@2.1")
    assert (release.sort, release.name, release.url) == ("release", "cart@2.1", page)
    assert made.sort == "commit"


def test_issues_of_other_repositories_anchors_and_colours_are_none_of_ours() -> None:
    body = "Like other/repo#5 and https://github.com/else/where/issues/6, see page.html#7 and &#39; but closes #8."
    mine = "https://github.com/A/b/issues/11 explains it, as GH-10 does."
    named = [one.name for one in links_of("github.com/a/b", commit(body=f"{body} {mine}")) if one.sort == "issue"]
    assert named == ["#8", "#11", "#10"]
