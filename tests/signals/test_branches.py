"""What merges brought is what git says that they did, in any history."""

from __future__ import annotations

import random
import subprocess
from contextlib import closing

import pytest
from repos import Repo

from companion.errors import SourceError
from companion.signals import git
from companion.signals.git import branches


def grown(repo: Repo, seed: int, commits: int = 40) -> None:
    """A history at random, of which every third commit merges what stands anywhere before, once in a while two."""
    draw, stream = random.Random(seed), []
    for number in range(1, commits + 1):
        text = f"{draw.random()}\n" * draw.randint(0, 3)
        parents = [draw.randint(max(1, number - 4), number - 1)] if number > 1 else []
        if number > 3 and not number % 3:
            parents += [one for one in draw.sample(range(1, number), draw.choice([1, 1, 2])) if one not in parents]
        stream += [f"commit refs/heads/main\nmark :{number}\ncommitter A <a@b.c> {1_700_000_000 + number} +0000"]
        stream += [f"data 5\ndo {number % 100:02}"]
        stream += [f"{'merge' if at else 'from'} :{one}" for at, one in enumerate(parents)]
        stream += [f"M 100644 inline {draw.choice('ab')}.py\ndata {len(text)}\n{text}"]
    given = "\n".join([*stream, ""]).encode()
    subprocess.run(["git", "fast-import", "--quiet"], cwd=repo.root, input=given, check=True)
    repo.git("symbolic-ref", "HEAD", "refs/heads/main")


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("most", [2, 500])
def test_a_merge_brought_the_first_parents_of_its_branch_that_were_not_there_before(repo: Repo, seed: int, most: int):
    grown(repo, seed)
    merges = repo.git("rev-list", "--merges", "HEAD").split()
    assert len(merges) > 3
    with closing(git.Branches(repo.state, "HEAD")) as asked:
        for merge in merges:
            said = repo.git(
                *("rev-list", "--first-parent", "--reverse", f"--max-count={most}", f"{merge}^2", f"^{merge}^1")
            )
            seen = list(asked.brought(merge, most))
            assert [one.sha for one in seen] == said.split()
            alone = [next(iter(git.line_changes(repo.state, one.sha, 1))) for one in seen]
            assert seen == alone, "each is told as it is alone"


def branched(repo: Repo) -> str:
    """The merge of a branch whose file was changed on both sides."""
    repo.write("a.py", "".join(f"{n}\n" for n in range(20)))
    repo.commit("begin")
    repo.git("checkout", "-q", "-b", "side")
    repo.write("a.py", "first\n" + "".join(f"{n}\n" for n in range(20)))
    repo.commit("on the branch")
    repo.git("checkout", "-q", "main")
    repo.write("a.py", "".join(f"{n}\n" for n in range(20)) + "last\n")
    repo.commit("meanwhile")
    repo.git("merge", "-q", "--no-ff", "-m", "Merge side", "side")
    return repo.git("rev-parse", "HEAD").strip()


def test_a_merge_is_seen_from_the_branch_for_the_files_that_are_named_or_all(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
):
    merge = branched(repo)
    with closing(git.Branches(repo.state, merge)) as asked:
        seen = asked.joining(merge, ["a.py"])
        assert (seen.sha, seen.merge) == (merge, True)
        assert [(file.path, file.hunks) for file in seen.files] == [("a.py", ((21, 0, 1),))]
        assert asked.joining(merge, ["b.py"]).files == ()
        monkeypatch.setattr(branches, "_NAMED", 0)
        assert asked.joining(merge, ["b.py"]).files == seen.files


def test_where_contents_are_lost_it_says_so_and_answers_what_comes_next(repo: Repo):
    merge = branched(repo)
    lost = repo.git("rev-parse", "side:a.py").strip()
    kept = (repo.root / ".git/objects" / lost[:2] / lost[2:]).read_bytes()
    (repo.root / ".git/objects" / lost[:2] / lost[2:]).unlink()
    with closing(git.Branches(repo.state, merge)) as asked:
        with pytest.raises(SourceError, match="git stopped"):
            list(asked.brought(merge, 10))
        (repo.root / ".git/objects" / lost[:2] / lost[2:]).write_bytes(kept)
        assert [len(one.files) for one in asked.brought(merge, 10)] == [1]


def test_what_is_older_than_what_is_asked_about_is_left_alone(repo: Repo):
    merge = branched(repo)
    with closing(git.Branches(repo.state, merge, since=f"{merge}^1")) as asked:
        assert [one.subject for one in asked.brought(merge, 10)] == ["on the branch"]
    with closing(git.Branches(repo.state, merge, since=f"{merge}^2")) as asked:
        assert list(asked.brought(merge, 10)) == []
