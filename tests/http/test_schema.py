"""The published document is true: what it allows is answered as it says, what it forbids is refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from daemons import TOKEN, Served, start
from hypothesis import HealthCheck, settings

from companion.surfaces.http.openapi import described

EXAMPLES = 4
"""For each verb, beside those that schemathesis makes of every limit and type by itself."""
PLACES = ("folder", "target", "path")
"""Fields that may name a place on the disk; wherever they lead, they must lead into the test's folder."""

schema = schemathesis.openapi.from_dict(described())


@pytest.fixture(scope="module")
def staying(read_shop: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A daemon that answers everything, and stays when it is asked to stop."""
    import shutil

    root, home = read_shop
    folder = tmp_path_factory.mktemp("staying")
    with ExitStack() as stack:
        shutil.copytree(home, folder / "home")
        yield start(folder / "home", root, stack, folder, stays=True)


@schema.parametrize()
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
def test_the_api_is_as_it_is_published(case: Any, staying: Served):
    if isinstance(case.body, dict):
        aim(case, staying)
    case.call_and_validate(
        base_url=f"http://127.0.0.1:{staying.tcp.port}",
        headers={"Authorization": f"Bearer {TOKEN}"},
        timeout=120,
    )


def aim(case: Any, staying: Served) -> None:
    """Point a well-formed request at the shop, and what it writes at a folder of its own."""
    fit = case.meta.generation.mode.is_positive
    if fit and "repo" in case.body:
        case.body["repo"] = str(staying.root)
    if case.path in {"/export", "/backup", "/import"}:
        for name in PLACES:
            if isinstance(case.body.get(name), str):
                case.body[name] = str(staying.root.parent / "written" / name)
