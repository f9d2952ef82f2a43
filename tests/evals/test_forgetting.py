"""A long run is lived through by the product's own path; the truth is read only to count."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from companion.errors import UsageError
from companion.ports import NoProgress
from evals.ageing.forgetting import DROP, KEEP, OURS, forgetting
from evals.ageing.lifetimes import LongRun, read_long_run

DAYS = 9


def stream() -> tuple[list[dict], list[dict]]:
    """Nine days: a berth that changes, one elsewhere that does not, talk of each day, a task at the end."""
    happens: list[dict] = []
    told: list[dict] = []

    def add(t, id_, text, group, slot, kind, *, type_="fact", over=None, env=None):
        source = "talk/1" if type_ == "conversation" else f"docs/{slot}.md"
        scope = "pier:north" if env is None else f"pier:north,env:{env}"
        happens.append(
            {"t": t, "ev": "add", "id": id_, "text": text, "type": type_, "scope": scope, "source": source}
            | {"pinned": False}
        )
        told.append(
            {"kind": "mem", "id": id_, "group": group, "slot": slot, "cls": kind, "value": "", "valid_from": t}
            | {"valid_to": over, "superseded_by": None, "env": env}
        )

    def ask(t, id_, text, group, accept, stale=()):
        happens.append({"t": t, "ev": "access", "qid": id_, "query": text, "file": "a.py"})
        told.append({"kind": "need", "qid": id_, "t": t, "group": group, "accept": list(accept), "stale": list(stale)})

    add(0.1, "m1", "north takes 40 boats", "g1", "boats", "superseded", over=6.1)
    add(
        0.2,
        "m2",
        "north takes 12 boats in winter",
        "g2",
        "winter",
        "evergreen",
        env="winter",
    )
    add(0.3, "m3", "once a year: the key of north is with Ines", "g3", "key", "rare")
    for day in range(DAYS):
        said = f"just hosed down north, round {day + 100}"
        add(day + 0.4, f"j{day}", said, f"gj{day}", f"j{day}", "ephemeral", type_="conversation")
        happens.append({"t": day + 0.999, "ev": "tick"})
    add(6.1, "m4", "north takes 55 boats", "g4", "boats", "superseded")
    ask(3.5, "q1", "how many boats does north take?", "g1", ["m1"])
    ask(7.5, "q2", "how many boats does north take?", "g4", ["m4"], ["m1"])
    ask(8.2, "q3", "who has the key of north?", "g3", ["m3"])
    happens.append({"t": 8.5, "ev": "file", "op": "rename", "path": "docs/key.md", "to": "docs/keys.md"})
    return sorted(happens, key=lambda one: one["t"]), told


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> LongRun:
    folder: Path = tmp_path_factory.mktemp("run")
    happens, told = stream()
    for name, lines in (("stream", happens), ("truth", told)):
        with gzip.open(folder / f"{name}.jsonl.gz", "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(line) + "\n" for line in lines)
    return read_long_run(folder / "stream.jsonl.gz", folder / "truth.jsonl.gz")


@pytest.fixture(scope="module")
def told(run) -> dict:
    return forgetting(run, NoProgress(), embeddings="off")


def test_nothing_that_was_needed_is_forgotten_and_what_is_over_is_not_served(told):
    ours = told["ours"]
    assert (ours["false_forgetting"], ours["need_miss"], ours["rare_miss"]) == (0, 0, 0)
    assert (ours["stale"], ours["stale_served"], ours["false_merges"]) == (0, 0, 0)


def test_less_is_kept_than_by_keeping_all(told):
    assert told["ours"]["kept"] < told["baselines"][KEEP]["kept"] == 1


def test_both_simple_rules_stand_beside_with_every_figure(told):
    assert set(told["baselines"]) == {KEEP, DROP}
    for figures in told["baselines"].values():
        assert set(figures) == set(told[OURS])
    assert told["baselines"][KEEP]["stale"] > 0


def test_the_form_is_the_one_of_all_measurements(told, run):
    assert told["eval"] == "forgetting"
    assert told["n"] == len(run.truths)
    assert json.loads(json.dumps(told)) == told | {"intervals": {k: list(v) for k, v in told["intervals"].items()}}
    assert told["settings"]["reports"] == DAYS


def test_a_scope_is_read_as_far_as_it_is_known(run):
    winter = next(one for one in run.events if getattr(one, "id", "") == "m2")
    assert (winter.about, winter.scope.environment) == ("north", "winter")


def test_a_line_of_another_form_is_refused_with_what_to_do(tmp_path):
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"ev": "dance", "t": 1}\n', encoding="utf-8")
    with pytest.raises(UsageError, match="cannot be read"):
        read_long_run(bad, bad)
