"""One of each thing that the house is made to take in, as somebody would add it: files that are new, lines put in."""

from __future__ import annotations

import re
import shutil
import tomllib
from dataclasses import dataclass
from pathlib import Path

from house.source import FOLDERS, ROOT

ABOVE = ("", "companion/", "companion/surfaces/", "lsp/companion_lsp/")
"""Where a path that a document names may begin."""


@dataclass(frozen=True)
class Addition:
    """What is added: under which rows of ARCHITECTURE's table, new files, and changes of files that are there.

    `edits` are, by file, what stands there and what comes to stand in its place.
    """

    rows: tuple[str, ...]
    files: dict[str, str]
    edits: dict[str, tuple[tuple[str, str], ...]]

    @property
    def touched(self) -> set[str]:
        """The files that it needs."""
        return {*self.files, *self.edits}

    def make(self, copy: Path) -> None:
        """Add it to a copy of the repository."""
        for path, text in self.files.items():
            assert not (copy / path).exists(), path
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            (copy / path).write_text(text, encoding="utf-8")
        for path, pairs in self.edits.items():
            text = (copy / path).read_text(encoding="utf-8")
            for before, after in pairs:
                assert text.count(before) == 1, (path, before)
                text = text.replace(before, after)
            (copy / path).write_text(text, encoding="utf-8")


