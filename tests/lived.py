"""A repository somebody has lived with: read, with what they said of it, what is open, and what would break a page."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from repos import Repo

from companion.api import Note
from companion.app.compose import open_companion
from companion.ports import NoProgress
from companion.records import Kind

PINNED = "Prices are integer cents, because floats lose digits."
RULED = ("Shop requires Python 3.9+.", ">=3.11")
"""What the README and the manifest say of one thing."""
HOSTILE = (
    "<img src=x onerror=\"document.title='broken'\"><script>document.title='broken'</script> **bold** [a](command:x)",
    "\x1b[31mred\x1b[0m \x1b]0;title\x07 bell and colour",
    "\u202eright to left\u202c שלום עולם",
    "long: " + "a memory of a hundred thousand letters " * 2_600,
)
"""Texts that must be shown as the text they are."""


def write(root: Path) -> Repo:
    """The repository: two commits, a manifest and a README that contradict each other, steps and a decision."""
    root.mkdir(parents=True)
    repo = Repo(root)
    repo.git("init", "-q")
    repo.write("pyproject.toml", '[project]\nname = "shop"\nrequires-python = ">=3.11"\n')
    repo.write("README.md", f"# Shop\n\n{RULED[0]}\n")
    repo.write("Makefile", "test:\n\tpytest -q\n\nrelease: test\n\tpython -m build\n")
    repo.write("shop/price.py", 'def total(items):\n    """Adds up prices."""\n    return sum(items)\n')
    repo.write("shop/cart.py", "from shop.price import total\n\n\ndef checkout(items):\n    return total(items)\n")
    repo.commit("Add prices and the cart")
    repo.write(
        "shop/price.py",
        'def total(items):\n    """Adds up prices, in cents."""\n    return sum(round(i) for i in items)\n',
    )
    repo.commit(
        "Round each price to cents\n\nThe total in shop/price.py was off by a cent, because floats lose digits.\n"
        "Each sum was shown beside its parts, and nobody saw that they differed before the books were closed at the\n"
        "end of a month. We decided to keep integers rather than decimals, which each till would have to round."
    )
    return repo


def read(root: Path, home: Path) -> None:
    """Read it into the data folder `home`, with what its user said; no vectors."""
    with _set(COMPANION_EMBEDDINGS="off"):
        companion = open_companion(root, home)
        try:
            companion.scan(NoProgress())
            companion.remember(Note(PINNED, pinned=True))
            companion.remember(Note("The payment client never retries failed calls"))
            companion.remember(Note("The payment client retries failed calls"))
            companion.remember(Note("Deploy on Mondays only", kind=Kind.WORKFLOW))
            for text in HOSTILE:
                companion.remember(Note(text))
        finally:
            companion.close()


@contextmanager
def _set(**given: str) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in given}
    os.environ.update(given)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
