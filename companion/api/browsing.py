"""Going through what is remembered: looking changes nothing, and is not noted as use."""

from __future__ import annotations

from typing import Protocol

from companion.records.browsing import Browsed, BrowseQuery, Dossier
from companion.records.declared import Declaration

FACTS_TOLD = 500
"""Rows of one answer of `facts`."""


class Browsing(Protocol):
    """What is there, for somebody who goes through it. Every verb raises CompanionError with a next step."""

    def browse(self, query: BrowseQuery) -> Browsed:
        """Memories newest first, a page at a time; a page far down costs what the first does."""

    def dossier(self, id_: str) -> Dossier:
        """All that is known of one memory (a prefix of its id is enough); an archived one stays archived."""

    def facts(self, words: str = "") -> tuple[Declaration, ...]:
        """What files of settings declare that says all of some words, by file and line, at most `FACTS_TOLD`.

        Dependencies, owners, plain settings, CI jobs, scripts and targets: no memories, read from the checkout.
        """
