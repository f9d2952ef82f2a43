"""All verbs together, answered in this process for one checkout."""

from __future__ import annotations

from companion.app.verbs.answering import Answering
from companion.app.verbs.asking import Asking
from companion.app.verbs.bringing import Bringing
from companion.app.verbs.browsing import Browsing
from companion.app.verbs.judging import Judging
from companion.app.verbs.keeping import Keeping
from companion.app.verbs.looking import Looking
from companion.app.verbs.noting import Noting
from companion.app.verbs.nudging import Nudging
from companion.app.verbs.observing import Observing
from companion.app.verbs.reasoning import Reasoning
from companion.app.verbs.refreshing import Refreshing
from companion.app.verbs.scanning import Scanning
from companion.app.verbs.searching import Searching
from companion.app.verbs.settling import Settling
from companion.app.verbs.tending import Tending
from companion.app.verbs.turns import Turns


class LocalCompanion(
    Scanning,
    Refreshing,
    Asking,
    Keeping,
    Observing,
    Answering,
    Settling,
    Judging,
    Looking,
    Turns,
    Reasoning,
    Nudging,
    Noting,
    Searching,
    Bringing,
    Browsing,
    Tending,
):
    """Answers for one checkout. See `companion.api.Companion` for the verbs."""
