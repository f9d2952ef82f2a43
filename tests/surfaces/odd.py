"""What tests of odd repositories and odd files share."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from repos import Repo

from surfaces.shells import Said

NewRepo = Callable[..., Repo]

posix_only = pytest.mark.skipif(os.name != "posix", reason="names, links and modes as POSIX has them")


def code(repo: Repo) -> Repo:
    """One module, committed."""
    repo.write("app.py", "def start():\n    return 1\n")
    repo.commit("Add the app")
    return repo


def skipped(said: Said) -> dict[str, str]:
    """Path to reason of what `init --json` left out."""
    return {one["path"]: one["reason"] for one in said.json["skipped"]}
