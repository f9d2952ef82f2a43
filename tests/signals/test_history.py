"""History is read whole, in order, and whatever stands in it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest
from repos import Repo

from companion.errors import UsageError
from companion.records import ChangeStatus, FileChange, Person
from companion.signals import git
from companion.signals.git import between
from companion.signals.git.history import PARTIAL_CLONE
from companion.signals.git.running import commit_ids


def test_commits_come_oldest_first_with_times_in_utc(repo: Repo):
    repo.write("a.txt")
    first = repo.commit("Add a\n\nBecause b needs it.")
    repo.write("a.txt", "changed\n")
    second = repo.commit("Change a")
    one, two = repo.commits()
    assert (one.sha, two.sha) == (first, second)
    assert (one.subject, one.body, one.parents) == ("Add a", "Because b needs it.", ())
    assert one.authored_at == one.committed_at == datetime(2024, 5, 1, 8, 0, 1)
    assert one.author == Person("Ann", "ann@example.com")
    assert one.changes == (FileChange(ChangeStatus.ADDED, "a.txt"),)
    assert two.changes == (FileChange(ChangeStatus.MODIFIED, "a.txt"),)
    assert two.parents == (first,)


def test_renames_keep_their_old_path_and_copies_are_additions(repo: Repo):
    text = "".join(f"line {number}\n" for number in range(40))
    repo.write("old.py", text)
    repo.commit("add")
    (repo.root / "old.py").rename(repo.root / "new.py")
    repo.write("new.py", text + "one more\n")
    repo.commit("rename")
    repo.write("copy.py", text + "one more\n")
    repo.commit("copy")
    (repo.root / "copy.py").unlink()
    repo.commit("delete")
    repo.git("config", "diff.renames", "copies")
    assert [commit.changes for commit in repo.commits()[1:]] == [
        (FileChange(ChangeStatus.RENAMED, "new.py", "old.py"),),
        (FileChange(ChangeStatus.ADDED, "copy.py"),),
        (FileChange(ChangeStatus.DELETED, "copy.py"),),
    ]


def test_merges_have_parents_and_no_changes(repo: Repo):
    repo.commit("base")
    repo.git("checkout", "-q", "-b", "feature/login")
    repo.write("login.py")
    repo.commit("login")
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-ff", "feature/login")
    merge = repo.commits()[-1]
    assert (merge.is_merge, merge.changes) == (True, ())


@pytest.mark.parametrize("config", ["combined", "first-parent", "separate"])
def test_merges_have_no_changes_whatever_the_user_has_set(repo: Repo, config: str):
    repo.git("config", "log.diffMerges", config)
    test_merges_have_parents_and_no_changes(repo)


def test_parents_come_before_children_even_when_clocks_are_wrong(repo: Repo):
    repo.minute = 50
    first = repo.commit("from the future")
    repo.minute = 0
    second = repo.commit("from the past")
    assert [commit.sha for commit in repo.commits()] == [first, second]


def test_since_gives_only_what_is_new(repo: Repo):
    first = repo.commit("one")
    second = repo.commit("two")
    assert [commit.sha for commit in repo.commits(since=first)] == [second]
    assert git.count_commits(repo.state, since=first) == 1
    assert repo.commits(since=second) == []


def test_after_a_rewrite_the_old_head_is_no_ancestor_and_nothing_comes_twice(repo: Repo):
    repo.commit("one")
    old = repo.commit("two")
    repo.git("commit", "-q", "--amend", "--allow-empty", "-m", "two, better")
    new = repo.state.head
    assert not git.is_ancestor(repo.state, old, new)
    assert old not in git.reachable(repo.state)
    assert [commit.subject for commit in repo.commits(since=old)] == ["two, better"]
    repo.git("reflog", "expire", "--expire=now", "--all")
    repo.git("gc", "-q", "--prune=now")
    assert not git.is_ancestor(repo.state, old, new)
    assert [commit.subject for commit in repo.commits(since=old)] == ["one", "two, better"]


def test_ancestry_of_what_is_not_there_is_false(repo: Repo):
    first = repo.commit("one")
    second = repo.commit("two")
    assert git.is_ancestor(repo.state, first, second)
    assert not git.is_ancestor(repo.state, second, first)
    for unknown in ("", "0" * 40, "no-such-branch", "--all", "-x", "a\0b"):
        assert not git.is_ancestor(repo.state, unknown, second)
        assert not git.is_ancestor(repo.state, first, unknown)


def test_many_names_of_commits_are_looked_up_by_one_question(repo: Repo):
    first, second = repo.commit("one"), repo.commit("two")
    repo.git("tag", "-a", "v1", "-m", "Version", first)
    names = ["HEAD", "", "v1", "no-such-branch", "-x", "a\nb", f"{first} commit", second[:12]]
    assert commit_ids(repo.root, names) == (second, "", first, "", "", "", "", second)


def test_every_branch_can_be_asked_for_what_it_reaches(repo: Repo):
    first = repo.commit("one")
    repo.git("checkout", "-q", "-b", "side")
    second = repo.commit("two")
    repo.git("checkout", "-q", "main")
    assert git.reachable(repo.state) == {first}
    assert git.reachable(repo.state, "--all") == {first, second}
    assert git.reachable(repo.state, "nothing") == frozenset()


def test_an_unknown_revision_is_an_error_that_names_it(repo: Repo):
    repo.commit("one")
    with pytest.raises(UsageError, match="no-such-branch"):
        repo.commits(rev="no-such-branch")
    with pytest.raises(UsageError, match="--output"):
        repo.commits(rev="--output=x")


def test_authors_go_through_the_mailmap_and_so_do_those_who_helped(repo: Repo):
    repo.write(".mailmap", "Ann Smith <ann@new.example> <ann@example.com>\nBo B <bo@new.example> bo <bo@old.example>\n")
    repo.commit(
        "Pair\n\nCo-authored-by: bo <bo@old.example>\nReviewed-by: Cy <cy@example.com>\n"
        "co-authored-by: bo <bo@old.example>\nSigned-off-by: Di <di@example.com>"
    )
    (commit,) = repo.commits()
    assert commit.author == Person("Ann Smith", "ann@new.example")
    assert commit.co_authors == (Person("Bo B", "bo@new.example"),)
    assert commit.reviewers == (Person("Cy", "cy@example.com"),)


def test_a_revert_names_the_commit_it_takes_back(repo: Repo):
    repo.write("a.txt")
    first = repo.commit("add")
    repo.git("revert", "--no-edit", first)
    repo.commit(f"Take it back again\n\nThis reverts commit {repo.state.head[:9]}.")
    repo.commit("Nothing\n\nThis reverts commit 0123456.")
    _, revert, again, unknown = repo.commits()
    assert revert.reverts == first
    assert again.reverts == revert.sha
    assert unknown.reverts == ""


@pytest.mark.parametrize(
    ("message", "request_number"),
    [
        ("Merge pull request #12 from ann/feature/login", "12"),
        ("Merge branch 'hotfix'", ""),
        ("Merge branch 'hotfix' into 'main'\n\nSee merge request group/shop!34", "34"),
        ("Merge remote-tracking branch 'origin/next' into main", ""),
        ("Merged in feature/x (pull request #7)", "7"),
        ("Merged PR 99: Add login", "99"),
        ("Add login (#123)", "123"),
        ("Add login (!45)", "45"),
        ('Revert "Add login (#123)" (#130)', "130"),
        ('Revert "Add login (#123)"', ""),
        ("Fix #123", ""),
    ],
)
def test_messages_name_their_request(repo: Repo, message: str, request_number: str):
    repo.commit("base")
    repo.git("checkout", "-q", "-b", "topic")
    repo.write("a.txt")
    repo.commit("work")
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-ff", "topic", "-m", message)
    merge = repo.commits()[-1]
    assert merge.pull_request == request_number


@pytest.mark.skipif(os.name == "nt", reason="names that Windows does not allow")
def test_odd_names_are_printable_distinct_and_lead_back_to_their_file(repo: Repo):
    names = [b"new\nline", b"tab\there", b'quo"te', b"caf\xc3\xa9", b"bad\xff", b"bad\\xff", b" space ", b"-dash"]
    names += ["\u202egnp.txt".encode(), b"back\\slash", "日本/語.py".encode()]
    for name in names:
        repo.write(os.fsdecode(name), b"content of " + name)
    repo.commit("odd names")
    paths = [change.path for change in repo.commits()[0].changes]
    assert len(set(paths)) == len(names)
    assert all(path.isprintable() and path.encode() for path in paths)
    assert {"new\\x0aline", "bad\\xff", "bad\\x5cxff", "café", "back\\slash"} <= set(paths)
    files = repo.blobs
    assert sorted(files) == paths
    with closing(git.Blobs(repo.state, 1_000)) as blobs:
        read = {blobs.read(blob) for blob in files.values()}
        assert blobs.read("HEAD:bad\\xff") == b"content of bad\xff"
    assert read == {b"content of " + name for name in names}


def test_messages_that_are_no_utf_8_are_read(repo: Repo):
    repo.git("config", "i18n.commitEncoding", "ISO-8859-1")
    repo.git("commit", "-q", "--allow-empty", "-F", _file(repo, "latin", "Füge hinzu".encode("latin-1")))
    repo.git("config", "--unset", "i18n.commitEncoding")
    _raw_commit(repo, b"Broken \xff\xfe bytes \x1b[31mred\n\nbody \xe2\x28\xa1\n")
    latin, broken = repo.commits()
    assert latin.subject == "Füge hinzu"
    assert broken.subject == "Broken \ufffd\ufffd bytes [31mred"
    assert "\ufffd" in broken.body


@pytest.mark.parametrize(
    "stamp",
    [b"0 +0000", b"1714557661 +9999", b"1714557661 -1400", b"99999999999999999 +0000", b"-5 +0000", b"soon", b""],
)
def test_absurd_times_do_not_stop_the_reading(repo: Repo, stamp: bytes):
    _raw_commit(repo, b"odd time\n", stamp)
    (commit,) = repo.commits()
    assert commit.subject == "odd time"
    assert datetime(1970, 1, 1) <= commit.authored_at <= datetime(9999, 12, 31)
    assert git.count_commits(repo.state) == 1
    assert repo.state.root_commit in ("", commit.sha)


def test_a_long_message_is_cut_and_an_empty_one_is_empty(repo: Repo):
    repo.commit("subject\n\n" + "word " * 20_000)
    repo.commit("", "--allow-empty-message")
    long, empty = repo.commits()
    assert len(long.body) <= 20_000
    assert (empty.subject, empty.body) == ("", "")


def test_a_clone_without_contents_is_read_without_the_network(repo: Repo, tmp_path: Path):
    text = "".join(f"line {number}\n" for number in range(40))
    repo.write("a.py", text)
    repo.commit("add")
    (repo.root / "a.py").rename(repo.root / "b.py")
    repo.write("b.py", text + "more\n")
    repo.commit("rename with a change")
    repo.git("config", "uploadpack.allowFilter", "true")
    for filter_name in ("blob:none", "tree:0"):
        place = tmp_path / filter_name.replace(":", "-")
        repo.git("clone", "-q", "--no-checkout", f"--filter={filter_name}", repo.root.as_uri(), str(place))
    blobless = list(git.read_commits(git.open_repository(tmp_path / "blob-none")))
    assert [commit.subject for commit in blobless] == ["add", "rename with a change"]
    assert blobless[1].changes == (
        FileChange(ChangeStatus.DELETED, "a.py"),
        FileChange(ChangeStatus.ADDED, "b.py"),
    )
    treeless = list(git.read_commits(git.open_repository(tmp_path / "tree-0")))
    assert [commit.subject for commit in treeless] == ["add", "rename with a change"]
    assert _objects(tmp_path / "blob-none", "blob") == 0


def test_history_up_to_a_missing_commit_is_read_and_says_so(repo: Repo, caplog: pytest.LogCaptureFixture):
    lost = repo.commit("lost")
    repo.commit("child of the lost one")  # git stops where it cannot follow a parent
    repo.commit("kept")
    repo.commit("newest")
    (repo.root / ".git/objects" / lost[:2] / lost[2:]).unlink()
    assert [commit.subject for commit in repo.commits()] == ["kept", "newest"]
    (told,) = [record.getMessage() for record in caplog.records]
    assert "commits before the first that is missing are not read" in told
    assert "git log" not in told


def test_history_with_a_missing_content_is_read_whole_and_says_what_is_not_known(
    repo: Repo, caplog: pytest.LogCaptureFixture
):
    lines = "".join(f"line {number}\n" for number in range(40))
    repo.write("old.py", lines)
    repo.commit("add")
    blob = subprocess.run(["git", "rev-parse", "HEAD:old.py"], cwd=repo.root, capture_output=True, check=True)
    (repo.root / "old.py").rename(repo.root / "new.py")
    repo.write("new.py", lines + "one more\n")
    repo.commit("rename")
    lost = blob.stdout.decode().strip()
    (repo.root / ".git/objects" / lost[:2] / lost[2:]).unlink()
    assert [commit.subject for commit in repo.commits()] == ["add", "rename"]
    (told,) = [record.getMessage() for record in caplog.records]
    assert "a file renamed and changed at once is read as a new one" in told


def test_reading_can_be_left_early(repo: Repo):
    for number in range(5):
        repo.commit(f"commit {number}")
    reading = git.read_commits(repo.state)
    assert next(reading).subject == "commit 0"
    reading.close()


def test_ignored_paths_are_told_by_git(repo: Repo):
    repo.write(".gitignore", "*.log\nbuild/\n")
    assert git.ignored(repo.state, ["a.log", "a.py", "build/x", "new\\x0aline.log"]) == {
        "a.log",
        "build/x",
        "new\\x0aline.log",
    }


def test_a_shallow_merge_at_the_cut_claims_no_changes(new_repo: Callable[..., Repo], tmp_path: Path):
    repo = new_repo("origin")
    repo.write("a.txt")
    repo.commit("base")
    repo.write("b.txt")
    repo.commit("top")
    repo.git("clone", "-q", "--depth", "1", repo.root.as_uri(), str(tmp_path / "one"))
    (only,) = git.read_commits(git.open_repository(tmp_path / "one"))
    assert (only.subject, only.changes) == ("top", ())


def _file(repo: Repo, name: str, content: bytes) -> str:
    place = repo.root / ".git" / name
    place.write_bytes(content)
    return str(place)


def _raw_commit(repo: Repo, message: bytes, stamp: bytes = b"1714557661 +0200") -> None:
    """A commit object that git itself would not write."""
    tree = repo.git("write-tree").encode()
    parent = repo.git("rev-parse", "-q", "--verify", "HEAD", check=False).encode()
    head = b"tree " + tree + b"\n" + (b"parent " + parent + b"\n" if parent else b"")
    person = b"Ann <ann@example.com> " + stamp
    content = head + b"author " + person + b"\ncommitter " + person + b"\n\n" + message
    made = subprocess.run(
        ["git", "hash-object", "-w", "--literally", "-t", "commit", "--stdin"],
        cwd=repo.root,
        input=content,
        capture_output=True,
        check=True,
    )
    (repo.root / ".git/refs/heads/main").write_bytes(made.stdout)


def _objects(root: Path, kind: str) -> int:
    listed = subprocess.run(
        ["git", "cat-file", "--batch-all-objects", "--batch-check"], cwd=root, capture_output=True, check=True
    )
    return sum(1 for line in listed.stdout.split(b"\n") if f" {kind} ".encode() in line)


def test_a_partial_clone_is_read_whole_and_told_of_in_one_sentence(
    repo: Repo, tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    text = "".join(f"line {number}\n" for number in range(40))
    repo.write("old.py", text)
    repo.commit("add")
    (repo.root / "old.py").rename(repo.root / "new.py")
    repo.write("new.py", text + "one more\n")
    repo.commit("rename")
    repo.write("new.py", "short\n")
    repo.commit("change")
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.git("clone", "-q", "--filter=blob:none", repo.root.as_uri(), str(tmp_path / "partial"))
    commits = list(git.read_commits(git.open_repository(tmp_path / "partial")))
    assert [commit.subject for commit in commits] == ["add", "rename", "change"]
    assert [record.getMessage() for record in caplog.records] == [PARTIAL_CLONE]


def test_commits_between_two_are_told_newest_first_with_both_names_of_a_moved_file(repo: Repo):
    text = "".join(f"line {number}\n" for number in range(40))
    repo.write("old.py", text)
    before = repo.commit("begin")
    repo.write("other.py")
    one = repo.commit("Add other")
    repo.git("mv", "old.py", "new.py")
    two = repo.commit("Move old")
    assert between.commits_between(repo.state, before, two) == (
        (two, "Move old", ("new.py", "old.py")),
        (one, "Add other", ("other.py",)),
    )
    assert between.commits_between(repo.state, two, two) == ()
    assert between.commits_between(repo.state, "f" * 40, two) == (), "what it began from is not here"
