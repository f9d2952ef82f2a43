"""Settings: each with its default, its unit and where the number comes from.

Read from `config.toml` in the data folder and from `COMPANION_*` environment variables, which win.
"""

from __future__ import annotations

import errno
import os
import threading
import tomllib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field, fields
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from companion.errors import UsageError

BUDGET_MAX_TOKENS = 1_000_000
"""No model reads more; a larger budget is a slip of the finger."""
COUNT_MAX = 1_000_000
"""Beyond it no count of commits, files or hours means anything."""
WORKERS_MAX = 64
"""More processes than that are started slower than they parse."""
NAME_MAX_CHARACTERS = 100
"""Of a name that no setting has, as far as one is looked for that is near: twice the longest and more."""
WAIT_MAX_S = 3_600
"""Nobody waits longer than an hour for a command."""
SETTINGS_NAME = "config.toml"
"""The user's settings, in the data folder: the one file there that they may have made before us."""
HIDING_NAME = ".gitignore"
"""In the data folder: has git leave out what is beside it."""
PAGE_BYTES = 4_096
"""What a file system gives to a file at least; where there is no such page left, nothing can be kept."""
MODEL_KEY = "COMPANION_MODEL_KEY"
"""The environment variable that holds the key of a language model's endpoint: it is written nowhere."""


REMOVED = {
    "foundation_limit": "a context has at most 20 foundation memories",
    "error_window_hours": "errors of the last 24 hours are critical",
}
"""Settings that there were, and what holds instead: a file that names one still works."""
RENAMED = {
    "owner": "daemon",
    "owner_idle_s": "daemon_idle_s",
    "night_idle_s": "consolidate_idle_s",
    "night_every_hours": "consolidate_every_hours",
    "night_new": "consolidate_new",
}
"""Settings under their former names, which go on working for a version."""

RUN_IGNORE = (
    *("*password*", "*passwd*", "*passphrase*", "*credential*", "*--from-literal*"),
    *("ssh *", "scp *", "sftp *", "ssh-add *", "ssh-keygen *", "gpg *", "age *", "openssl *", "htpasswd *"),
    *("pass *", "op *", "bw *", "vault *", "secret-tool *", "keyring *", "security *", "sops *"),
    *("docker login*", "podman login*", "npm login*", "npm adduser*", "gh auth *", "aws configure*", "gcloud auth *"),
    *("az login*", "heroku login*", "twine upload *", "mysql *-p*", "psql *://*", "redis-cli *-a*", "curl *-u*"),
    *("export *", "declare -x *", "set -x *", "set -gx *", "setx *"),
)
"""Commands that are not recorded: those that say a password, open other machines or keys, or set variables."""


Choice = TypeVar("Choice", bound=StrEnum)
Kind = TypeVar("Kind")


