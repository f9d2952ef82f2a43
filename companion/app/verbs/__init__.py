"""The verbs of `companion.api.Companion`, answered with the store opened in this process: six services.

`companion.app.local` says which module belongs to which. What only some verbs need is imported inside them: a context
from a cold shell must not wait for the parsers of a scan.
"""
