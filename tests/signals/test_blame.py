"""Which commit the lines of a file came from."""

from __future__ import annotations

from repos import Repo

from companion.signals import git

FIRST = "def a():\n    return 1\n\n\ndef b():\n    return 2\n"


def lines_by_commit(repo, path, content):
    return {line: one.sha for one in git.blame(repo.state, path, content) for line in range(one.first, one.last + 1)}


def test_every_line_names_the_commit_that_wrote_it_and_an_uncommitted_one_none(repo):
    repo.write("a.py", FIRST)
    first = repo.commit("Add both")
    repo.write("a.py", FIRST.replace("return 2", "return 3"))
    second = repo.commit("Change b")
    now = FIRST.replace("return 2", "return 3").replace("return 1", "return 9").encode()
    assert lines_by_commit(repo, "a.py", now) == {1: first, 2: "", 3: first, 4: first, 5: first, 6: second}


def test_a_commit_is_told_with_its_subject_and_when_it_was_committed_wherever_its_lines_stand(repo):
    repo.write("a.py", FIRST)
    repo.commit("Ödd 🎉 filename a.py")
    repo.write("a.py", FIRST.replace("return 1", "return 3"))
    repo.commit("Change a")
    found = git.blame(repo.state, "a.py", FIRST.replace("return 1", "return 3").encode())
    assert [(one.first, one.last, one.subject) for one in found] == [
        (1, 1, "Ödd 🎉 filename a.py"),
        (2, 2, "Change a"),
        (3, 6, "Ödd 🎉 filename a.py"),
    ]
    written = {commit.subject: commit.committed_at for commit in git.read_commits(repo.state)}
    assert all(one.at == written[one.subject] for one in found)


def test_lines_as_old_as_the_end_of_a_shallow_history_are_not_given_to_its_last_commit(repo, tmp_path):
    repo.write("a.py", FIRST)
    repo.commit("Add both")
    repo.write("b.py", "x = 1\n")
    repo.commit("Add another")
    repo.write("a.py", FIRST.replace("return 1", "return 3"))
    newest = repo.commit("Change a")
    repo.git("clone", "-q", "--depth", "2", repo.root.as_uri(), str(tmp_path / "shallow"))
    now = FIRST.replace("return 1", "return 3").encode()
    assert lines_by_commit(Repo(tmp_path / "shallow"), "a.py", now) == {2: newest}


def test_white_space_and_the_sweeps_that_a_project_lists_are_nobodys(repo):
    repo.write("a.py", FIRST)
    first = repo.commit("Add both")
    indented = FIRST.replace("    return", "        return")
    repo.write("a.py", indented)
    repo.commit("Indent")
    assert set(lines_by_commit(repo, "a.py", indented.encode()).values()) == {first}
    swept = indented.replace("return 1", "return 1;")
    repo.write("a.py", swept)
    sweep = repo.commit("Sweep")
    repo.write(".git-blame-ignore-revs", f"# sweeps\n{sweep}\n")
    assert set(lines_by_commit(repo, "a.py", swept.encode()).values()) == {first}
    repo.write(".git-blame-ignore-revs", "no such commit\n")
    assert lines_by_commit(repo, "a.py", swept.encode())[2] == sweep, "a list that git refuses is passed over"


def test_a_list_of_sweeps_that_the_user_names_for_all_repositories_need_not_be_in_each(repo, tmp_path, monkeypatch):
    repo.write("a.py", FIRST)
    sha = repo.commit("Add both")
    settings = tmp_path / "settings"
    settings.write_text("[blame]\n\tignoreRevsFile = .git-blame-ignore-revs\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    assert set(lines_by_commit(repo, "a.py", FIRST.encode()).values()) == {sha}


def test_a_name_like_an_option_or_with_strange_bytes_is_a_name(repo):
    repo.write("-L 1,2.py", FIRST)
    repo.write("ünï cödé.py", FIRST)
    sha = repo.commit("Add them")
    for path in ("-L 1,2.py", "ünï cödé.py"):
        assert set(lines_by_commit(repo, path, FIRST.encode()).values()) == {sha}


def test_a_file_that_no_commit_has_is_not_committed_and_one_without_lines_has_no_origin(repo):
    assert lines_by_commit(repo, "nowhere.py", b"x\n")[1] == ""
    repo.write("a.py", FIRST)
    repo.commit("Add it")
    assert lines_by_commit(repo, "nowhere.py", b"x\n")[1] == ""
    assert git.blame(repo.state, "a.py", b"") == ()
