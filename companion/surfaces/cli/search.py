"""What is known, by words or by an id: search, expand."""

from __future__ import annotations

from typing import Annotated

from companion.api import Expansion
from companion.errors import UsageError
from companion.records import Kind, Memory, Profile, SearchQuery, Visibility
from companion.surfaces.cli.commands import CommandAnswer, Companion, command, words_for
from companion.surfaces.cli.declared import Option, Positional
from companion.surfaces.cli.hits import coverage
from companion.surfaces.cli.hits import hits as told_hits
from companion.surfaces.cli.options import Persona, choice_of, parse_moment
from companion.surfaces.documents import expansion
from companion.surfaces.wording import ID_SHOWN, on_a_line

SEARCH_MAX = 200
"""More results than anybody reads."""


@command()
def search(
    companion: Companion,
    text: Annotated[list[str], Positional(metavar="TEXT", help="What to look for; quotes are not needed.")],
    kind: Annotated[
        list[str] | None, Option(metavar="KIND", help="fact, episode, pattern, workflow; may be repeated.")
    ] = None,
    visibility: Annotated[
        list[str] | None, Option(metavar="VISIBILITY", help="user-private, project-shared, system.")
    ] = None,
    scope: Annotated[str, Option(metavar="PATH", help="Only what applies to this path.")] = "",
    entity: Annotated[
        list[str] | None, Option(metavar="WHAT", help="Only what refers to it, e.g. file:src/app.py.")
    ] = None,
    since: Annotated[str, Option("--since", metavar="MOMENT", help="Only about this time or later.")] = "",
    until: Annotated[str, Option("--until", metavar="MOMENT", help="Only about this time or earlier.")] = "",
    as_of: Annotated[str, Option(metavar="MOMENT", help="What was known at this moment.")] = "",
    valid_at: Annotated[str, Option(metavar="MOMENT", help="What was true at this moment.")] = "",
    archived: Annotated[bool, Option("--archived", help="Forgotten ones too.")] = False,
    act: Annotated[str, Option("--act", metavar="ACT", help="Only what belongs to this act.")] = "",
    persona: Persona = "",
    cards: Annotated[bool, Option("--cards", help="Add what is known of who and what is named.")] = False,
    profile: Annotated[
        str, Option(metavar="PROFILE", help="How to rank: learned, memory, recall, cold-turns.", show_default=False)
    ] = "learned",
    limit: Annotated[int, Option("--limit", "-l", metavar="N", help="Most results.", min=1, max=SEARCH_MAX)] = 10,
) -> CommandAnswer:
    """Find what is remembered, what settings declare, and passages of files, commits and conversations.

    Example: `companion search session cookie --kind episode --as-of 2025-06-01`
    """
    now = companion.now()
    asked = SearchQuery(
        text=" ".join(text),
        kinds=tuple(choice_of(Kind, name, "kind") for name in kind or ()),
        visibility=tuple(choice_of(Visibility, name, "visibility") for name in visibility or ()),
        entities=tuple(entity or ()),
        scope_path=scope,
        act=act,
        persona=persona,
        since=parse_moment(since, now),
        until=parse_moment(until, now),
        as_of=parse_moment(as_of, now),
        valid_at=parse_moment(valid_at, now),
        include_archived=archived,
        profile=choice_of(Profile, profile, "profile"),
        limit=limit,
    )
    times = (since, until, as_of, valid_at)
    narrowed = (*asked.kinds, *asked.visibility, *asked.entities, scope, act, persona, archived, *times)
    if not asked.text.strip() and not any(narrowed):
        raise UsageError("There is nothing to search for.", "Say what: `companion search TEXT`.")
    hits = companion.search(asked)
    known = companion.cards([hit.memory.id for hit in hits if hit.memory], persona) if cards else ()
    ready = companion.stats().readiness
    beside = [line for card in known for line in (card.name, *map(_fact, card.facts))]
    lines = [told_hits(hits), *beside, coverage(ready)]
    found = {"hits": hits, **({"cards": known} if cards else {}), "readiness": ready}
    return CommandAnswer(found, "\n".join(filter(None, lines)))


def _fact(fact: Memory) -> str:
    return f"  {on_a_line(fact.draft.levels.summary)}  ({fact.id[:ID_SHOWN]})"


@words_for(
    "expand", id_=Positional(metavar="ID", help="An id, the start of one, file:PATH, history:PATH or topic:NAME.")
)
def expand(found: Expansion) -> str:
    """Show everything behind an id: full text, evidence, earlier versions.

    Example: `companion expand m1a2b3c4`
    """
    return expansion(found)
