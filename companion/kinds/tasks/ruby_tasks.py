"""Rakefile: tasks with what they are for; read, never run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from companion.kinds.tasks.task import TaskReader, task_row
from companion.records import FileSeen
from companion.records.declared import Declaration

_TASK = re.compile(r"^(?P<space>\s*)task[\s(]+[:'\"]?(?P<name>[\w:]+)['\"]?:?")
_MADE = re.compile(
    r"^\s*(?:Rake::TestTask|RSpec::Core::RakeTask|Minitest::TestTask|RuboCop::RakeTask|YARD::Rake::\w+)\.(?:new|create)(?:\(:?'?(?P<name>[\w:]+))?"
)
_DESC = re.compile(r"^\s*desc\s+[\"'](?P<about>[^\"']+)")
_SPACE = re.compile(r"^\s*namespace\s+[:'\"]?(?P<name>\w+)")
_DEFAULTS = {
    "Rake::TestTask": "test",
    "Minitest::TestTask": "test",
    "RSpec::Core": "spec",
    "RuboCop": "rubocop",
    "YARD": "yard",
}


def read(file: FileSeen, paths: Sequence[str]) -> Iterator[Declaration]:
    """The tasks of a Rakefile."""
    about, spaces = "", []  # type: str, list[tuple[int, str]]
    for number, line in enumerate(file.text.split("\n"), start=1):
        indent = len(line) - len(line.lstrip())
        if re.match(r"^\s*end\b", line) and spaces and spaces[-1][0] == indent:
            spaces.pop()
        elif desc := _DESC.match(line):
            about = desc["about"]
        elif space := _SPACE.match(line):
            spaces.append((indent, space["name"]))
        elif made := _MADE.match(line):
            name = made["name"] or next((d for key, d in _DEFAULTS.items() if key in line), "")
            yield from _task(file, number, name, spaces, about)
            about = ""
        elif task := _TASK.match(line):
            yield from _task(file, number, task["name"], spaces, about)
            about = ""


def _task(file: FileSeen, line: int, name: str, spaces: list[tuple[int, str]], about: str) -> Iterator[Declaration]:
    """One task under its full name."""
    full = ":".join([*(space for _, space in spaces), name.rstrip(":")])
    yield task_row(file, line, f"bundle exec rake {full}", about="" if "#{" in about else about)


READER = TaskReader(("/Rakefile", "/rakefile", "/Rakefile.rb"), read)
