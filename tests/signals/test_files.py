"""Only what changed is read, only what may be is opened, and the rest is listed with its reason."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest
from fakes import PlainRedactor
from repos import Repo

from companion.encoding import decoded
from companion.errors import SourceError
from companion.records import Skipped
from companion.signals import files, git
from companion.signals.files import CommitTree, WorkTree, scan

LIMIT = 10_000


class Read(NamedTuple):
    """A file as a scan gave it."""

    path: str
    content_hash: str
    size_bytes: int
    mtime_ns: int
    text: str


def scanned(
    tree: WorkTree | CommitTree, known: files.Known | None = None, limit: int = LIMIT
) -> tuple[dict[str, Read], files.Scan]:
    found = scan(tree, known or {}, limit)
    read = (Read(one.path, one.content_hash, len(data), one.mtime_ns, decoded(data)) for one, data in found.changed)
    return {seen.path: seen for seen in read}, found


def known_of(seen: dict[str, Read]) -> dict[str, tuple[int, int, str]]:
    return {one.path: (one.size_bytes, one.mtime_ns, one.content_hash) for one in seen.values()}


def reasons(found: files.Scan) -> dict[str, str]:
    return {one.path: one.reason for one in found.skipped}


def test_tracked_and_untracked_files_are_read_and_ignored_ones_are_not(repo: Repo):
    repo.write("kept.py", "print()\n")
    repo.write(".gitignore", "*.log\n/build/\n")
    repo.write("deep/.gitignore", "!deep.log\nlocal.py\n")
    repo.commit("first")
    for path in ("new.py", "a.log", "build/out.py", "deep/deep.log", "deep/local.py"):
        repo.write(path, f"# {path}\n")
    repo.write(".git/info/exclude", "secretly.py\n")
    repo.write("secretly.py")
    seen, found = scanned(WorkTree(repo.state))
    assert sorted(seen) == [".gitignore", "deep/.gitignore", "deep/deep.log", "kept.py", "new.py"]
    assert found.changed_count == 5
    assert found.skipped == []


def test_the_content_hash_is_the_one_git_gives(repo: Repo):
    repo.write("a.py", "print('é')\n")
    repo.write("empty.py", "")
    repo.commit("first")
    on_disk, _ = scanned(WorkTree(repo.state))
    in_commit, _ = scanned(CommitTree(repo.state, "HEAD"))
    assert {path: seen.content_hash for path, seen in on_disk.items()} == repo.blobs
    assert {path: seen.content_hash for path, seen in in_commit.items()} == repo.blobs
    assert {path: seen.text for path, seen in on_disk.items()} == {path: seen.text for path, seen in in_commit.items()}


def test_what_did_not_change_is_not_read_again(repo: Repo):
    repo.write("same.py")
    repo.write("touched.py")
    repo.write("changed.py")
    repo.write("gone.py")
    seen, _ = scanned(WorkTree(repo.state))
    known = known_of(seen)
    later = seen["touched.py"].mtime_ns + 5_000_000_000
    os.utime(repo.root / "touched.py", ns=(later, later))
    repo.write("changed.py", "three\n")
    (repo.root / "gone.py").unlink()
    again, found = scanned(WorkTree(repo.state), known)
    assert list(again) == ["changed.py"]
    assert found.restamped == {"touched.py": (8, later, seen["touched.py"].content_hash)}
    assert found.gone == {"gone.py"}


def test_a_file_that_may_no_longer_be_read_is_gone(repo: Repo):
    repo.write("a.py")
    repo.write("big.py")
    seen, _ = scanned(WorkTree(repo.state))
    repo.write("big.py", "x = 1\n" * LIMIT)
    repo.write("a.py", b"\0binary now")
    again, found = scanned(WorkTree(repo.state), known_of(seen))
    assert again == {}
    assert found.gone == {"a.py", "big.py"}
    assert reasons(found) == {"a.py": "binary file", "big.py": f"{6 * LIMIT:,} bytes, over the limit of {LIMIT:,}"}


def test_secrets_are_redacted_in_the_text_and_not_in_the_bytes(repo: Repo):
    repo.write("a.py", "password = 'hunter2-secret'\n")
    tree = WorkTree(repo.state)
    ((found, raw),) = list(scan(tree, {}, LIMIT).changed)
    seen = tree.seen(found.path, PlainRedactor())
    assert seen is not None
    assert seen.text == "password = '[redacted password]'\n"
    assert b"hunter2-secret" in raw


class RecordingTree(WorkTree):
    """A work tree that notes what is opened."""

    def __init__(self, repo: Repo) -> None:
        super().__init__(repo.state)
        self.opened: list[str] = []

    def read(self, path: str) -> bytes:
        self.opened.append(path)
        return super().read(path)


def test_files_that_hold_secrets_are_never_opened(repo: Repo):
    names = [".env", ".env.local", "prod.env", ".envrc", "server.pem", "tls.KEY", "id_rsa", "deploy/id_ed25519"]
    names += [".npmrc", ".pypirc", ".netrc", "app.p12", "store.jks", "pass.kdbx", "secrets.yaml", ".ssh/config"]
    names += ["credentials", ".aws/config", "credentials.json", "terraform.tfvars", ".git-credentials", ".htpasswd"]
    for name in names:
        repo.write(name, "hunter2-secret")
    repo.write("plain.py")
    for step in (lambda: None, lambda: repo.commit("oh no")):  # untracked first, then tracked
        step()
        tree = RecordingTree(repo)
        seen, found = scanned(tree)
        assert list(seen) == ["plain.py"]
        assert sorted(reasons(found)) == sorted(names)
        assert all(tree.seen(name, PlainRedactor()) is None for name in names)
        assert set(tree.opened) <= {"plain.py", ".companionignore"}
    past = CommitTree(repo.state, "HEAD")
    assert sorted(reasons(scanned(past)[1])) == sorted(names)
    assert all(past.seen(name, PlainRedactor()) is None for name in names)
    past.close()


def test_names_that_only_sound_secret_are_read(repo: Repo):
    names = ["secrets.go", "docs/secrets.md", "id_rsa.pub", "environment.py", "keys.py", "src/Secret.php", "monkey.ts"]
    names += ["credentials.ts", "env.py", "tokens.rs", "src/environments/prod.ts", "keyboard.js", "private.txt"]
    for name in names:
        repo.write(name)
    assert sorted(scanned(WorkTree(repo.state))[0]) == sorted(names)


def test_what_others_or_programs_wrote_is_skipped_with_its_reason(repo: Repo):
    skipped = {
        "node_modules/left-pad/index.js": "vendored packages",
        "web/node_modules/x.js": "vendored packages",
        "vendor/github.com/x/y.go": "vendored packages",
        "services/api/vendor/z.go": "vendored packages",
        "third_party/zlib.c": "vendored code",
        "dist/bundle.js": "build output",
        "static/app.min.js": "minified",
        "static/app.js.map": "source map",
        "api/users_pb2.py": "generated",
        "api/users.pb.go": "generated",
        "__snapshots__/a.test.ts.snap": "snapshot of a test",
        "logo.PNG": "binary file",
    }
    repo.write("services/api/go.mod")
    for path in skipped:
        repo.write(path)
    repo.write("kept/mock.go", "// Code generated by MockGen. DO NOT EDIT.\npackage x\n")
    repo.write("kept/parser.c", "/* A Bison parser */\n/* @generated by bison */\nint x;\n")
    repo.write("kept/long.js", "var a=1;" * 1_500)
    repo.write("lfs.bin.txt", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n")
    repo.write("shop/vendor/models.py", "class Vendor: ...\n")
    repo.write("about.py", "# this tool writes '@generated' into files\n")
    repo.write("package-lock.json", '{"lockfileVersion": 3}' + " " * 9_000)
    seen, found = scanned(WorkTree(repo.state), limit=20_000)
    assert sorted(seen) == ["about.py", "package-lock.json", "services/api/go.mod", "shop/vendor/models.py"]
    assert reasons(found) == {
        **skipped,
        "kept/mock.go": "generated",
        "kept/parser.c": "generated",
        "kept/long.js": "minified or data on long lines",
        "lfs.bin.txt": "kept in Git LFS",
    }


def test_what_the_project_calls_generated_is_skipped_in_a_checkout_and_in_a_commit(repo: Repo):
    repo.write(
        ".gitattributes",
        "# linguist-generated files\n*.txt linguist-generated\n* text=auto\n/src/lexer.[ch] linguist-generated=true\n"
        "docs/** linguist-generated=true\ndocs/own.md -linguist-generated\n!x linguist-generated\n[ linguist-generated\n"
        "poetry.lock linguist-generated\n",
    )
    repo.write("sub/.gitattributes", "*.txt linguist-generated=false\nmade.py linguist-generated merge=ours\n")
    generated = ["a.txt", "deep/b.txt", "src/lexer.c", "docs/a.md", "docs/b/c.md", "sub/made.py", "sub/in/made.py"]
    written = ["src/parser.c", "in/src/lexer.c", "docs/own.md", "sub/a.txt", "made.py", "poetry.lock"]
    for path in (*generated, *written):
        repo.write(path)
    repo.commit("first")
    for tree in (WorkTree(repo.state), CommitTree(repo.state, "HEAD")):
        seen, found = scanned(tree)
        assert sorted(seen) == sorted([*written, ".gitattributes", "sub/.gitattributes"])
        assert reasons(found) == dict.fromkeys(generated, "generated")


def pages(folder: str, common: str, own: str = "What this one does. ", depth: int = 0) -> dict[str, str]:
    """Pages of one folder with much in common; links lead `depth` folders up."""
    told = common.replace('href="', 'href="' + "../" * depth)
    return {f"{folder}{n}.html": f"<html>\n{told}<h1>Page {n}</h1>\n<p>{own * n}</p>\n</html>\n" for n in range(6)}


INDEX = "".join(
    f'<li><a href="api/{number}.html">A name in the index, number {number}</a></li>\n' for number in range(300)
)
STYLE = (
    "<style>\n"
    + "".join(f".one-{number} {{ color: #{number:06x}; margin: 0; }}\n" for number in range(400))
    + "</style>\n"
)


def test_pages_that_a_tool_made_of_the_source_are_skipped_and_those_written_by_hand_are_not(repo: Repo):
    made = pages("docs/api/", INDEX, depth=2) | {"docs/api/inner/One.html": pages("", INDEX, depth=3)["1.html"]}
    made |= pages("site/", '<meta name="generator" content="Doxygen 1.9.1"/>\n<p>Of the manual of a library</p>\n', "x")
    by_hand = pages("demos/", INDEX[:4_000]) | pages("mails/", STYLE) | pages("", STYLE + "<p>We are</p>\n")
    by_hand |= {"docs/api/own.html": "<h1>Written beside them</h1>\n", "docs/api/in/own.html": "<h1>And below</h1>\n"}
    by_hand |= {"docs/guide.html": "<h1>Above them</h1>\n", "docs/api/notes.md": "# Of another sort\n"}
    for path, text in (made | by_hand).items():
        repo.write(path, text)
    repo.commit("first")
    for tree in (WorkTree(repo.state), CommitTree(repo.state, "HEAD")):
        seen, found = scanned(tree, limit=40_000)
        assert sorted(seen) == sorted(by_hand)
        assert reasons(found) == dict.fromkeys(made, "generated")


def test_a_page_that_a_tool_makes_anew_is_skipped_as_the_first_time(repo: Repo):
    made = pages("docs/api/", INDEX, depth=2)
    for path, text in (made | {"docs/own.html": "<h1>By hand</h1>\n"}).items():
        repo.write(path, text)
    repo.commit("first")
    tree = WorkTree(repo.state)
    seen, _ = scanned(tree, limit=40_000)
    known: files.Known = {path: (one.size_bytes, one.mtime_ns, one.content_hash) for path, one in seen.items()}
    repo.write("docs/api/3.html", made["docs/api/3.html"] + "<p>More</p>\n")
    repo.write("docs/own.html", "<h1>By hand, too</h1>\n")
    found = files.scan_some(tree, ["docs/api/3.html", "docs/own.html"], known, 40_000)
    assert [entry.path for entry, _ in found.changed] == ["docs/own.html"]


def test_the_projects_own_ignore_file_hides_tracked_files_too(repo: Repo):
    repo.write(".companionignore", "fixtures/\n*.csv\n!keep.csv\n[\n")
    for path in ("fixtures/a.py", "data.csv", "keep.csv", "main.py"):
        repo.write(path)
    repo.commit("first")
    for tree in (WorkTree(repo.state), CommitTree(repo.state, "HEAD")):
        seen, found = scanned(tree)
        assert sorted(seen) == [".companionignore", "keep.csv", "main.py"]
        assert found.skipped == []


def test_texts_in_other_encodings_are_read_without_lone_surrogates(repo: Repo):
    repo.write("utf16.txt", "grüße".encode("utf-16"))
    repo.write("bom.py", b"\xef\xbb\xbfx = 1\n")
    repo.write("latin.py", "# grüße\n".encode("latin-1"))
    repo.write("said.py", "# coding: iso-8859-2\n# łódź\n".encode("iso-8859-2"))
    repo.write("untrue.py", "# coding: klingon\n# größe\n".encode("latin-1"))
    repo.write("torn.md", "grüße aus Köln".encode() + b"\xfc")
    repo.write("surrogate.json", b'"\xed\xa0\x80"')
    seen, _ = scanned(WorkTree(repo.state))
    assert {path: one.text for path, one in seen.items()} == {
        "utf16.txt": "grüße",
        "bom.py": "x = 1\n",
        "latin.py": "# grüße\n",
        "said.py": "# coding: iso-8859-2\n# łódź\n",
        "untrue.py": "# coding: klingon\n# größe\n",
        "torn.md": "grüße aus Köln\ufffd",
        "surrogate.json": '"í\xa0€"',
    }


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_links_are_not_followed_wherever_they_lead(repo: Repo, tmp_path: Path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/private.txt").write_text("hunter2-secret")
    repo.write("folder/inner.py")
    repo.write("swapped/private.txt")
    repo.commit("first")
    (repo.root / "loop").symlink_to("loop")
    (repo.root / "folder/up").symlink_to("..")
    (repo.root / "escape.txt").symlink_to("../outside/private.txt")
    (repo.root / "swapped/private.txt").unlink()
    (repo.root / "swapped").rmdir()
    (repo.root / "swapped").symlink_to("../outside")  # git still lists swapped/private.txt
    seen, found = scanned(WorkTree(repo.state))
    assert list(seen) == ["folder/inner.py"]
    assert reasons(found) == {
        "escape.txt": "link, not followed",
        "folder/up": "link, not followed",
        "loop": "link, not followed",
        "swapped": "link, not followed",
        "swapped/private.txt": "behind a link, not followed",
    }
    tree = WorkTree(repo.state)
    for path in ("escape.txt", "swapped/private.txt", "../outside/private.txt", "/etc/passwd", "folder/../../outside"):
        with pytest.raises(SourceError):
            tree.read(path)
        assert tree.seen(path, PlainRedactor()) is None


def test_a_folder_in_the_place_of_a_tracked_file_is_read_and_called_no_submodule(repo: Repo):
    repo.write("a", "print(1)\n")
    repo.commit("first")
    (repo.root / "a").unlink()
    repo.write("a/b.py", "print(2)\n")
    seen, found = scanned(WorkTree(repo.state))
    assert list(seen) == ["a/b.py"]
    assert found.skipped == []


def test_submodules_and_repositories_inside_are_noted_and_not_entered(repo: Repo, new_repo: Callable[..., Repo]):
    inner = new_repo("inner")
    inner.write("lib.c")
    inner.commit("inner")
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.root), "libs/inner")
    nested = repo.root / "scratch"
    nested.mkdir()
    Repo(nested).git("init", "-q")
    (nested / "x.py").write_text("x\n")
    Repo(nested).commit("inside")
    seen, found = scanned(WorkTree(repo.state))
    assert list(seen) == [".gitmodules"]
    assert reasons(found) == {
        "libs/inner": "submodule, not entered",
        "scratch/": "another repository inside this one",
    }
    repo.git("add", ".gitmodules", "libs")
    repo.git("commit", "-q", "-m", "with a submodule")
    assert reasons(scanned(CommitTree(repo.state, "HEAD"))[1]) == {"libs/inner": "submodule, not entered"}


def test_files_in_the_middle_of_a_merge_are_read_once_with_their_markers(repo: Repo):
    repo.write("a.py", "base\n")
    repo.commit("base")
    repo.git("checkout", "-q", "-b", "side")
    repo.write("a.py", "side\n")
    repo.commit("side")
    repo.git("checkout", "-q", "main")
    repo.write("a.py", "main\n")
    repo.commit("main")
    repo.git("merge", "side", check=False)
    seen, found = scanned(WorkTree(repo.state))
    assert found.changed_count == 1
    assert "<<<<<<< HEAD\nmain\n=======\nside\n" in seen["a.py"].text


@pytest.mark.skipif(os.name == "nt", reason="names that Windows does not allow")
def test_odd_names_are_read_from_disk_and_from_commits(repo: Repo):
    for name in (b"new\nline.py", b"bad\xff.py", b"bad\\xff.py", b'q"uote.py', b"caf\xc3\xa9.py"):
        repo.write(os.fsdecode(name), b"# " + name.hex().encode())
    repo.commit("odd")
    on_disk, _ = scanned(WorkTree(repo.state))
    in_commit, _ = scanned(CommitTree(repo.state, "HEAD"))
    assert sorted(on_disk) == sorted(in_commit)
    assert on_disk["bad\\xff.py"].text == "# " + b"bad\xff.py".hex()
    assert on_disk["bad\\x5cxff.py"].text == "# " + b"bad\\xff.py".hex()
    assert {path: seen.text for path, seen in on_disk.items()} == {path: seen.text for path, seen in in_commit.items()}


def test_a_file_that_vanishes_while_it_is_read_is_noted(repo: Repo):
    repo.write("a.py")
    repo.write("b.py")
    found = scan(WorkTree(repo.state), {}, LIMIT)
    (repo.root / "b.py").unlink()
    assert [seen.path for seen, _ in found.changed] == ["a.py"]
    assert found.skipped == [Skipped("b.py", "gone before it could be read")]


def test_deleted_and_sparse_files_are_simply_not_there(repo: Repo):
    repo.write("a.py")
    repo.write("deep/b.py")
    repo.commit("first")
    (repo.root / "deep/b.py").unlink()
    seen, found = scanned(WorkTree(repo.state))
    assert (list(seen), found.skipped) == (["a.py"], [])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes there")
def test_a_pipe_is_not_waited_for(repo: Repo):
    repo.write("tracked.txt")
    repo.commit("first")
    (repo.root / "tracked.txt").unlink()
    os.mkfifo(repo.root / "tracked.txt")
    assert reasons(scanned(WorkTree(repo.state))[1]) == {"tracked.txt": "not a plain file"}
    with pytest.raises(SourceError, match="not a plain file"):
        WorkTree(repo.state).read("tracked.txt")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs a user whose rights can be taken")
def test_what_may_not_be_read_is_noted(repo: Repo):
    repo.write("closed.py").chmod(0)
    repo.write("shut/a.py")
    (repo.root / "shut").chmod(0)
    try:
        found = reasons(scanned(WorkTree(repo.state))[1])
    finally:
        (repo.root / "shut").chmod(0o755)
    assert found == {"closed.py": "not readable with your rights", "shut": "folder cannot be opened"}


def test_a_commit_is_read_as_it_was(repo: Repo):
    repo.write("a.py", "old\n")
    first = repo.commit("first")
    repo.write("a.py", "new\n")
    repo.write("b.py", "b\n")
    repo.commit("second")
    past = CommitTree(repo.state, first)
    assert past.read("a.py") == b"old\n"
    with pytest.raises(SourceError, match=r"b\.py is not in"):
        past.read("b.py")
    old, _ = scanned(past)
    now, _ = scanned(CommitTree(repo.state, "HEAD"), known_of(old))
    assert sorted(now) == ["a.py", "b.py"]
    _, again = scanned(CommitTree(repo.state, "HEAD"), known_of(now))
    assert (again.changed_count, again.gone) == (0, set())
    seen = past.seen("a.py", PlainRedactor())
    assert seen is not None
    assert seen.text == "old\n"
    assert past.seen("b.py", PlainRedactor()) is None
    past.close()


def test_a_bare_repository_and_a_clone_without_contents_can_be_scanned(repo: Repo, tmp_path: Path):
    repo.write("a.py", "a\n")
    repo.commit("first")
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.git("clone", "-q", "--bare", repo.root.as_uri(), str(tmp_path / "bare"))
    repo.git("clone", "-q", "--bare", "--filter=blob:none", repo.root.as_uri(), str(tmp_path / "empty"))
    assert list(scanned(CommitTree(git.open_repository(tmp_path / "bare"), "HEAD"))[0]) == ["a.py"]
    seen, found = scanned(CommitTree(git.open_repository(tmp_path / "empty"), "HEAD"))
    assert (seen, reasons(found)) == ({}, {"a.py": "not fetched"})


def test_blobs_are_limited_and_missing_ones_are_errors(repo: Repo):
    repo.write("big.txt", "x" * 5_000)
    repo.write("small.txt", "y")
    repo.commit("first")
    with closing(git.Blobs(repo.state, 1_000)) as blobs:
        with pytest.raises(SourceError, match="5,000 bytes"):
            blobs.read("HEAD:big.txt")
        assert blobs.read("HEAD:small.txt") == b"y"
        for missing in ("HEAD:none.txt", "0" * 40, "HEAD:", "HEAD", "a b", "", "x\ny"):
            with pytest.raises(SourceError):
                blobs.read(missing)
        assert blobs.read("HEAD:small.txt") == b"y"
