"""Conversations said in one line, and rules that find little, quickly."""

from __future__ import annotations

from fakes import HashEmbedder, WordCounter

from app.conftest import Desk
from app.talks import LabelledLines, say
from companion.adapters.secrets import SecretRedactor
from companion.app.consolidation.judges import reader
from companion.app.local import LocalCompanion, nowhere
from companion.app.runtime import Adapters, runtime_over
from companion.app.talks import heard
from companion.config import Settings
from companion.records.talk import Message, Role, Turn
from companion.store.opening import open_store
from companion.store.talk import talk_turns
from companion.talk.items.anchors import anchor

USER, ASSISTANT = Role.USER, Role.ASSISTANT
NAME = "My name is Alex."


class AnchorsAlone(LabelledLines):
    """Finds no items but labelled ones, quickly; anchors are the real ones."""

    def anchor(self, turn: Turn) -> float:
        return anchor(turn, reader())


def by_all_rules(companion: LocalCompanion) -> None:
    companion.runtime.talk_rules = heard.TalkRules


def at_home(desk: Desk, *, embedder: bool = False) -> LocalCompanion:
    """A companion outside of any repository."""
    database = open_store(desk.home, wait_s=0.2, memory_limit="400MB")
    meaning = HashEmbedder() if embedder else None
    runtime = runtime_over(database, Settings(), Adapters(desk.clock, WordCounter(), SecretRedactor(), meaning))
    runtime.talk_rules = AnchorsAlone  # type: ignore[assignment]
    return nowhere(runtime, desk.home, owns_runtime=True)


def talk(companion: LocalCompanion, *texts: str, title: str = "Prices", persona: str = "") -> str:
    """A conversation that goes on."""
    companion.runtime.adapters.clock.advance(minutes=1)  # type: ignore[attr-defined]
    one = companion.start_conversation(title, persona)
    say(companion, *texts)
    return one.id


def later(companion: LocalCompanion, **by: float) -> None:
    companion.runtime.adapters.clock.advance(**by)  # type: ignore[attr-defined]


def away(companion: LocalCompanion, *texts: str, **named: str) -> str:
    """A conversation that was put away."""
    one = talk(companion, *texts, **named)
    companion.archive_conversation()
    return one


def set_to(companion: LocalCompanion, **settings: object) -> None:
    companion.runtime.settings = Settings(**settings)  # type: ignore[arg-type]


def spoken(companion: LocalCompanion, *texts: str) -> None:
    """Many turns at once, each answered, without what is made of them behind the answer."""
    one, runtime = companion.active_conversation(), companion.runtime
    assert one is not None
    for text in texts:
        said = [Message(USER, text), Message(ASSISTANT, "Noted.")]
        talk_turns.say(runtime.store.database, one, said, companion.now(), channel="", counter=runtime.adapters.counter)


def shown(companion: LocalCompanion, message: str = "", **given: object) -> list[tuple[str, int]]:
    found = companion.history(message, **given)  # type: ignore[arg-type]
    return [(one.warmth.value, one.number) for one in found.turns]
