"""Records as JSON and back: the one vocabulary of the HTTP API, whoever speaks it.

What is sent follows from the type hints of a record, read once a class: records are objects by field,
enums their values, moments ISO 8601 in UTC with a Z, tuples lists. Where a field may hold one of several
records, the object says which: `{"record": "Episode", …}`. What comes back is equal to what was sent.

What the store keeps in a column of JSON goes the same way, without zones and, where there is much of it, without
names (`keep`, `kept`); read back, it may be what an earlier version wrote.

Reading what was sent is strict: a wrong shape, an unknown or a missing field is a UsageError that names the field,
and says what it must be without repeating what it was.
"""

from __future__ import annotations

from companion.wire.decoding import decode, decode_any, from_json
from companion.wire.encoding import encode, keep, to_json
from companion.wire.forms import filled, filled_from, form_of
from companion.wire.keeping import Members, kept, kept_reading
from companion.wire.shapes import (
    MOMENT,
    TAG,
    WHOLE_MAX,
    Among,
    Between,
    Spelling,
    choices,
    class_of,
    defaults_of,
    hints_of,
    is_record,
    required,
)
