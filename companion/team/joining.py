"""Records of a team, joined: a union in which an author's withdrawal takes the version away, whichever came first.

Joining is commutative, associative and idempotent, since a record is named by what it says and nothing is chosen by
the order of arrival; where one of several must be chosen (the latest resolution of a pair, the latest version of one
author, of verdicts a person's before a model's), its moment and then its id decide.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from companion.records.team import SharedResolution, SharedVerdict, SharedVersion, TeamRecord, TeamState, Withdrawal


def joined(*sets: Mapping[str, TeamRecord]) -> dict[str, TeamRecord]:
    """The union of several sets, without the versions that their authors withdraw in one of them; in order of ids."""
    together = {id_: record for one in sets for id_, record in one.items()}
    gone = {(one.version, one.author) for one in together.values() if isinstance(one, Withdrawal)}
    return {
        id_: one
        for id_, one in sorted(together.items())
        if not isinstance(one, SharedVersion) or (id_, one.author) not in gone
    }


def state_of(records: Mapping[str, TeamRecord]) -> TeamState:
    """What a set of records amounts to."""
    rest = joined(records)
    versions = {id_: record for id_, record in rest.items() if isinstance(record, SharedVersion)}
    withdrawals = [one for one in rest.values() if isinstance(one, Withdrawal) and one.version not in versions]
    resolutions = [(id_, record) for id_, record in rest.items() if isinstance(record, SharedResolution)]
    verdicts = [(id_, record) for id_, record in rest.items() if isinstance(record, SharedVerdict)]
    return TeamState(
        versions,
        {record.version: record for record in sorted(withdrawals, key=lambda one: (one.made_at, one.author))},
        _current(versions),
        {(one.a, one.b): one for _, one in sorted(resolutions, key=lambda pair: (pair[1].made_at, pair[0]))},
        {
            (one.a, one.b): one
            for _, one in sorted(verdicts, key=lambda pair: (pair[1].by_person, pair[1].made_at, pair[0]))
        },
    )


def _current(versions: Mapping[str, SharedVersion]) -> dict[str, tuple[str, ...]]:
    """By key the latest version of each author, of those that no other replaces."""
    replaced = {old for version in versions.values() for old in version.replaces}
    in_order = sorted(versions.items(), key=lambda pair: (pair[1].made_at, pair[0]))
    latest = {(one.key, one.author): id_ for id_, one in in_order if id_ not in replaced}
    grouped = defaultdict(list)
    for (key, _), id_ in latest.items():
        grouped[key].append(id_)
    return {key: tuple(sorted(ids)) for key, ids in sorted(grouped.items())}
