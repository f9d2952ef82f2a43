"""Rows in their groups: what is in a context, and what is remembered of a repository. An empty group is left out.

A new group of memories is a line in GROUPS.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec.structs import replace

from companion.api import Companion
from companion.escape import one_line
from companion.records import Context, ContextItem, FactType, FileRole, Kind, SearchQuery, Tier
from companion.records.looking import TimelineQuery
from companion.records.roles import role_of
from companion.records.talk import Conversation, TalkState
from companion.records.wording import counted
from companion.surfaces import rows
from companion.surfaces.fitting import to_show
from companion.surfaces.rows import ListRow

PAGE = 30
"""Rows of a search at first, and with each “more”: two screens full."""
MOST = 500
"""The most rows of a group: beyond it a search finds what scrolling does not."""
OF_CONTEXT = {
    "places": ("Places", "Files that are probably needed, the likeliest first."),
    "tests": ("Tests", "What tests the current file, and what belongs with it."),
    "together": ("Changes with it", "What usually changes in the same commit."),
    "past": ("Past", "What happened here: changes, errors and what fixed them."),
    "rules": ("Rules", "What holds here: decisions, rules, conventions."),
    "declared": ("Declared", "What files of settings say: versions, commands, owners."),
    "more": ("More", "What is less likely to be needed, and what else can be asked for."),
}
"""The groups of a context, with what stands in each."""
SHOWN = 8
"""Rows of a group of memories that are seen at first."""
FIRST = {"places": 8, "tests": 4, "together": 4, "past": 6, "rules": 5}
"""Rows of a group of a context that are seen at first, so that all groups fit a screen."""
OPEN = {"search", "contradictions", "rules", "people", "fixes"}
"""Groups of memories that are not folded: what was asked for, what waits for a person, and what any change meets."""
_OF_SECTIONS = {"Tests": "tests", "Changes together": "together", "Usually changed too": "together"}
_RULES = (FactType.FACT, FactType.PREFERENCE, FactType.FRICTION, FactType.HABIT)

Load = Callable[[Companion, int], tuple[Sequence[ListRow], int | None]]
"""So many rows from its beginning, and how many there are in all; None where there are more and nobody counts them."""


def of_context(context: Context, current: str) -> tuple[ListRow, ...]:
    """What is in a context, the likeliest of each group first."""
    found: dict[str, list[ContextItem]] = {name: [] for name in OF_CONTEXT}
    for tier in context.tiers:
        for item in tier.items:
            found[_group_of(item)].append(item)
    return tuple(_of_items(name, items, current) for name, items in found.items() if items)


def of_memory(companion: Companion, search: str, counts: Mapping[str, int]) -> tuple[ListRow, ...]:
    """What is remembered, and first what a search finds; of each group as many rows as `counts` says, or the first."""
    found = []
    if search:
        title = f"Search: {one_line(search, rows.BESIDE_CHARACTERS)}"
        found.append(_group(companion, "search", (title, "What was found, the best first."), _hits(search), counts))
        if not found[0].rows:
            empty = "Nothing was found. Try fewer or other words."
            found[0] = replace(found[0], rows=(ListRow("search nothing", "notice", empty),))
    groups = (_group(companion, name, told, load, counts) for name, (*told, load) in GROUPS.items())
    return (*found, *(group for group in groups if group.rows))


def waits(talk: Conversation) -> bool:
    """Whether a conversation waits for its user."""
    return talk.state in {TalkState.READY_TO_CLOSE, TalkState.COMPRESSING} or talk.unseen


def _group_of(item: ContextItem) -> str:
    sort = rows.sort_of(item)
    if item.tier is Tier.INDEX or (item.tier is Tier.BACKGROUND and sort in {"file", "history"}):
        return "more"
    if sort == "file":
        is_test = role_of(item.title, "") is FileRole.TEST
        return "tests" if is_test else _OF_SECTIONS.get(item.section, "places")
    return "past" if sort in rows.PAST else "declared" if sort == "declared" else "rules"


def _of_items(name: str, items: Iterable[ContextItem], current: str) -> ListRow:
    """A group of a context, told with what it takes of the budget."""
    ordered = sorted(items, key=lambda item: (item.tier is Tier.INDEX, -item.score))
    label, says = OF_CONTEXT[name]
    size = f"{counted(len(ordered), 'item')}, {counted(sum(item.tokens for item in ordered), 'token')}"
    shown = [rows.of_item(item, current) for item in ordered]
    first = FIRST.get(name, len(shown))
    if len(shown) > first + 1:
        shown[first:] = [ListRow("rest", "group", f"{len(shown) - first} more", rows=tuple(shown[first:]), folded=True)]
    return ListRow(name, "group", label, str(len(ordered)), (says, size), rows=tuple(shown), folded=name == "more")


def _group(companion: Companion, name: str, told: Sequence[str], load: Load, counts: Mapping[str, int]) -> ListRow:
    """A group of memories with its first rows, and how many are left."""
    label, says = told
    count = min(counts.get(name, PAGE if name == "search" else SHOWN), MOST)
    shown, total = load(companion, count)
    held = f"first {len(shown)}" if total is None else str(total)
    if (total is None or total > len(shown)) and len(shown) < MOST:
        left = "" if total is None else f"{total - len(shown):,} more"
        shown = (*shown, ListRow(name, "more", "Load more…", left, text=str(count + PAGE)))
    return ListRow(name, "group", label, held, (says,), rows=tuple(shown), folded=name not in OPEN)


def _hits(text: str) -> Load:
    def load(companion: Companion, count: int) -> tuple[Sequence[ListRow], int | None]:
        hits, nothing_fits = to_show(companion.search(SearchQuery(text=text, limit=min(count + 1, MOST))))
        shown, total = _some([rows.of_hit(hit) for hit in hits], count)
        return [*([ListRow("search far", "notice", nothing_fits)] if nothing_fits else []), *shown], total

    return load


def _timeline(query: TimelineQuery) -> Load:
    def load(companion: Companion, count: int) -> tuple[Sequence[ListRow], int | None]:
        page = companion.timeline(replace(query, limit=count))
        return [rows.of_memory(one.memory) for one in page.happened], page.total

    return load


def _contradictions(companion: Companion, count: int) -> tuple[Sequence[ListRow], int | None]:
    found = companion.contradictions()
    return [rows.of_contradiction(one) for one in found[:count]], len(found)


def _talks(companion: Companion, count: int) -> tuple[Sequence[ListRow], int | None]:
    found = [talk for talk in companion.conversations(limit=MOST) if waits(talk)]
    return [rows.of_talk(talk) for talk in found[:count]], len(found)


def _threads(companion: Companion, count: int) -> tuple[Sequence[ListRow], int | None]:
    return _some([rows.of_thread(item) for item in companion.threads(limit=min(count + 1, MOST))], count)


def _some(found: Sequence[ListRow], count: int) -> tuple[Sequence[ListRow], int | None]:
    """The first of what was asked for one more than is shown: so it is known whether there are others."""
    return found[:count], None if len(found) > count else len(found)


GROUPS: Mapping[str, tuple[str, str, Load]] = {
    "review": (
        "Conversations to review",
        "What they leave behind is remembered once you have said so.",
        _talks,
    ),
    "contradictions": ("Contradictions to resolve", "What cannot both be true. You say which holds.", _contradictions),
    "threads": (
        "Open threads",
        "What conversations left open: tasks, questions, what is waited for.",
        _threads,
    ),
    "rules": (
        "Rules that hold here",
        "What documents, settings and the code itself say about how things are done.",
        _timeline(TimelineQuery(kinds=(Kind.FACT,), types=_RULES)),
    ),
    "people": (
        "Owners",
        "Whom to ask about a folder, by recent changes.",
        _timeline(TimelineQuery(kinds=(Kind.FACT,), types=(FactType.RELATIONSHIP,))),
    ),
    "fixes": ("Recent fixes", "What was wrong, and what fixed it.", _timeline(TimelineQuery(changes=("fix",)))),
    "decisions": (
        "Decisions",
        "What was decided, and why.",
        _timeline(TimelineQuery(kinds=(Kind.FACT,), types=(FactType.DECISION,))),
    ),
    "workflows": (
        "Workflows",
        "How things are done here, step by step.",
        _timeline(TimelineQuery(kinds=(Kind.WORKFLOW,))),
    ),
}
"""What the view Memory shows, in its order; what waits for a person comes first."""
