"""Commands of conversations: what is said, what is made of it, what is left open, what a day begins with."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from companion.errors import UsageError
from companion.records.talk import Conversation, Message, Role, TalkState
from companion.surfaces.cli import bringing, turns
from companion.surfaces.cli.options import AsJson, Persona, Repo, companion_for, one_of
from companion.surfaces.cli.output import counted, print_answer, print_json, print_text
from companion.surfaces.cli.spoken import line_of, said
from companion.surfaces.cli.told import ID_SHOWN

SAID_MAX_BYTES = 8_000_000
"""More than that is no message but a file; the store keeps 200,000 characters of one."""

OneOf = Annotated[str, typer.Argument(metavar="[ID]", help="A conversation's id or the start of one.")]

talk_app = typer.Typer(no_args_is_help=True, help="A conversation: begin it, speak in it, end it.")


def start(
    title: Annotated[str, typer.Argument(help="A line about it.")] = "",
    persona: Annotated[str, typer.Option("--persona", help="The assistant it is held with.")] = "",
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Begin a conversation. There is one at a time: the one before is ended or put away first.

    Example: `companion talk start "Rounding of prices"`
    """
    with companion_for(repo, anywhere=True) as companion:
        begun = companion.start_conversation(title, persona)
    print_answer(begun, f"Begun {line_of(begun)}\nSay something: companion talk add TEXT", as_json)


def add(
    text: Annotated[str, typer.Argument(help="What was said; `-` reads standard input.")],
    reply: Annotated[str, typer.Option("--reply", help="What was answered.")] = "",
    talk_id: Annotated[str, typer.Option("--in", metavar="ID", help="Another than the one going on.")] = "",
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Write down what was said. Secrets are redacted first; what we put into the talk ourselves is left out.

    What piles up before it is answered is one turn.

    Example: `companion talk add "We keep prices in cents." --reply "Noted."`
    """
    said = _from_input() if text == "-" else text
    messages = [Message(Role.USER, said), *([Message(Role.ASSISTANT, reply)] if reply else [])]
    with companion_for(repo, anywhere=True) as companion:
        turn = companion.add_turn(messages, talk_id, "cli")
    print_answer(turn, f"Turn {turn.number}, {turn.tokens} tokens.", as_json)


def pause(
    talk_id: OneOf = "",
    off: Annotated[bool, typer.Option("--off", help="End the pause.")] = False,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Silence nudges about a conversation; it keeps its place, and nothing else changes.

    Example: `companion talk pause`
    """
    with companion_for(repo, anywhere=True) as companion:
        _say(companion.pause_conversation(talk_id, on=not off), as_json)


def close(talk_id: OneOf = "", as_json: AsJson = False, repo: Repo = Path()) -> None:
    """End a conversation and show what would be remembered of it. Nothing is, before you confirm.

    Example: `companion talk close`
    """
    from companion.surfaces.cli.reviewing import print_preview

    with companion_for(repo, anywhere=True) as companion:
        preview = companion.close_conversation(talk_id)
        known = companion.acts()
    if as_json:
        print_json(preview)
    else:
        print_preview(preview, known)


def resume(talk_id: OneOf = "", as_json: AsJson = False, repo: Repo = Path()) -> None:
    """Go on with a conversation that is paused or waits for review.

    Example: `companion talk resume`
    """
    with companion_for(repo, anywhere=True) as companion:
        _say(companion.resume_conversation(talk_id), as_json)


def archive(talk_id: OneOf = "", as_json: AsJson = False, repo: Repo = Path()) -> None:
    """Put a conversation away without remembering anything of it; its transcript stays.

    Example: `companion talk archive`
    """
    with companion_for(repo, anywhere=True) as companion:
        _say(companion.archive_conversation(talk_id), as_json)


def list_(
    state: Annotated[str, typer.Option("--state", help="active, ready_to_close, compressing or archived.")] = "",
    persona: Persona = "",
    limit: Annotated[int, typer.Option("--limit", help="How many.")] = 20,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """List conversations, the one spoken in last first.

    Example: `companion talk list`
    """
    wanted = TalkState(one_of(state, [one.value for one in TalkState], "state")) if state else None
    with companion_for(repo, anywhere=True) as companion:
        found = companion.conversations(wanted, persona, limit)
    print_answer(found, "\n".join(line_of(one) for one in found) or "There are no conversations yet.", as_json)


def show(
    talk_id: OneOf = "",
    first: Annotated[int, typer.Option("--from", help="The first turn shown.")] = 1,
    last: Annotated[int | None, typer.Option("--to", help="The last turn shown.", show_default="the last")] = None,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Show what was said in a conversation, and what was taken from it.

    Example: `companion talk show c2a1b2c3`
    """
    with companion_for(repo, anywhere=True) as companion:
        found = companion.transcript(talk_id, first, last)
    if as_json:
        print_json(found)
        return
    parts = [line_of(found.conversation), *(said(turn) for turn in found.turns)]
    if found.items:
        from companion.surfaces.cli.open_ends import listed

        parts.append(listed(found.items, placed=False))
    if found.memories:
        parts.append(f"Remembered: {' '.join(id_[:ID_SHOWN] for id_ in found.memories)}")
    print_text("\n\n".join(parts))


def find(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What it was about.")],
    within: Annotated[str, typer.Option("--in", metavar="ID", help="Only in this conversation.")] = "",
    limit: Annotated[int, typer.Option("--limit", "-n", help="Turns shown.")] = 10,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Find what was said about something, in all conversations or in one.

    Example: `companion talk find "why exponential backoff"`
    """
    with companion_for(repo, anywhere=True) as companion:
        found = companion.find_turns(text, limit, within)
    if as_json:
        print_json(found)
        return
    lines = [f"{one.score:.2f}  {line_of(one.conversation)}\n{said(one.turn)}" for one in found]
    print_text("\n\n".join(lines) or "Nothing was said about it.")


def forget(
    talk_id: Annotated[str, typer.Argument(metavar="ID", help="A conversation's id or the start of one.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do it: it cannot be undone.")] = False,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Delete a conversation for good: what was said, what was taken from it, and its memories.

    Example: `companion talk forget c2a1b2c3 --yes`
    """
    if not yes:
        raise UsageError("This cannot be undone.", f"If you mean it: `companion talk forget {talk_id} --yes`.")
    with companion_for(repo, anywhere=True) as companion:
        gone = companion.forget_conversation(talk_id)
    if as_json:
        print_json(gone)
    else:
        print_text(
            f"Deleted {gone.conversation[:ID_SHOWN]}: {counted(gone.turns, 'turn')}, {counted(gone.items, 'item')}, "
            f"{counted(gone.memories, 'memory')}."
        )


def _say(one: Conversation, as_json: bool) -> None:
    print_answer(one, line_of(one), as_json)


def _from_input() -> str:
    said = sys.stdin.buffer.read(SAID_MAX_BYTES + 1)
    if len(said) > SAID_MAX_BYTES:
        raise UsageError(f"More than {SAID_MAX_BYTES:,} bytes are no message.", "Keep it as a file.")
    return said.decode("utf-8", "replace")


for _command in (
    *(start, add, pause, close, resume, archive, list_, show, find, forget),
    *(turns.history, turns.turn, turns.array, turns.compact, turns.sessions, turns.whole, turns.moves),
    *(bringing.import_, bringing.sources),
):
    talk_app.command(_command.__name__.rstrip("_"))(_command)
