"""The verbs of `companion.api.Companion`, answered with the store opened in this process: a module a family.

What only some verbs need is imported inside them: a context from a cold shell must not wait for the
parsers of a scan.
"""
