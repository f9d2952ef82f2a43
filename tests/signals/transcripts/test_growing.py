"""A log read while it grows, moves, shrinks or is written anew gives each turn once, and loses none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.records.talk import Message
from companion.signals.transcripts import (
    AssistantLogs,
    HeardTurn,
    LogPosition,
    LogReading,
    heard,
    named,
    sealed,
    unchanged,
)
from companion.store.foreign import rows_of

SAMPLES = Path(__file__).parent / "samples"
GROWING = {
    "claude-code": (named("claude-code")[0], "claude-code.jsonl"),
    "codex": (named("codex")[0], "codex.jsonl"),
    "codex of 2025": (named("codex")[0], "codex-older.jsonl"),
    "gemini": (named("gemini")[0], "gemini.jsonl"),
    "aider": (named("aider")[0], "aider.md"),
}


@dataclass
class Kept:
    """What a store keeps of a log: turns by their ids, each as long as it ever was, and how far it was read."""

    assistant: AssistantLogs
    mark: LogPosition = field(default_factory=LogPosition)
    turns: dict[tuple[str, str], Sequence[Message]] = field(default_factory=dict)

    def read(self, path: Path) -> LogReading:
        reading, found = heard(self.assistant, path, self.mark, rows_of)
        for turn in found:
            self.take(turn)
        self.mark = sealed(path, reading.mark)
        return reading

    def take(self, turn: HeardTurn) -> None:
        key = (turn.session, turn.id)
        if _length(turn.messages) >= _length(self.turns.get(key, ())):
            self.turns[key] = turn.messages


def _length(messages: Sequence[Message]) -> int:
    return sum(len(message.text) for message in messages)


def whole(assistant: AssistantLogs, content: bytes) -> dict[tuple[str, str], Sequence[Message]]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "log"
        path.write_bytes(content)
        kept = Kept(assistant)
        kept.read(path)
        return kept.turns


@pytest.mark.parametrize(("assistant", "name"), GROWING.values(), ids=GROWING)
@settings(max_examples=10, deadline=None)
@given(cuts=st.lists(st.floats(0, 1), max_size=5), times=st.integers(1, 2))
def test_however_it_was_cut_while_it_grew_the_turns_are_the_same(
    assistant: AssistantLogs, name: str, cuts: list[float], times: int
):
    content = (SAMPLES / name).read_bytes()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "log"
        kept = Kept(assistant)
        for cut in [*sorted(cuts), 1.0]:
            path.write_bytes(content[: round(cut * len(content))])
            for _ in range(times):
                kept.read(path)
    assert kept.turns == whole(assistant, content)
    assert list(kept.turns) == list(whole(assistant, content))


def test_reading_on_reads_only_the_last_turn_again(tmp_path: Path):
    assistant, path = named("claude-code")[0], tmp_path / "s.jsonl"
    content = (SAMPLES / "claude-code.jsonl").read_bytes()
    path.write_bytes(content)
    kept = Kept(assistant)
    assert kept.read(path).records == content.count(b"\n")
    assert kept.read(path).records == content[content.index(b'{"type":"user","isSidechain":false,"uuid":"u3"') :].count(
        b"\n"
    )


def test_a_log_that_did_not_change_is_known_without_opening_it(tmp_path: Path):
    assistant, path = named("claude-code")[0], tmp_path / "s.jsonl"
    path.write_bytes((SAMPLES / "claude-code.jsonl").read_bytes())
    kept = Kept(assistant)
    assert not unchanged(assistant, path, kept.mark)
    kept.read(path)
    assert unchanged(assistant, path, kept.mark)
    with path.open("ab") as file:
        file.write(b"{}\n")
    assert not unchanged(assistant, path, kept.mark)


def test_a_log_that_was_moved_goes_on_where_it_was(tmp_path: Path):
    assistant, path = named("codex")[0], tmp_path / "a.jsonl"
    content = (SAMPLES / "codex.jsonl").read_bytes()
    path.write_bytes(content)
    kept = Kept(assistant)
    kept.read(path)
    moved = path.rename(tmp_path / "b.jsonl")
    assert kept.read(moved).records < content.count(b"\n")
    assert kept.turns == whole(assistant, content)


def test_a_log_that_was_written_anew_is_read_from_its_start(tmp_path: Path):
    assistant, path = named("claude-code")[0], tmp_path / "s.jsonl"
    content = (SAMPLES / "claude-code.jsonl").read_bytes()
    path.write_bytes(content)
    kept = Kept(assistant)
    kept.read(path)
    before = dict(kept.turns)
    other = content.replace(b'"uuid":"u1"', b'"uuid":"v1"').replace(b"cents", b"pence")
    path.write_bytes(other)
    kept.read(path)
    assert kept.turns == {**before, **whole(assistant, other)}, "what was said stays, what is new comes in once"


def test_a_log_that_shrank_takes_nothing_away(tmp_path: Path):
    assistant, path = named("gemini")[0], tmp_path / "s.jsonl"
    content = (SAMPLES / "gemini.jsonl").read_bytes()
    path.write_bytes(content)
    kept = Kept(assistant)
    kept.read(path)
    path.write_bytes(content[: len(content) // 2])
    kept.read(path)
    assert kept.turns == whole(assistant, content)


def test_a_last_line_that_is_half_written_waits(tmp_path: Path):
    assistant, path = named("claude-code")[0], tmp_path / "s.jsonl"
    lines = (SAMPLES / "claude-code.jsonl").read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:4]) + lines[6][:50])
    kept = Kept(assistant)
    reading = kept.read(path)
    assert (reading.faults, len(kept.turns)) == (0, 1)
    path.write_bytes(b"".join(lines))
    kept.read(path)
    assert kept.turns == whole(assistant, b"".join(lines))


DAMAGED: dict[str, Callable[[bytes], bytes]] = {
    "a line of nonsense": lambda content: content.replace(b"\n", b"\nnonsense\n", 1),
    "a line cut off": lambda content: content.replace(b"\n", b'\n{"type":"user","mess\n', 1),
    "another program's line": lambda content: content.replace(b"\n", b'\n{"level":"info","msg":"up"}\n', 1),
    "a list": lambda content: content.replace(b"\n", b"\n[1, 2]\n", 1),
    "a number that never ends": lambda content: content.replace(b"\n", b'\n{"n":' + b"9" * 9_999 + b"}\n", 1),
    "objects that nest without end": lambda content: content.replace(
        b"\n", b"\n" + b'{"a":' * 99_999 + b"1" + b"}" * 99_999 + b"\n", 1
    ),
    "bytes that are no text": lambda content: content.replace(b"\n", b"\n\xff\xfe\x00\x80\n", 1),
    "a line in UTF-16": lambda content: content.replace(
        b"\n", b"\n" + '{"type":"user"}'.encode("utf-16-le").replace(b"\n", b"") + b"\n", 1
    ),
}


@pytest.mark.parametrize("damage", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_line_is_counted_and_the_rest_is_read(tmp_path: Path, damage: Callable[[bytes], bytes]):
    assistant, path = named("claude-code")[0], tmp_path / "s.jsonl"
    content = (SAMPLES / "claude-code.jsonl").read_bytes()
    path.write_bytes(damage(content))
    kept = Kept(assistant)
    reading = kept.read(path)
    assert reading.faults == 1
    assert kept.turns == whole(assistant, content)


def test_a_line_of_a_million_characters_is_read(tmp_path: Path):
    assistant, path = named("claude-code")[0], tmp_path / "s.jsonl"
    content = (SAMPLES / "claude-code.jsonl").read_bytes().replace(b"Done: total", b"Done: " + b"x" * 1_000_000)
    path.write_bytes(content)
    kept = Kept(assistant)
    assert kept.read(path).faults == 0
    assert max(len(message.text) for messages in kept.turns.values() for message in messages) == 1_000_000


def test_a_line_beyond_all_measure_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from companion.signals.transcripts import incremental as room

    monkeypatch.setattr(room, "LINE_BYTES", 10_000)
    assistant, path = named("claude-code")[0], tmp_path / "s.jsonl"
    content = (SAMPLES / "claude-code.jsonl").read_bytes()
    path.write_bytes(content.replace(b"\n", b'\n{"type":"user","x":"' + b"y" * 45_000 + b'"}\n', 1))
    kept = Kept(assistant)
    assert kept.read(path).faults == 1
    assert kept.turns == whole(assistant, content)


@pytest.mark.parametrize("name", ["vscode.json", "gemini.json", "cline.json"])
def test_a_document_that_is_no_log_gives_nothing(tmp_path: Path, name: str):
    assistant = {
        "vscode.json": named("vscode-chat")[0],
        "gemini.json": named("gemini")[1],
        "cline.json": named("cline")[0],
    }
    path = tmp_path / name
    content = (SAMPLES / name).read_bytes()
    for bad in (b"", b"{}", b"[]", b'{"a": 1}', content[: len(content) // 2], b"\xff\xfe" + content, b"nonsense"):
        path.write_bytes(bad)
        assert Kept(assistant[name]).read(path).records == 0


def test_a_database_that_is_none_is_refused(tmp_path: Path):
    from companion.errors import SourceError

    path = tmp_path / "state.vscdb"
    path.write_bytes(b"nonsense" * 1000)
    with pytest.raises(SourceError, match="not a readable database"):
        Kept(named("cursor")[0]).read(path)


def test_what_is_no_file_is_refused(tmp_path: Path):
    from companion.errors import SourceError

    for path in (tmp_path, tmp_path / "gone.jsonl"):
        with pytest.raises(SourceError):
            Kept(named("codex")[0]).read(path)
