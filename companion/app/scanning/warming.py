"""What the first change and the first verbs of a new process wait for, loaded beforehand; the model is not here.

In steps of a tenth of a second or so, so that whoever takes them lets others go first in between.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from companion import kinds
from companion.app import verbs
from companion.app.runtime import Runtime
from companion.store.code.stored_code import commonest_languages
from companion.syntax.languages import grammar_of, row_of

LANGUAGES_MOST = 4
"""Languages whose grammars are loaded, the commonest of the store: each takes up to 0.1 s and some MB."""


def warming(runtime: Runtime) -> Iterator[str]:
    """Load one thing after the other, telling of each by name."""
    runtime.adapters.counter.count("warm")
    yield "tokens"
    first = ("companion.app.scanning.refresh", "companion.app.consolidation.opposing")
    for module in (*first, *kinds.modules(), *verbs.modules()):
        import_module(module)
        yield module
    _ = kinds.KINDS
    for language in commonest_languages(runtime.store.database, LANGUAGES_MOST):
        if row_of(language) is not None:
            grammar_of(language)
            yield language
