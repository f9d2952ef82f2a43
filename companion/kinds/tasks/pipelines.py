"""CI files: their jobs, with the commands of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import PurePosixPath

from companion.kinds.facts.located import Node, yaml
from companion.kinds.facts.rules import makes_ready
from companion.kinds.tasks.task import TaskReader, commands_of
from companion.records import FileSeen
from companion.records.declared import Declaration

JOBS_MOST = 40
"""Jobs of a file that are listed: more are a matrix spelled out."""
_FORGES_OWN = "actions/"
"""How steps begin that the forge itself brings: they fetch, set up and put away."""


def read(file: FileSeen, paths: Sequence[str]) -> Iterator[Declaration]:
    """The jobs of one CI file that do more than make ready: a row each."""
    root = yaml(file.text)
    jobs = _jobs(PurePosixPath(file.path), root) if root is not None else {}
    stem = PurePosixPath(file.path).stem if ".github" in file.path else "ci"
    pipeline = "ci" if stem.lower() == "ci" else f"ci ({stem})"
    telling = ((name, job, said) for name, job in jobs.items() if (said := "; ".join(_does(job))))
    for name, job, said in islice(telling, JOBS_MOST):
        yield Declaration(file.path, job.line, f"{pipeline}: {name}", said, f"{pipeline} runs {name}: {said}")


def _jobs(path: PurePosixPath, root: Node) -> Mapping[str, Node]:
    """The jobs of a file by name; of GitLab's, where each stands by itself, those that no other job only shares."""
    if path.name != ".gitlab-ci.yml":
        return (root.at("jobs") or Node(1, {})).fields()
    return {name: job for name, job in root.fields().items() if not name.startswith(".") and job.at("script")}


def _does(job: Node) -> tuple[str, ...]:
    """The commands of a job; where it has none, what it uses of others."""
    found: list[str] = []
    used: list[str] = []
    for step in (job.at("steps") or job.at("script") or Node(1, [])).items():
        uses = (step.at("uses") or Node(1, "")).text
        run = step.at("run", "command") or step.at("run") or (step if step.text else None)
        used += [f"uses {uses.partition('@')[0]}"] if uses and not uses.startswith(_FORGES_OWN) else []
        found += commands_of(run.text) if run is not None else ()
    telling = [command for command in found if not makes_ready(command)]
    return tuple(dict.fromkeys(telling or (used if not found else ())))


READER = TaskReader(
    ("/.github/workflows/*.yml", "/.github/workflows/*.yaml", "/.gitlab-ci.yml", "/.circleci/config.yml"),
    read,
)
