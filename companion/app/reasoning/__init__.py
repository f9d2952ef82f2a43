"""What bears on a request, what a model says of it, and what came of the answer."""