class DaemonUse(StrEnum):
    """Whether a process of its own owns the store; see the setting `daemon`."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


class Switch(StrEnum):
    """Whether something happens at all."""

    ON = "on"
    OFF = "off"


class WatchBy(StrEnum):
    """How a daemon learns of changed files; see the setting `watch`."""

    EVENTS = "events"
    POLLING = "polling"
    OFF = "off"


def _setting(default: Kind, why: str, most: float = COUNT_MAX) -> Kind:
    """A setting; one that is a number lies between 0 and `most`."""
    return field(default=default, metadata={"why": why, "most": most})


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting of Companion. The settings page is generated from the reasons given here."""

    budget_tokens: int = _setting(8_000, "tokens of an assembled context; document D", BUDGET_MAX_TOKENS)
    assistant_tokens: int = _setting(
        2_000, "tokens of a context that an assistant asks for without saying how many", BUDGET_MAX_TOKENS
    )
    assistant_tools: str = _setting(
        "default", "tools that an assistant is offered: `default`: ten; `all`; `small`: four"
    )
    preamble_tokens: int = _setting(
        8_000,
        "tokens of notes that an assistant is given first, beside the context; some 33,000 characters",
        BUDGET_MAX_TOKENS,
    )
    history_tokens: int = _setting(
        4_400, "tokens of what was said that a host is handed as history; document E", BUDGET_MAX_TOKENS
    )
    history_hot_tokens: int = _setting(1_500, "of them for the last turns, at most five", BUDGET_MAX_TOKENS)
    history_warm_tokens: int = _setting(
        2_000, "of them for earlier turns of the conversation, where the message points back", BUDGET_MAX_TOKENS
    )
    history_cold_tokens: int = _setting(
        900, "of them for earlier conversations, where the message points back", BUDGET_MAX_TOKENS
    )
    anchor_tokens: int = _setting(200, "tokens of anchors that lead a history; spec V9", BUDGET_MAX_TOKENS)
    cold_wait_s: float = _setting(
        0.2,
        "how long the background service looks through earlier conversations before it goes on without; spec V8",
        WAIT_MAX_S,
    )
    session_gap_minutes: int = _setting(30, "a pause that ends a session; spec, first table")
    array_tokens: int = _setting(
        100_000, "tokens of the running array above which older turns become a summary; document B", 10_000_000
    )
    tokenizer: str = _setting("o200k", "encoding that counts tokens; the newest open vocabulary")
    embeddings: str = _setting(
        "minilm-int8", "`minilm-int8`, `off`, or `sentence-transformers:FOLDER`; the first comes inside a package"
    )
    cochange_half_life_commits: int = _setting(300, "best of 100 to 1,000 in replay of nine repositories")
    cochange_max_files: int = _setting(30, "larger commits are sweeps and say nothing of one file")
    file_max_bytes: int = _setting(1_000_000, "larger files are generated or data; skipped and listed", 50_000_000)
    store_wait_s: float = _setting(5.0, "how long a second process waits for the store, in seconds", WAIT_MAX_S)
    memory_limit: str = _setting("400MB", "what DuckDB may hold in memory; a scan still works at 200 MB")
    run_ignore: tuple[str, ...] = _setting(
        RUN_IGNORE, "patterns (`*`, `?`) of commands that are never recorded: they tell secrets; `;` between them"
    )
    daemon: str = _setting(
        "auto", "`auto`: editors start the background service, commands use it; `always`: commands start it; `never`"
    )
    daemon_idle_s: float = _setting(
        900.0, "a background service nobody asks or is attached to exits after; a coffee is shorter", 86_400
    )
    watch: str = _setting("events", "`events` of the system; `polling` for network drives and containers; `off`")
    consolidate_idle_s: float = _setting(
        600.0,
        "the background service tidies by itself once nobody asked or edited for so long; a call is shorter; 0: never",
        86_400,
    )
    consolidate_every_hours: int = _setting(24, "by itself at most that often; what is a day old is worth a look")
    consolidate_new: int = _setting(20, "memories learned since the last run before the next comes by itself")
    parse_workers: int = _setting(0, "processes of a first scan; 0: one for each core, at most 8", WORKERS_MAX)
    unreviewed: tuple[str, ...] = _setting(
        (), "sources of conversations that are remembered without a review, as `by-hand`; `;` between them"
    )
    nudges: str = _setting("on", "`on`: Companion may suggest something, twice a day at most; `off`: it never does")
    quiet_hours: str = _setting("22-8", "hours in which nothing is suggested, by your clock; empty: none")
    model_endpoint: str = _setting(
        "",
        "address of an OpenAI-compatible endpoint, as http://127.0.0.1:11434/v1; empty: no model, no connection. "
        "Its key is read from COMPANION_MODEL_KEY alone",
    )
    model_name: str = _setting("", "what the endpoint calls the model")
    model_command: str = _setting(
        "",
        "a program that reads a question on its standard input and prints the answer, as `claude -p` or "
        "`ollama run qwen3`; asked in a consolidation run where no `model_endpoint` is set",
    )
    judgements: str = _setting(
        "on", "`on`: a connected assistant may be asked what rules cannot tell; `off`: it is not"
    )
    judgements_a_day: int = _setting(
        40, "questions that one assistant or model answers a day at most: some 5,000 tokens"
    )
    model_timeout_s: float = _setting(
        60.0, "how long one answer may take, in seconds; a small model on two cores needs a third of it", 600
    )
    model_max_calls: int = _setting(200, "how often a model is asked in one run: an hour at a slow one's pace", 10_000)


def chosen(choices: type[Choice], name: str, said: str) -> Choice:
    """What a setting that is one of a few words says. Raises UsageError for any other word."""
    try:
        return choices(said)
    except ValueError:
        known = ", ".join(item.value for item in choices)
        raise UsageError(f"Setting `{name}` is {said!r}.", f"Choose one of: {known}.") from None


def data_home() -> Path:
    """The folder of the store: `COMPANION_HOME`, else the platform's data folder."""
    override = os.environ.get("COMPANION_HOME")
    if override:
        return Path(override).expanduser()
    return _usual_home()


def make_home(home: Path) -> None:
    """Make the folder of the store, for its user alone; one that is ours hides itself from git.

    It may lie in a repository, as where somebody's whole home folder is one: read and watched like other files, each
    line of our log would be news to log. A folder that somebody else made keeps what is in it in sight.
    """
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    hidden = home / HIDING_NAME
    if hidden.exists() or ({one.name for one in home.iterdir()} - {SETTINGS_NAME} and home != _usual_home()):
        return
    with suppress(OSError):  # a folder that cannot be written is told of by whoever needs to
        hidden.touch(mode=0o600)
        hidden.write_text("*\n", encoding="ascii")


