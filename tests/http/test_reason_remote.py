"""Requests read over a daemon: the same answers as at home, and what one client teaches holds for the next."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from daemons import Served

from companion.errors import UnknownAnswer, UsageError
from companion.records.reasoning import Conformance, Outcome


def test_what_one_client_teaches_holds_for_another_and_is_explained_to_both(serving: Callable[..., Served]):
    served = serving()
    one, two = served.remote(), served.remote()
    found = one.classify("sweep the yard")
    done = one.record_outcome(found.id, Outcome.CORRECTED, "the cleanup job", "process/machine/execute")
    assert done.answer.note == "the cleanup job"
    again = two.classify("sweep the yard")
    assert str(again.reading) == "process/machine/execute"
    assert two.influences(again.id) == one.influences(again.id)
    assert two.influences(found.id).answers[-1].outcome is Outcome.CORRECTED
    checked = two.verify("sweep the yard", "explain the yard")
    assert checked.verdict is Conformance.UNKNOWN
    assert one.decompose("sweep the yard and then report").steps[0].text == "sweep the yard"
    with pytest.raises(UnknownAnswer):
        two.record_outcome("q1" + "0" * 30, Outcome.ACCEPTED)
    with pytest.raises(UsageError):
        one.classify(" ")
