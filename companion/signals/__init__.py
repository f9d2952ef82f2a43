"""The world as events: files, git, errors. Each source is a module."""
