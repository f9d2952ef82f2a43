"""The context for an ask: made when it is asked for, or ready before; and what was asked last."""

from __future__ import annotations

from contextlib import suppress

from msgspec.structs import replace

from companion.app.checkout import OpenCheckout
from companion.app.prefetch import PrefetchKey, Prepared, stamps_of
from companion.app.working.completing import complete
from companion.engine.assemble import assemble
from companion.engine.attending.focus import focus
from companion.engine.predicting.predict import predict
from companion.records import Context, ErrorReport, Prediction, Signals
from companion.store import projects
from companion.wire import keep, kept


def prefetch(here: OpenCheckout) -> tuple[str, ...]:
    """Make the context for what is at hand ready; returns the file it is for, nothing if none is at hand.

    To be called after observations and refreshes, when nobody waits: it reads alone.
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
        context = made(here, wanted)
        shown = {item.path: None for tier in context.tiers for item in tier.items if item.path is not None}
        stamps = stamps_of(folder, {wanted.signals.current_file: None, **shown})
        prefetched.keep(Prepared(wanted, context, revision, stamps, now))
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
        signals.at or here.now(),
        wanted.format,
        wanted.order,
        project_name=here.name,
        leave_out=leave_out,
    )


def predicted(here: OpenCheckout, signals: Signals, seen: tuple[ErrorReport, ...]) -> tuple[Prediction, ...]:
    """The files that are likely needed, likeliest first; `seen` are errors beside those that the signals give."""
    library = here.library(signals)
    meant = focus(signals, (*here.errors(signals), *seen))
    return predict(meant, library)


def expected(here: OpenCheckout) -> PrefetchKey:
    """What would be asked now if somebody asked as they did last, saying nothing new."""
    usual = last_asked(here) or PrefetchKey(here.runtime.settings.budget_tokens)
    done = complete(here, Signals(assistant=usual.signals.assistant))
    return replace(usual, signals=done.signals, errors=done.errors)


def last_asked(here: OpenCheckout) -> PrefetchKey | None:
    """What was asked last for this checkout, by this process or another; None: nobody has asked yet."""
    if (usual := here.session().prefetched.usual) is not None:
        return usual
    with suppress(ValueError):  # nothing was noted, or by an earlier version in words of its own
        noted: PrefetchKey = kept(PrefetchKey, projects.get_value(here.store.database, f"last:{here.checkout}"))
        return noted
    return None


def note_last(here: OpenCheckout, wanted: PrefetchKey) -> None:
    """Remember what was asked, for `explain` and for what is made beforehand; losing this loses nothing else."""
    projects.set_value(here.store.database, f"last:{here.checkout}", keep(wanted, PrefetchKey))
