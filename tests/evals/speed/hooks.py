"""How long an assistant waits for a hook, by what has become of the daemon; and whether the hook ever says too much.

Each run is a process as an assistant starts it, timed from before it is started until it has ended and let go of its
streams. Before each run the daemon is brought into the state that is measured. Beside it stands a Python that does
nothing: what remains is ours.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from companion.client.finding import lock_holder, lock_is_held
from companion.client.starting import start_daemon, stop_daemon
from companion.evals.statistics import Figures, percentile, rounded
from evals.speed.processes import companion, git, own_home

LIMIT_S = 0.3
"""What a hook may take, 99 times of 100."""
ANSWER_MAX_BYTES = 100_000
"""An answer of 600 tokens, many times over."""
HANGS_S = 30.0
"""A hook that takes longer hangs."""
SETTLE_S = 60.0
"""How long a daemon may take to come to rest."""
FILE = "shop/price.py"

LIVES = ("alive", "busy", "dead")
"""What a daemon may have come to where there was one."""

Progress = Callable[[int, int], None]
Bring = Callable[[Path], None]


@dataclass(frozen=True)
class HookTimes:
    """What one state of the daemon came to. `broken` are runs that ended badly, or said what they should not."""

    state: str
    event: str
    answered: int
    """Runs that said where work stopped."""
    milliseconds: Figures
    broken: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether the hook kept its word."""
        return not self.broken and self.milliseconds["p99"] < 1000 * LIMIT_S


def hook_times(
    folder: Path, runs: int, progress: Progress = lambda *_: None, states: Sequence[str] = ("absent", *LIVES)
) -> dict[str, object]:
    """Measure the hooks, so many runs a state (absent first), over a store of its own in `folder`."""
    root, home = folder / "shop", folder / "home"
    _make_repository(root)
    found: list[HookTimes] = []
    with own_home(home, DAEMON="auto", EMBEDDINGS="off"):
        for event in ("session-start", "session-end"):
            for state in states:
                bring = STATES[state]
                if state == "alive":  # a daemon that works in the repository, as it does when a session begins
                    bring(home)
                    companion(root, "greeting")
                progress(len(found), 2 * len(states))
                found.append(_measured(state, event, runs, root, home, bring))
                _wake(home)
                if len(found) == 1:
                    companion(root, "init")  # nobody had ever lived here before
                    companion(root, "todo", "Ask Mara for the rates")
    return {
        "eval": "hooks",
        "n": runs * len(found),
        "limit_ms": 1000 * LIMIT_S,
        "holds": all(one.holds for one in found),
        "broken": [what for one in found for what in one.broken],
        "by": {f"{one.event}, daemon {one.state}": {**one.milliseconds, "answered": one.answered} for one in found},
        "baselines": {"a Python that does nothing": _figures([_nothing(root) for _ in range(runs)])},
        "settings": {"runs": runs, "figures": "milliseconds"},
    }


def _measured(state: str, event: str, runs: int, root: Path, home: Path, bring: Bring) -> HookTimes:
    seconds: list[float] = []
    broken: list[str] = []
    answered = 0
    for _ in range(runs):
        bring(home)
        took, said, wrong = _run(event, root)
        seconds.append(took)
        answered += bool(said)
        if wrong or (said and not _is_answer(said)):
            broken.append(f"{event}, daemon {state}: {wrong or 'an answer that is none'}")
    return HookTimes(state, event, answered, _figures(seconds), tuple(broken))


def _run(event: str, root: Path) -> tuple[float, bytes, str]:
    """One hook: how long it took, what it said, and what was wrong with its end."""
    told = {"cwd": str(root), "session_id": "measured", "transcript_path": str(root / "none.jsonl")}
    program = Path(sys.executable).with_name("companion")
    command = [str(program)] if program.exists() else [sys.executable, "-m", "companion.surfaces.cli"]
    before = time.perf_counter()
    done = subprocess.run(
        [*command, "hook", event],
        input=json.dumps(told).encode(),
        cwd=root,
        capture_output=True,
        timeout=HANGS_S,
        check=False,
    )
    took = time.perf_counter() - before
    wrong = f"exit code {done.returncode}" if done.returncode else "spoke on standard error" if done.stderr else ""
    return took, done.stdout, wrong


def _nothing(root: Path) -> float:
    before = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], cwd=root, capture_output=True, check=True)
    return time.perf_counter() - before


def _is_answer(said: bytes) -> bool:
    try:
        return len(said) < ANSWER_MAX_BYTES and "additionalContext" in json.loads(said)["hookSpecificOutput"]
    except (ValueError, KeyError, TypeError):
        return False


def _figures(seconds: Sequence[float]) -> Figures:
    ms = [1000 * one for one in seconds]
    return rounded({f"p{part}": percentile(ms, part / 100) for part in (50, 95, 99)} | {"most": max(ms)})


# States of the daemon


def _alive(home: Path) -> None:
    start_daemon(home)


def _busy(home: Path) -> None:
    """It holds its lock and its socket, and answers nothing."""
    if not lock_is_held(home) or psutil.Process(lock_holder(home)).status() != psutil.STATUS_STOPPED:
        psutil.Process(start_daemon(home).pid).suspend()


def _dead(home: Path) -> None:
    """It was killed, and left its card and its socket behind."""
    process = psutil.Process(start_daemon(home).pid)
    process.kill()
    process.wait(SETTLE_S)
    deadline = time.monotonic() + SETTLE_S
    while lock_is_held(home) and time.monotonic() < deadline:
        time.sleep(0.01)


def _absent(home: Path) -> None:
    if home.exists():
        stop_daemon(home)


STATES: Mapping[str, Bring] = {"absent": _absent, "alive": _alive, "busy": _busy, "dead": _dead}


def _wake(home: Path) -> None:
    """A daemon that was made to stand still goes on, so that it can be ended."""
    if lock_is_held(home):  # its queue of callers may be full: it is not to be found by asking
        psutil.Process(lock_holder(home)).resume()


def _make_repository(root: Path) -> None:
    (root / FILE).parent.mkdir(parents=True)
    (root / FILE).write_text('def total(items):\n    """Adds up prices."""\n    return sum(items)\n', encoding="utf-8")
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "Add prices")
