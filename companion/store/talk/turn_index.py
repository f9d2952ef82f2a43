"""Turns and conversations in the text index: a turn by its own words and its neighbours', a conversation by all of its.

An answer often says nothing of what was asked, so a turn is found by the words around it too, which count half.
What has grown since is taken in when somebody searches; a conversation that is the same is not looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import islice

import numpy as np
from msgspec import Struct

from companion.store.bulk import batches
from companion.store.database import Database
from companion.store.rows import Query, Table
from companion.store.talk.talk_turns import turn_id
from companion.store.text import analysis, facets
from companion.store.text.documents import FULL_TEXT_CHARACTERS, text_hash, text_key
from companion.store.text.index import TextIndex
from companion.store.text.word_index import WordIndex
from companion.store.text.word_space import Document

TURN = np.dtype([("said", "<i8"), ("conversation", "<u8"), ("number", "<i8"), ("text", "<u8")])
"""Facets of a turn: when, in microseconds since 1970, which conversation and where in it, and the key of its text."""
TALK = np.dtype([("conversation", "<u8")])

OWN_WEIGHT, NEIGHBOUR_WEIGHT = 2, 1
"""A word of the turn itself counts as two of a neighbour's."""
TALKS_AT_ONCE = 50
"""Conversations read and indexed at a time: some megabytes."""


class _Talk(Struct, frozen=True):
    id: str
    turns: int
    started_at: datetime
    state: int


class _Said(Struct, frozen=True):
    number: int
    at: datetime
    words: str


_TALKS = Query(
    _Talk,
    """
select id, turns, started_at, (hash(turns, last_turn_at) >> 1)::bigint as state
from conversations
where user_id = $user
    and turns > 0
order by started_at, id
""",
)

_TURNS = Table(_Said, "turns", {"at": "said_at"}).select(
    """
where conversation_id in (select unnest($ids::varchar[]))
order by conversation_id, number
""",
    "conversation_id",
)


def talk_project(user: str) -> str:
    """The name under which vectors of a user's turns are kept, beside those of projects."""
    return f"talk {user}"


def own_spaces(user: str) -> tuple[str, str]:
    """The spaces of vectors that are a user's own: of memories that belong to no project, and of turns."""
    return user, talk_project(user)


def turn_space(user: str) -> str:
    """Name of the space of a user's turns."""
    return f"turns {user}"


def talk_space(user: str) -> str:
    """Name of the space of a user's conversations."""
    return f"talks {user}"


def update(database: Database, index: TextIndex, user: str) -> None:
    """Take in what was said since."""
    index.bring(f"turns {user}", lambda file: _take_in(database, file, user))


def _take_in(database: Database, file: WordIndex, user: str) -> None:
    talks = {talk.id: talk for talk in _TALKS.all(database, user=user)}
    known = file.states(talk_space(user))
    gone = [id_ for id_ in known if id_ not in talks]
    changed = [talk for id_, talk in talks.items() if known.get(id_) != talk.state]
    if not gone and not changed:
        return
    with file.changing():
        if gone:
            for id_, counted in file.keyed(talk_space(user), gone).items():
                file.remove(turn_space(user), [turn_id(id_, number) for number in range(1, int(counted) + 1)])
            file.remove(talk_space(user), gone)
        for some in batches(changed, TALKS_AT_ONCE):
            _add(database, file, user, some)


def _add(database: Database, file: WordIndex, user: str, talks: Sequence[_Talk]) -> None:
    said = _TURNS.by(database, "conversation_id", ids=[talk.id for talk in talks])
    before = file.keyed(talk_space(user), [talk.id for talk in talks])
    turns: list[Document] = []
    whole: list[Document] = []
    for talk in talks:
        counted = [Counter(analysis.terms(one.words)) for one in said.get(talk.id, ())]
        # What was the last turn may have been said more of since, and counts for the one before it.
        first = max(0, int(before.get(talk.id, "0")) - 2)
        turns += _turn_documents(talk, said.get(talk.id, ()), counted, first)
        whole.append(_talk_document(talk, counted))
    file.add(turn_space(user), turns)
    file.add(talk_space(user), whole)


def _turn_documents(
    talk: _Talk, said: Sequence[_Said], counted: Sequence[Counter[str]], first: int
) -> Iterator[Document]:
    for place, one in islice(enumerate(said), first, None):
        words: Counter[str] = Counter({term: OWN_WEIGHT * count for term, count in counted[place].items()})
        for near in (place - 1, place + 1):
            if 0 <= near < len(said):
                for term, count in counted[near].items():
                    words[term] += NEIGHBOUR_WEIGHT * count
        text = text_key(text_hash(one.words[:FULL_TEXT_CHARACTERS])) if one.words.strip() else 0
        facet = np.array((facets.micros(one.at), facets.name_hash(talk.id), one.number, text), dtype=TURN)
        yield Document(turn_id(talk.id, one.number), 0, words, facets=facet.tobytes(), record=talk.id)


def _talk_document(talk: _Talk, counted: Sequence[Counter[str]]) -> Document:
    """A conversation by all its words, and by its day as people say it."""
    words: Counter[str] = Counter(analysis.terms(f"{talk.started_at:%d %B %Y %A}"))
    for some in counted:
        words.update(some)
    facet = np.array((facets.name_hash(talk.id),), dtype=TALK).tobytes()
    return Document(talk.id, talk.state, words, facets=facet, record=str(talk.turns))
