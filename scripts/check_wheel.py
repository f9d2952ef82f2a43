"""Build the wheel, install it in a clean environment, and run the main commands with it on a small repository.

Usage: scripts/check_wheel.py [WHEEL]      a wheel that is there already is not built
"""

from __future__ import annotations

import json
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
_HELLO = {"jsonrpc": "2.0", "id": 1, "method": "initialize"}
_MCP = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "check", "version": "1"}}
_MCP_HELLO = json.dumps({**_HELLO, "params": _MCP}) + "\n"
_LSP_HELLO = [
    json.dumps({**_HELLO, "params": {"processId": None, "rootUri": None, "capabilities": {}}}),
    json.dumps({"jsonrpc": "2.0", "id": 2, "method": "shutdown"}),
    json.dumps({"jsonrpc": "2.0", "method": "exit"}),
]
TRIED = (
    ("--version", "", "companion "),
    ("init", "", "Read 1 commit and 1 file"),
    ("context --file app.py", "", "# Context for repo"),
    ("why app.py:4", "", "Greet people by name"),
    ("search greet", "", "app.py"),
    ("connect", "", "companion connect other"),
    ("connect helix --print", "", "language-server.companion"),
    ("start", "", "The background service is process"),
    ("status", "", "0 attached"),
    ("mcp", _MCP_HELLO, '"serverInfo"'),
    ("lsp --stdio", "".join(f"Content-Length: {len(one)}\r\n\r\n{one}" for one in _LSP_HELLO), '"hoverProvider"'),
    ("page --no-open", "", "http://127.0.0.1:"),
    ("doctor", "", "All is well."),
    ("stop", "", "has ended"),
    ("--show-completion bash", "", "_COMPANION_COMPLETE"),
)
"""Commands, what is typed into them, and what they must say."""


def main() -> None:
    """Leave with an error where any step fails."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        wheel = holding(Path(sys.argv[1]) if sys.argv[1:] else build(folder))
        python = install(wheel, folder / "env")
        try_out(python, folder)
    print(f"{wheel.name}: built, installed and run.")


def build(folder: Path) -> Path:
    """The wheel of this checkout."""
    run(sys.executable, "-m", "build", "--wheel", "--outdir", str(folder), str(ROOT))
    (wheel,) = folder.glob("*.whl")
    return wheel


def holding(wheel: Path) -> Path:
    """The wheel, which must have what is not Python too."""
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
    """The main commands on a repository of one commit, far from this checkout, as somebody in an empty home."""
    repo = folder / "repo"
    repo.mkdir()
    (repo / "app.py").write_text('"""Greets."""\n\n\ndef greet(name: str) -> str:\n    return f"Hello {name}"\n')
    git = ["git", "-C", str(repo), "-c", "user.name=A", "-c", "user.email=a@example.org"]
    run(*git, "init", "--quiet")
    run(*git, "add", ".")
    run(*git, "commit", "--quiet", "-m", "Greet people by name")
    home = folder / "user"
    home.mkdir()
    environment = {**os.environ, "HOME": str(home), "USERPROFILE": str(home), "COMPANION_HOME": str(home / "data")}
    environment.pop("PYTHONPATH", None)
    companion = str(python.parent / ("companion.exe" if os.name == "nt" else "companion"))
    try:
        for words, given, said in TRIED:
            told = run(companion, *words.split(), cwd=repo, env=environment, given=given)
            if said not in told:
                sys.exit(f"companion {words} does not say {said!r}:\n{told}")
    finally:
        subprocess.run([companion, "stop"], cwd=repo, env=environment, capture_output=True, check=False)


def run(*command: str, cwd: Path | None = None, env: dict[str, str] | None = None, given: str = "") -> str:
    """What a command that must succeed says."""
    done = subprocess.run(command, cwd=cwd, env=env, input=given, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main()
