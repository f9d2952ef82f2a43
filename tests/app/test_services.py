"""Every verb is answered by a service of its family as the protocol declares it; none is left over, none is inherited."""

from __future__ import annotations

import inspect
from importlib import import_module

import pytest

from companion.api.routes import ROUTES, Route
from companion.app.checkout import OpenCheckout, Service
from companion.app.local import LocalCompanion
from companion.app.verbs import SERVICES, service_of

ANSWERED = [route for route in ROUTES if not hasattr(OpenCheckout, route.verb)]


def services() -> list[type[Service]]:
    return [
        getattr(import_module(f"companion.app.verbs.{place.rpartition('.')[0]}"), place.rpartition(".")[2])
        for places in SERVICES.values()
        for place in places
    ]


@pytest.mark.parametrize("route", ANSWERED, ids=lambda route: route.verb)
def test_a_service_takes_and_gives_what_the_protocol_declares(route: Route):
    answered = getattr(service_of(route.family, route.verb), route.verb)
    told, declared = inspect.signature(answered), inspect.signature(route.declared)
    assert told == declared


def test_a_verb_is_answered_once_and_by_a_service_of_its_family():
    verbs = {route.verb for route in ANSWERED}
    for kind in services():
        assert kind.__mro__[1] is Service
        public = {name for name in vars(kind) if not name.startswith("_")}
        assert public <= verbs, kind
        verbs -= public
    assert not verbs
    assert all(hasattr(LocalCompanion, route.verb) for route in ROUTES)