def write_private(path: Path, text: str) -> None:
    """Write a file that only this user can read; it appears whole or not at all."""
    new = path.with_name(f"{path.name}.new-{os.getpid()}")
    new.unlink(missing_ok=True)
    with open(new, "x", encoding="utf-8", opener=lambda name, flags: os.open(name, flags, 0o600)) as opened:
        opened.write(text)
    new.replace(path)


def why_unwritable(home: Path) -> str:
    """Why nothing can be kept in the data folder now, in the system's words; empty where a page can be."""
    probe = home / f".probe-{os.getpid()}-{threading.get_ident()}"
    try:
        handle = os.open(probe, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
        try:
            return "" if os.write(handle, bytes(PAGE_BYTES)) == PAGE_BYTES else os.strerror(errno.ENOSPC)
        finally:
            os.close(handle)
            probe.unlink()
    except OSError as wrong:
        return wrong.strerror or str(wrong)


def _usual_home() -> Path:
    import platformdirs

    return Path(platformdirs.user_data_dir("companion", appauthor=False))


def model_key() -> str:
    """The key of the language model's endpoint, from the environment; never keep or show it."""
    return os.environ.get(MODEL_KEY, "").strip()


def load_settings(home: Path) -> Settings:
    """Settings from `home/config.toml` and the environment; a wrong one is named in the error.

    One that was removed is passed over, and a former name is taken for the present one; see `removed_settings`.
    """
    path = home / SETTINGS_NAME
    given = _given(path)
    known = {f.name: f for f in fields(Settings)}
    for name in (*RENAMED, *known):
        if (text := os.environ.get(f"COMPANION_{name.upper()}")) is not None:
            given[name] = text
    values: dict[str, object] = {}
    for written, value in given.items():
        name = RENAMED.get(written, written)
        if name == "model_key":
            raise UsageError(f"{path} holds a key.", f"Remove it there and set {MODEL_KEY} in the environment.")
        if name in REMOVED:
            continue
        if name not in known:
            raise UsageError(f"{path} has an unknown setting `{name}`.", _nearest(name, known))
        values[name] = _as_kind(name, value, known[name].default, known[name].metadata["most"])
    return Settings(**values)  # type: ignore[arg-type]  # each was made the kind of its default


def removed_settings(home: Path) -> tuple[str, ...]:
    """What to tell the user of settings in their file that went or were renamed; a broken file tells nothing."""
    path = home / SETTINGS_NAME
    try:
        named = list(_given(path))
    except UsageError:
        return ()
    gone = (f"has no effect any more: {REMOVED[name]}. Take its line out of" for name in named if name in REMOVED)
    former = (f"is called `{RENAMED[name]}` now. Rename it in" for name in named if name in RENAMED)
    names = (name for names in (REMOVED, RENAMED) for name in named if name in names)
    return tuple(f"The setting `{name}` {what} {path}." for name, what in zip(names, (*gone, *former), strict=True))


def _given(path: Path) -> dict[str, object]:
    """What the user's file says; nothing where there is none."""
    if not path.is_file():
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise UsageError(f"{path} is not valid TOML: {wrong}.", "Fix it or move it away.") from wrong
    except OSError as wrong:
        raise UsageError(f"{path} cannot be read: {wrong.strerror}.", "Make it readable or move it away.") from wrong


def _nearest(name: str, known: Iterable[str]) -> str:
    """The next step for a setting that there is not: the name that was likely meant, where one is near."""
    from difflib import get_close_matches

    near = get_close_matches(name[:NAME_MAX_CHARACTERS].lower(), list(known), n=1)
    return (
        f"Did you mean `{near[0]}`? All: `companion doctor --settings`."
        if near
        else "See `companion doctor --settings`."
    )


def _as_kind(name: str, value: object, default: object, most: float) -> object:
    kind = type(default)
    help_ = "See `companion doctor --settings`."
    if isinstance(default, tuple):
        parts = value.split(";") if isinstance(value, str) else value
        if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
            raise UsageError(f"Setting `{name}` must be a list of texts, not {value!r}.", help_)
        return tuple(part.strip() for part in parts if part.strip())
    try:
        meant = kind(value)  # type: ignore[call-arg]  # a text, a number or a truth
    except (TypeError, ValueError, OverflowError) as wrong:
        raise UsageError(f"Setting `{name}` must be {kind.__name__}, not {value!r}.", help_) from wrong
    if isinstance(meant, (int, float)) and not 0 <= meant <= most:
        raise UsageError(f"Setting `{name}` must lie between 0 and {most:,.0f}, not {value!r}.", help_)
    return meant
