"""Real daemons, over a copy of a store that was read once; whatever a test starts ends with it."""

from client.conftest import house, kept_house, read_shop

__all__ = ["house", "kept_house", "read_shop"]
