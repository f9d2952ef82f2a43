"""How a conversation goes on: agreed, taken back, outdated, settled."""
