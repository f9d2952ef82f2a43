"""Rakefile: tasks with what they are for; read, never run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from companion.kinds.tasks.task import Task, TaskReader, trigger_of
from companion.records import FileSeen

_TASK = re.compile(r"^(?P<space>\s*)task[\s(]+[:'\"]?(?P<name>[\w:]+)['\"]?:?\s*(?:=>|,|do|\{|$|\))?(?P<rest>.*)$")
_MADE = re.compile(
    r"^\s*(?:Rake::TestTask|RSpec::Core::RakeTask|Minitest::TestTask|RuboCop::RakeTask|YARD::Rake::\w+)\.(?:new|create)(?:\(:?'?(?P<name>[\w:]+))?"
)
_DESC = re.compile(r"^\s*desc\s+[\"'](?P<about>[^\"']+)")
_SPACE = re.compile(r"^\s*namespace\s+[:'\"]?(?P<name>\w+)")
_NEEDS = re.compile(r"[:'\"]([\w:]+)['\"]?")
_DEFAULTS = {
    "Rake::TestTask": "test",
    "Minitest::TestTask": "test",
    "RSpec::Core": "spec",
    "RuboCop": "rubocop",
    "YARD": "yard",
}


def read(file: FileSeen, paths: Sequence[str]) -> Iterator[Task]:
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
            yield from _task(name, spaces, number, "", about)
            about = ""
        elif task := _TASK.match(line):
            needed = "" if line.rstrip().endswith("do |t|") else task["rest"].split(" do")[0].split("{")[0]
            yield from _task(task["name"], spaces, number, needed, about)
            about = ""


def _task(name: str, spaces: list[tuple[int, str]], line: int, rest: str, about: str) -> Iterator[Task]:
    """One task under its full name; `install` puts the project's own gem into the system and sets nothing up."""
    full = ":".join([*(space for _, space in spaces), name.rstrip(":")])
    about = "" if "#{" in about else about
    needs = tuple(need for need in _NEEDS.findall(rest) if need != name)
    trigger = trigger_of(full)
    if trigger and not (trigger == "setup" and full.partition(":")[0] == "install"):
        yield Task(full, trigger, f"bundle exec rake {full}", line, (), needs, about)


READER = TaskReader("rake", ("/Rakefile", "/rakefile", "/Rakefile.rb"), read)
