"""Statements are parsed once: DuckDB 2.0.0 parses a thousand characters in 1 to 1.6 ms, as long as it runs them."""

from __future__ import annotations

from companion.store.binding import duckdb

PARSED_MOST = 600
"""Statements kept, of 14 to 24 kB each; conversations and runs together asked 403 different ones."""

_PARSED: dict[str, duckdb.Statement] = {}


def execute(connection: duckdb.DuckDBPyConnection, statement: str, given: object = None) -> duckdb.DuckDBPyConnection:
    """Run one statement; its result is fetched from what is returned, the connection itself.

    A statement belongs to no connection: it is copied each time that it runs. Raises duckdb.Error.
    """
    parsed = _PARSED.get(statement)
    if parsed is None:
        if len(_PARSED) >= PARSED_MOST:
            _PARSED.clear()
        (parsed,) = connection.extract_statements(statement)
        _PARSED[statement] = parsed
    return connection.execute(parsed, given)
