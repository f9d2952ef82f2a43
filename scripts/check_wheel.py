"""Build the wheel, install it in a clean environment, and run the main job with it on a small repository."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MUST_HOLD = ("companion_schema/migrations/0001_projects.sql", "companion/adapters/data/minilm_vocab.txt")
"""Files that are not Python and that a wheel must not lose."""


def main() -> None:
    """Leave with an error where any step fails."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        wheel = build(folder)
        python = install(wheel, folder / "env")
        try_out(python, folder)
    print(f"{wheel.name}: built, installed and run.")


def build(folder: Path) -> Path:
    """The wheel of this checkout."""
    run(sys.executable, "-m", "build", "--wheel", "--outdir", str(folder), str(ROOT))
    (wheel,) = folder.glob("*.whl")
    names = subprocess.run(
        [sys.executable, "-m", "zipfile", "-l", str(wheel)], check=True, capture_output=True, text=True
    ).stdout
    missing = [name for name in MUST_HOLD if name not in names]
    if missing:
        sys.exit(f"{wheel.name} lacks {', '.join(missing)}.")
    return wheel


def install(wheel: Path, target: Path) -> Path:
    """An environment that holds the wheel and its dependencies alone; returns its python."""
    pinned = ["-c", str(ROOT / "constraints.txt")]
    if uv := shutil.which("uv"):
        run(uv, "venv", "--quiet", "--python", sys.executable, str(target))
        python = python_of(target)
        run(uv, "pip", "install", "--quiet", "--python", str(python), *pinned, str(wheel))
        return python
    venv.create(target, with_pip=True)
    python = python_of(target)
    quietly = ("--quiet", "--disable-pip-version-check", "--no-compile")  # two commands use little of it
    run(str(python), "-m", "pip", "install", *quietly, *pinned, str(wheel))
    return python


def python_of(target: Path) -> Path:
    """The interpreter of an environment."""
    windows = target / "Scripts" / "python.exe"
    return windows if windows.exists() else target / "bin" / "python"


def try_out(python: Path, folder: Path) -> None:
    """Init and context on a repository of one commit, far from this checkout."""
    repo = folder / "repo"
    repo.mkdir()
    (repo / "app.py").write_text('"""Greets."""\n\n\ndef greet(name: str) -> str:\n    return f"Hello {name}"\n')
    git = ["git", "-C", str(repo), "-c", "user.name=A", "-c", "user.email=a@example.org"]
    run(*git, "init", "--quiet")
    run(*git, "add", ".")
    run(*git, "commit", "--quiet", "-m", "Greet people by name")
    environment = {**os.environ, "COMPANION_HOME": str(folder / "home")}
    environment.pop("PYTHONPATH", None)
    companion = python.parent / ("companion.exe" if os.name == "nt" else "companion")
    for arguments in (["init", str(repo)], ["context", "--repo", str(repo), "--file", str(repo / "app.py")]):
        run(str(companion), *arguments, cwd=folder, env=environment)


def run(*command: str, cwd: Path | None = None, env: dict[str, str] | None = None) -> None:
    """A command that must succeed."""
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    main()
