"""What each sort of change does and when it is refused, in statements, a module a family.

A change is its record in `companion.records.tidying` and its statements under the same name in capitals in a module
here. What it finds and leaves, how it is applied, taken back and compared, all follows from the rows that it selects.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.store.consolidation.changes import between, ending, moving
from companion.store.consolidation.changes.statements import Statements

STATEMENTS: Mapping[str, Statements] = {
    name.capitalize(): told
    for family in (ending, between, moving)
    for name, told in vars(family).items()
    if isinstance(told, Statements)
}
"""By the name of the record. Without statements a change of an earlier version is refused, and can be taken back."""
