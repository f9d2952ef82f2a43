"""Every test here may have a database of a real server."""

from postgres import base, postgres_folder

__all__ = ["base", "postgres_folder"]
