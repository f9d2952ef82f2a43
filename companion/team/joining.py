"""Records of a team, joined: a union in which a withdrawal takes its version's text away, whichever came first.

Joining is commutative, associative and idempotent, since a record is named by what it says and nothing is chosen by
the order of arrival; where one of several must be chosen (the latest resolution of a pair), its moment and then its id
decide.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping

from companion.records.team import SharedResolution, SharedVersion, TeamRecord, TeamState, Withdrawal
from companion.wire import encode, to_json

ID_DIGITS = 32
"""Hexadecimal digits of a record's id, as of the store's own digests: no two of a billion meet."""


def record_id(record: TeamRecord) -> str:
    """The digest of what a record says."""
    return hashlib.sha256(to_json(encode(record, TeamRecord))).hexdigest()[:ID_DIGITS]


def joined(*sets: Mapping[str, TeamRecord]) -> dict[str, TeamRecord]:
    """The union of several sets, without the versions that one of them withdraws; by id, in order of ids."""
    together = {id_: record for one in sets for id_, record in one.items()}
    gone = {record.version for record in together.values() if isinstance(record, Withdrawal)}
    return {id_: one for id_, one in sorted(together.items()) if not (id_ in gone and isinstance(one, SharedVersion))}


def state_of(records: Mapping[str, TeamRecord]) -> TeamState:
    """What a set of records amounts to."""
    rest = joined(records)
    versions = {id_: record for id_, record in rest.items() if isinstance(record, SharedVersion)}
    withdrawals = [record for record in rest.values() if isinstance(record, Withdrawal)]
    resolutions = [(id_, record) for id_, record in rest.items() if isinstance(record, SharedResolution)]
    replaced = {old for version in versions.values() for old in version.replaces}
    return TeamState(
        versions,
        {record.version: record for record in sorted(withdrawals, key=lambda one: (one.made_at, one.author))},
        _by_key((id_, version.key) for id_, version in versions.items() if id_ not in replaced),
        {(one.a, one.b): one for _, one in sorted(resolutions, key=lambda pair: (pair[1].made_at, pair[0]))},
    )


def _by_key(ids: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    grouped = defaultdict(list)
    for id_, key in ids:
        grouped[key].append(id_)
    return {key: tuple(sorted(found)) for key, found in grouped.items()}
