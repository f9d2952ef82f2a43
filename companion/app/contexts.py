"""The context for an ask: made when it is asked for, or ready before; and what was asked last."""

from __future__ import annotations

import json
import time
from datetime import datetime

from msgspec.structs import asdict, replace

from companion.api import Order
from companion.app.checkout import OpenCheckout
from companion.app.prefetch import PrefetchKey, Prepared, stamps_of
from companion.app.working.completing import complete, report_of
from companion.engine.assemble import assemble
from companion.engine.attending.focus import focus
from companion.engine.predicting.predict import predict
from companion.records import Activity, Context, ErrorReport, Format, Prediction, Signals
from companion.store import projects
from companion.store.working import sightings


def prefetch(here: OpenCheckout) -> tuple[str, ...]:
    """Make the context for what is at hand ready; returns the file it is for, nothing if none is at hand.

    To be called after observations and refreshes, when nobody waits: it reads, and writes only counts.
    """
    from companion.app.working.traces import uncommitted

    session = here.session()
    uncommitted(here)
    wanted = expected(here)
    if not wanted.signals.current_file:
        return ()
    prefetched, database, now = session.prefetched, here.store.database, here.now()
    folder, revision = here.work_folder(), database.revision
    if prefetched.ready(wanted, revision, now, folder) is None:
        start = time.perf_counter()
        context = made(here, wanted)
        shown = {item.path: None for tier in context.tiers for item in tier.items if item.path is not None}
        stamps = stamps_of(folder, {wanted.signals.current_file: None, **shown})
        took_ms = 1000 * (time.perf_counter() - start)
        prefetched.keep(Prepared(wanted, context, revision, stamps, now, took_ms))
    prefetched.write_counts()
    return (wanted.signals.current_file,)


def made(here: OpenCheckout, wanted: PrefetchKey, leave_out: frozenset[str] = frozenset()) -> Context:
    """The context for an ask with nothing left to complete; without what is left out."""
    signals = wanted.signals
    return assemble(
        wanted.budget_tokens,
        signals,
        (*here.errors(signals), *wanted.errors),
        here.library(signals),
        here.runtime.adapters.counter,
        here.moment(signals),
        wanted.format,
        wanted.order,
        project_name=here.name,
        leave_out=leave_out,
    )


def predicted(here: OpenCheckout, signals: Signals, seen: tuple[ErrorReport, ...]) -> tuple[Prediction, ...]:
    """The files that are likely needed, likeliest first; `seen` are errors beside those that the signals give."""
    library = here.library(signals)
    meant = focus(signals, (*here.errors(signals), *seen))
    return predict(meant, library, here.moment(signals))


def expected(here: OpenCheckout) -> PrefetchKey:
    """What would be asked now if somebody asked as they did last, saying nothing new."""
    usual = last_asked(here) or PrefetchKey(here.runtime.settings.budget_tokens)
    done = complete(here, Signals(assistant=usual.signals.assistant))
    return replace(usual, signals=done.signals, errors=done.errors)


def last_asked(here: OpenCheckout) -> PrefetchKey | None:
    """What was asked last for this checkout, by this process or another; None: nobody has asked yet."""
    if (usual := here.session().prefetched.usual) is not None:
        return usual
    text = projects.get_value(here.store.database, f"last:{here.checkout}")
    if not text:
        return None
    noted = json.loads(text, object_hook=_with_tuples)
    signals = Signals(**{one: noted[one] for one in Signals.__struct_fields__ if noted.get(one)})
    if signals.activity is not None:
        signals = replace(signals, activity=Activity(signals.activity))
    if signals.at is not None:
        signals = replace(signals, at=datetime.fromisoformat(noted["at"]))
    seen = (sightings.of_error(here.store.database, here.project, mark)[:1] for mark in noted.get("seen", ()))
    errors = tuple(report_of(one) for found in seen for one in found)
    shown, order = Format(noted.get("format", "md")), Order(noted.get("order", "people"))
    return PrefetchKey(int(noted["budget"]), signals, shown, order, errors)


def note_last(here: OpenCheckout, wanted: PrefetchKey) -> None:
    """Remember what was asked, for `explain` and for what is made beforehand; losing this loses nothing else."""
    noted = asdict(wanted.signals)
    noted |= {"budget": wanted.budget_tokens, "format": wanted.format, "order": wanted.order}
    noted["seen"] = [error.fingerprint for error in wanted.errors]
    projects.set_value(here.store.database, f"last:{here.checkout}", json.dumps(noted, default=datetime.isoformat))


def _with_tuples(said: dict[str, object]) -> dict[str, object]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in said.items()}
