"""DuckDB's compiled part, all of it that the store uses: the package around it takes 45 ms more to load."""

import _duckdb as duckdb

__all__ = ["duckdb"]
