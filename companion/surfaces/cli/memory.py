"""Commands of single memories: remember, forget, revive, pin, downvote."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from companion.api import Note
from companion.errors import UsageError
from companion.records import Kind, Memory, Scope, Visibility
from companion.records.wording import counted
from companion.surfaces.cli.commands import CommandAnswer, Companion, command, words_for
from companion.surfaces.cli.contradictions import told_contradiction
from companion.surfaces.cli.declared import Option, Positional
from companion.surfaces.cli.options import AsJson, MemoryId, Repo, choice_of, companion_for
from companion.surfaces.cli.output import plain, print_answer
from companion.surfaces.wording import ID_SHOWN, line

NOTE_MAX_CHARACTERS = 20_000
"""A note longer than a few pages is a document; keep it as a file."""
LEAVES = (
    "It leaves with the next `companion team export`: everybody who can read the repository or your team's server "
    "will see it."
)
WHY_NOT_USEFUL = "downvoted by hand"


@command()
def remember(
    companion: Companion,
    as_json: bool,
    text: Annotated[str, Positional(help="What to remember.")] = "",
    kind: Annotated[str, Option(metavar="KIND", help="fact, episode, pattern or workflow.")] = "fact",
    scope: Annotated[str, Option(metavar="PATH", help="The path it applies to.")] = "",
    visibility: Annotated[
        str, Option(metavar="VISIBILITY", help="user-private, project-shared or system.")
    ] = "user-private",
    pin: Annotated[bool, Option("--pin", help="Keep it in every context.")] = False,
    label: Annotated[str, Option(metavar="NAME", help="Your name for it.")] = "",
    profile: Annotated[
        str, Option(metavar="FILE", help="Take a text about you instead, a thing a line, for every project.")
    ] = "",
) -> CommandAnswer:
    """Remember something by hand. Secrets in it are redacted first.

    Example: `companion remember "staging runs Python 3.12" --scope deploy --pin`
    """
    if profile:
        return _seeded(companion, profile)
    if not text:
        raise UsageError("`companion remember` needs TEXT (what to remember).", 'In quotes: companion remember "…"')
    if not text.strip():
        raise UsageError("There is nothing to remember.", 'Write it in quotes: companion remember "…"')
    if len(text) > NOTE_MAX_CHARACTERS:
        raise UsageError(
            f"{len(text)} characters are too many for one memory (at most {NOTE_MAX_CHARACTERS}).",
            "Keep it as a file in the repository, or split it.",
        )
    note = Note(
        text=text.strip(),
        kind=choice_of(Kind, kind, "kind"),
        scope=Scope(path=scope),
        visibility=choice_of(Visibility, visibility, "visibility"),
        pinned=pin,
        label=label,
    )
    kept = companion.remember(note)
    notices = list(companion.notices()) if as_json else []  # else they are told at the end, as always
    record = plain(kept)
    assert isinstance(record, dict)
    told = [line("Remembered", kept), f"It is {kept.is_now}.", f"Undo: companion forget {kept.id[:ID_SHOWN]}"]
    if kept.draft.visibility is Visibility.PROJECT_SHARED:
        told.append(LEAVES)
    if kept.replaces:
        told.append("\nIt takes the place of what was said before; the next consolidation supersedes that:")
        told += [line("-", one) for one in kept.replaces]
        told.append(f"Do both hold? Keep the older one: companion pin {kept.replaces[0].id[:ID_SHOWN]}")
    told += [f"\nIt contradicts what is known:\n{told_contradiction(one)}" for one in kept.contradicts]
    return CommandAnswer({**record, "notices": notices}, "\n".join(told))


def _seeded(companion: Companion, file: str) -> CommandAnswer:
    """Take a profile from a file, `-` for standard input."""
    try:
        text = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as wrong:
        raise UsageError(f"{file} cannot be read: {wrong.strerror}.", "Name a text file, or `-`.") from wrong
    said = companion.seed(text.decode("utf-8", "replace"))
    told = [f"Known of you in every project, for your eyes only ({counted(len(said), 'thing')}):"]
    told += [line("-", one) for one in said]
    told.append("\nTo change it, change the text and give it again; one thing alone: companion forget ID")
    return CommandAnswer(said, "\n".join(told))


def forget(
    id_: MemoryId,
    for_good: Annotated[
        bool, Option("--for-good", help="Delete what you said, with every copy: it cannot be undone.")
    ] = False,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Archive a memory: it leaves every context; `search --archived` still finds it.

    Example: `companion forget m1a2b3c4`
    """
    with companion_for(repo, anywhere=for_good) as companion:
        gone = companion.erase(id_) if for_good else companion.forget(id_)
    if isinstance(gone, Memory):
        shown = f"{line('Forgotten', gone)}\nUndo: companion revive {gone.id[:ID_SHOWN]}"
    else:
        also = f", and {counted(gone.items, 'open item')} of the same words" if gone.items else ""
        shown = f"Deleted for good{also}."
    print_answer(gone, shown, as_json)


@words_for("revive", id_=Positional(metavar="FORGOTTEN", help="A forgotten memory's id or its start."))
def revive(back: Memory) -> str:
    """Bring back a memory that was forgotten, by you or by a run: `search --archived` shows which there are.

    Example: `companion revive m1a2b3c4`
    """
    return line("Back again", back)


@command()
def pin(
    companion: Companion, id_: MemoryId, off: Annotated[bool, Option("--off", help="Unpin it.")] = False
) -> CommandAnswer:
    """Pin a memory: it is in every context and cannot be forgotten until you unpin it.

    Example: `companion pin m1a2b3c4`
    """
    kept = companion.pin(id_, on=not off)
    return CommandAnswer(kept, line("No longer pinned" if off else "Pinned", kept))


@command()
def downvote(
    companion: Companion,
    ids: Annotated[list[str], Positional(metavar="ID…", help="Ids of memories, or the starts of them.")],
    note: Annotated[str, Option("--note", help="For what they were not useful.")] = WHY_NOT_USEFUL,
) -> CommandAnswer:
    """Say that memories were not useful: they rank lower from the next run on.

    Example: `companion downvote m1a2b3c4`
    """
    companion.pass_over(ids, note)
    return CommandAnswer({"not_useful": ids}, f"Noted: {', '.join(ids)}")
