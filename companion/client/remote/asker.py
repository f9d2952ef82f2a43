"""How a verb is asked of an owner, and how its answer is understood."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from companion import wire
from companion.client.calling import READ_S, SILENCE_S, SLOW_S, WRITE_S, Caller, error_of
from companion.client.finding import Address
from companion.errors import CompanionError, UsageError
from companion.ports import Progress

T = TypeVar("T")


class Asker:
    """One repository's requests to an owner; it may be shared by threads.

    `reconnect` is asked where an owner is when the one at `address` went away; `deadline_s` is how long a verb
    that reads may take.
    """

    def __init__(
        self,
        address: Address,
        path: Path,
        reconnect: Callable[[], Address] | None = None,
        deadline_s: float = READ_S,
    ) -> None:
        self._caller = Caller(address, reconnect)
        self._repo = str(path.absolute())
        self._deadline_s = deadline_s
        self._notices: dict[str, None] = {}

    def _read(self, path: str, /, **given: object) -> dict[str, object]:
        return self._heard(self._caller.ask(path, {"repo": self._repo, **given}, self._deadline_s, again=True))

    def _write(self, path: str, /, **given: object) -> dict[str, object]:
        return self._heard(self._caller.ask(path, {"repo": self._repo, **given}, WRITE_S, again=False))

    def _slow(self, path: str, /, **given: object) -> dict[str, object]:
        return self._heard(self._caller.ask(path, {"repo": self._repo, **given}, SLOW_S, again=False))

    def _follow(self, declared: type[T], progress: Progress, path: str, /, **given: object) -> T:
        """Long work; see `_followed`."""
        return result_of(declared, self._followed(progress, path, given))

    def _followed(self, progress: Progress, path: str, given: dict[str, object]) -> dict[str, object]:
        """The last line of long work: progress is passed on as it comes; leaving (Ctrl-C) ends the work there."""
        with self._caller.lines("POST", path, {"repo": self._repo, **given}, SILENCE_S) as lines:
            for line in lines:
                if isinstance(problem := line.get("problem"), dict):
                    raise error_of(problem)
                if isinstance(step := line.get("progress"), dict):
                    progress.step(str(step["stage"]), int(step["done"]), step["total"])
                else:
                    return self._heard(line)
        raise CompanionError("The owner of the store broke off.", "Run the command again: it goes on.")

    def _heard(self, said: dict[str, object]) -> dict[str, object]:
        """An answer, its notices kept beside."""
        beside = said.pop("notices", ())
        if isinstance(beside, list):
            self._notices.update(dict.fromkeys(str(one) for one in beside))
        return said


def result_of(declared: type[T], said: dict[str, object]) -> T:
    """The record that stands under `result`. Raises CompanionError where it cannot be understood."""
    return understood(declared, lambda: said["result"])


def result_or_none(declared: type[T], said: dict[str, object]) -> T | None:
    """The record that stands under `result`, None where there is none. Raises CompanionError as `result_of` does."""
    return None if said.get("result") is None else result_of(declared, said)


def understood(declared: type[T], shape: Callable[[], object]) -> T:
    """The record an answer holds; an owner of another version may answer what we do not know."""
    try:
        return wire.decode(declared, shape())
    except (UsageError, KeyError, TypeError) as wrong:
        raise CompanionError(
            f"The owner of the store answered what this version does not understand. {wrong}",
            "Restart it with `companion stop`; the next command starts one of this version.",
        ) from wrong


def optional(record: object) -> object:
    """A record as JSON, or null."""
    return None if record is None else wire.encode(record)