def copied(to: Path) -> Path:
    """A copy of the product, without what was built."""
    for folder in FOLDERS.values():
        shutil.copytree(ROOT / folder, to / folder, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    shutil.copy(ROOT / "pyproject.toml", to)
    return to


def installed(copy: Path) -> Path:
    """Tell Python what a copy's `pyproject.toml` plugs in, as an installer does."""
    project = tomllib.loads((copy / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    told = copy / "companion_context-0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 0\n")
    groups = project["entry-points"] | {"console_scripts": project["scripts"]}
    lines = [f"[{group}]\n" + "".join(f"{a} = {b}\n" for a, b in names.items()) for group, names in groups.items()]
    (told / "entry_points.txt").write_text("\n".join(lines))
    return copy


def allowed(row: str) -> set[str]:
    """The files and folders that ARCHITECTURE says are touched, in the row that begins so."""
    table = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").partition("## Where a new one goes")[2]
    (line,) = [line for line in table.splitlines() if line.startswith(f"| {row} |")]
    named = re.findall(r"`([\w./-]+(?:/|\.py|\.toml|\.txt|\.md))`", line)
    return {
        next(f"{above}{path}" for above in ABOVE if (ROOT / above / path).exists()) for path in named if path != "plan"
    }


LANGUAGE = Addition(
    ("a language",),
    {
        "companion/syntax/queries/arduino.scm": "; inherits: cpp\n",
        "tests/syntax/samples/blink.ino": "/* Blinks. */\nvoid setup() { pin(); }\n\nvoid loop() { setup(); }\n",
    },
    {
        "companion/syntax/languages.py": (
            (
                '    _Row("csharp",',
                '    _Row("arduino", "tree_sitter_cpp", ".ino", Public.NOT_STATIC),\n    _Row("csharp",',
            ),
        )
    },
)

EXTRACTOR = Addition(
    ("an extractor",),
    {
        "companion/kinds/mottos.py": '''"""Mottos: what a file of that name says."""

from collections.abc import Iterator, Sequence

from companion.kinds.levels import ladder
from companion.ports import World
from companion.records import Draft, Evidence, EvidenceKind, FactType, Kind


class Mottos:
    """Learns the motto of a project."""

    name = "mottos"

    def origins(self, world: World) -> Sequence[str]:
        """The file, where it changed."""
        return [file.path for file in world.changed_texts(("MOTTO",))]

    def learn(self, world: World) -> Iterator[Draft]:
        """What it says."""
        for file in world.changed_texts(("MOTTO",)):
            motto = file.text.strip()
            yield Draft(
                kind=Kind.FACT,
                type=FactType.RELATIONSHIP.value,
                subject="motto",
                attribute="says",
                value=motto,
                levels=ladder(f"The motto is: {motto}"),
                origin=file.path,
                evidence=(Evidence(EvidenceKind.FILE, file.path, None, motto),),
                entities=(),
            )
'''
    },
    {
        "companion/kinds/__init__.py": (
            ('    "history.episodes:Episodes",\n', '    "history.episodes:Episodes",\n    "mottos:Mottos",\n'),
        )
    },
)

PASS_WITH_A_CHANGE = Addition(
    ("a pass", "a change of a run"),
    {
        "consolidation/companion_consolidation/highlight.py": '''"""Mottos are what matters most."""

from collections.abc import Iterator

from msgspec import Struct

from companion.ports import Archive
from companion.records import Change
from companion.records.tidying import Highlight

_MOTTOS = """
select id
from memories
where project_id = $project
    and status = 'active'
    and subject = 'motto'
    and importance < 3
"""


class Motto(Struct, frozen=True):
    """A motto that does not matter yet."""

    id: str


def plan(archive: Archive) -> Iterator[Change]:
    """A light on each."""
    for one in archive.rows(Motto, _MOTTOS):
        yield Highlight(one.id, "a motto is for everybody")
'''
    },
    {
        "pyproject.toml": (
            (
                '60-link = "companion_consolidation.link"\n',
                '55-highlight = "companion_consolidation.highlight"\n60-link = "companion_consolidation.link"\n',
            ),
        ),
        "companion/records/tidying.py": (
            (
                "Change = (\n    Retire\n",
                '''class Highlight(_Change, frozen=True):
    """A memory comes before all others."""

    heading: ClassVar[Heading] = Heading(45, headings.ReportPart.STAYS, "Highlighted", "They come first.")

    id: str
    reason: str

    def told(self, named: Sequence[str], was: str) -> str:
        """What it did, or would do, to which memories."""
        return f"{named[0]} {was} lit up"


Change = (
    Retire
    | Highlight
''',
            ),
        ),
        "companion/store/consolidation/changes/moving.py": (
            ("WARM = Statements(", 'HIGHLIGHT = Statements((_columns(importance="3"),))\n\nWARM = Statements('),
        ),
    },
)

VERB = Addition(
    ("a verb", "a tool"),
    {},
    {
        "companion/api/memory.py": (
            (
                "    def timeline(self, query",
                '''    def sayings(self, word: str) -> int:
        """How many memories have a word."""

    def timeline(self, query''',
            ),
        ),
        "companion/api/routes.py": (
            (
                '    _route("superseded", "memory"),',
                '    _route("sayings", "memory"),\n    _route("superseded", "memory"),',
            ),
        ),
        "companion/app/verbs/memory/memories.py": (
            (
                "    def timeline(self, query",
                '''    def sayings(self, word: str) -> int:
        """How many memories have a word."""
        from companion.store.by_columns import column_where

        texts = column_where(self.store.database, "memories", "content_full", project_id=self.here.project)
        return sum(word in text for text in texts)

    def timeline(self, query''',
            ),
        ),
        "companion/surfaces/mcp/tools/memories.py": (
            (
                "ROWS = (context,",
                '''@tool("call sayings")
def sayings(working: Working, word: str) -> Answer:
    """Count the memories that have a word."""
    return answers.plain(f"{working.companion.sayings(word)} have it.")


ROWS = (sayings, context,''',
            ),
        ),
    },
)

JUDGE = Addition(
    ("a judge",),
    {
        "companion/judge/drinks.py": '''"""What people drink; all else is another judge's."""

from companion.ports import Judge
from companion.records import Ruling, Statement


class DrinkJudge:
    """Knows that nobody likes both tea and coffee."""

    def __init__(self, other: Judge) -> None:
        self._other = other

    @property
    def name(self) -> str:
        """Name and version."""
        return f"{self._other.name}, drinks 1"

    def rule(self, a: Statement, b: Statement) -> Ruling:
        """Whether the two can both hold."""
        if {"tea", "coffee"} <= {*a.text.lower().split(), *b.text.lower().split()}:
            return Ruling(contradict=True, confidence=0.95, reason="nobody likes both", judge=self.name)
        return self._other.rule(a, b)
'''
    },
    {
        "companion/app/consolidation/judges.py": (
            (
                "    from companion.judge.learned import",
                "    from companion.judge.drinks import DrinkJudge\n    from companion.judge.learned import",
            ),
            (
                "    return rules() if found is None else LocalJudge(found, alike, thorough=thorough)",
                "    return DrinkJudge(rules() if found is None else LocalJudge(found, alike, thorough=thorough))",
            ),
        )
    },
)

FEATURE = Addition(
    ("an editor feature",),
    {
        "lsp/companion_lsp/features/mottos.py": '''"""`companion/motto`: what to put over a window."""

from companion_lsp.requests import answers
from companion_lsp.server import CompanionServer


def register(server: CompanionServer) -> None:
    """Answers companion/motto."""
    answers(server, "companion/motto", lambda params: params, motto)


async def motto(server: CompanionServer, ask: object) -> object:
    """The motto."""
    return {"motto": "Add in one place."}
'''
    },
    {
        "lsp/companion_lsp/features/__init__.py": (
            ("    links,\n    now,\n", "    links,\n    mottos,\n    now,\n"),
            ("    story,\n    asks,\n", "    story,\n    mottos,\n    asks,\n"),
        )
    },
)

EVERY = {
    "language": LANGUAGE,
    "extractor": EXTRACTOR,
    "pass with a change": PASS_WITH_A_CHANGE,
    "verb": VERB,
    "judge": JUDGE,
    "editor feature": FEATURE,
}
