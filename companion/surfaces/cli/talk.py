"""Commands of conversations: what is said, what is made of it, what is left open, what a day begins with."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

from companion.api import Transcript
from companion.errors import UsageError
from companion.records.talk import Conversation, Erased, Message, Role, TalkState, Turn, TurnHit
from companion.records.wording import counted
from companion.surfaces.cli import talk_history, talk_import
from companion.surfaces.cli.commands import CommandAnswer, Companion, command, words_for
from companion.surfaces.cli.declared import CommandGroup, Option, Positional
from companion.surfaces.cli.options import HowMany, Persona, choice_of
from companion.surfaces.cli.talk_lines import line_of, said
from companion.surfaces.wording import ID_SHOWN, rank

SAID_MAX_BYTES = 8_000_000
"""More than that is no message but a file; the store keeps 200,000 characters of one."""

OneOf = Annotated[str, Positional(metavar="[TALK]", help="A conversation's id or the start of one.")]

talk_app = CommandGroup("A conversation: begin it, speak in it, end it.")


@words_for(
    "start_conversation",
    title=Positional(help="A line about it."),
    persona=Option("--persona", help="The assistant it is held with."),
)
def start(one: Conversation) -> str:
    """Begin a conversation. There is one at a time: the one before is ended or archived first.

    Example: `companion talk start "Rounding of prices"`
    """
    return f"Begun {line_of(one)}\nSay something: companion talk add TEXT"


def _added(turn: Turn) -> str:
    return f"Turn {turn.number}, {turn.tokens} tokens."


@command(_added, anywhere=True)
def add(
    companion: Companion,
    text: Annotated[str, Positional(help="What was said; `-` reads standard input.")],
    reply: Annotated[str, Option("--reply", help="What was answered.")] = "",
    talk_id: Annotated[str, Option("--in", metavar="TALK", help="Another than the one going on.")] = "",
) -> Turn:
    """Write down what was said. Secrets are redacted first; what we put into the talk ourselves is left out.

    What piles up before it is answered is one turn.

    Example: `companion talk add "We keep prices in cents." --reply "Noted."`
    """
    said = _from_input() if text == "-" else text
    messages = [Message(Role.USER, said), *([Message(Role.ASSISTANT, reply)] if reply else [])]
    return companion.add_turn(messages, talk_id, "cli")


@command(line_of, anywhere=True)
def pause(
    companion: Companion, talk_id: OneOf = "", off: Annotated[bool, Option("--off", help="End the pause.")] = False
) -> Conversation:
    """Silence nudges about a conversation; it keeps its place, and nothing else changes.

    Example: `companion talk pause`
    """
    return companion.pause_conversation(talk_id, on=not off)


@command(anywhere=True)
def close(companion: Companion, talk_id: OneOf = "") -> CommandAnswer:
    """End a conversation and show what would be remembered of it. Nothing is, before you confirm.

    Example: `companion talk close`
    """
    from companion.surfaces.cli.review import told_preview

    return told_preview(companion, companion.close_conversation(talk_id))


@words_for("resume_conversation", conversation=OneOf)
def resume(one: Conversation) -> str:
    """Go on with a conversation that is paused or waits for review.

    Example: `companion talk resume`
    """
    return line_of(one)


@words_for("archive_conversation", conversation=OneOf)
def archive(one: Conversation) -> str:
    """Put a conversation away without remembering anything of it; its transcript stays.

    Example: `companion talk archive`
    """
    return line_of(one)


def _listed(found: Sequence[Conversation]) -> str:
    return "\n".join(map(line_of, found)) or "There are no conversations yet."


@command(_listed, anywhere=True)
def list_(
    companion: Companion,
    state: Annotated[str, Option("--state", help="active, ready_to_close, compressing or archived.")] = "",
    persona: Persona = "",
    limit: HowMany = 20,
) -> Sequence[Conversation]:
    """List conversations, the one spoken in last first.

    Example: `companion talk list`
    """
    return companion.conversations(choice_of(TalkState, state, "state") if state else None, persona, limit)


@words_for(
    "transcript",
    conversation=OneOf,
    first=Option("--from", help="The first turn shown."),
    last=Option("--to", help="The last turn shown.", show_default="the last"),
)
def show(found: Transcript) -> str:
    """Show what was said in a conversation, and what was taken from it.

    Example: `companion talk show c2a1b2c3`
    """
    parts = [line_of(found.conversation), *map(said, found.turns)]
    if found.items:
        from companion.surfaces.cli.todo import listed

        parts.append(listed(found.items, placed=False))
    if found.memories:
        parts.append(f"Remembered: {' '.join(id_[:ID_SHOWN] for id_ in found.memories)}")
    return "\n\n".join(parts)


@words_for(
    "find_turns",
    text=Positional(metavar="TEXT", help="What it was about."),
    conversation=Option("--in", metavar="TALK", help="Only in this conversation."),
    act=Option("--act", metavar="ACT", help="Only in conversations that left something for this act."),
    limit=Option("--limit", "-n", help="Turns shown."),
)
def find(found: Sequence[TurnHit]) -> str:
    """Find what was said about something, in all conversations or in one.

    Example: `companion talk find "why exponential backoff"`
    """
    lines = [f"{rank(at):>4}  {line_of(one.conversation)}\n{said(one.turn)}" for at, one in enumerate(found, start=1)]
    return "\n\n".join(lines) or "Nothing was said about it."


def _erased(gone: Erased) -> str:
    parts = (counted(gone.turns, "turn"), counted(gone.items, "item"), counted(gone.memories, "memory"))
    return f"Deleted {gone.conversation[:ID_SHOWN]}: {', '.join(parts)}."


@command(_erased, anywhere=True)
def forget(
    companion: Companion,
    talk_id: Annotated[str, Positional(metavar="TALK", help="A conversation's id or the start of one.")],
    yes: Annotated[bool, Option("--yes", help="Do it: it cannot be undone.")] = False,
) -> Erased:
    """Delete a conversation for good: what was said, what was taken from it, and its memories.

    Example: `companion talk forget c2a1b2c3 --yes`
    """
    if not yes:
        raise UsageError("This cannot be undone.", f"If you mean it: `companion talk forget {talk_id} --yes`.")
    return companion.forget_conversation(talk_id)


def _from_input() -> str:
    said = sys.stdin.buffer.read(SAID_MAX_BYTES + 1)
    if len(said) > SAID_MAX_BYTES:
        raise UsageError(f"More than {SAID_MAX_BYTES:,} bytes are too many for a message.", "Keep it as a file.")
    return said.decode("utf-8", "replace")


for _command in (
    *(start, add, pause, close, resume, archive, list_, show, find, forget),
    *(talk_history.history, talk_history.sessions, talk_history.whole),
    *(talk_import.import_, talk_import.sources),
):
    talk_app.command()(_command)
