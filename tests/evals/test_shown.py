"""What came of killing processes, as a program reads it."""

from __future__ import annotations

import json

import pytest
from msgspec import Struct

from evals.kills.durability import Durable
from evals.kills.imports import ImportKills
from evals.kills.runs import Survived
from evals.kills.talks import TalkKills
from evals.kills.team import TeamStorm
from evals.shown import show_storm


@pytest.mark.parametrize("storm", [Durable, ImportKills, Survived, TalkKills, TeamStorm])
def test_a_storm_is_told_as_json_by_its_fields(storm: type[Struct], capsys: pytest.CaptureFixture[str]) -> None:
    figures = {name: number for number, name in enumerate(storm.__struct_fields__)}
    for told in (storm(**figures), {"one": storm(**figures)}):
        show_storm(told, "", {}, holds=True, as_json=True)
        said = json.loads(capsys.readouterr().out)
        assert said.get("one", said) == figures
