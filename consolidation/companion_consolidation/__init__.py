"""Consolidation: passes that propose changes over a read-only archive, each change with its reason.

A pass is a module with `plan(archive) -> Iterator[Change]` and a line among the entry points
`companion.passes`, in whose names' order they run. What they propose is shown by a dry run; nothing here
writes.
"""
