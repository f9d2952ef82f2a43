"""Events to memories: each way of learning is a module and a line in `KINDS`."""
