"""The judges that a measurement can name."""

from __future__ import annotations

from collections.abc import Callable

from companion.app.runtime import Runtime
from companion.errors import UsageError
from companion.ports import Judge


def judge_named(name: str) -> Callable[[Runtime], Judge]:
    """How to make a judge: `rules`, `local` (rules and the fitted reader) or `model` (the language model alone)."""
    makers = {"rules": _rules, "local": _local, "model": _model}
    if name not in makers:
        raise UsageError(f"There is no judge {name}.", f"Name one of {', '.join(makers)}.")
    return makers[name]


def _rules(runtime: Runtime) -> Judge:
    from companion.judge.rules import RulesJudge

    return RulesJudge()


def _local(runtime: Runtime) -> Judge:
    from companion.app.consolidation.judges import local

    return local(runtime.adapters.embedder, thorough=True)


def _model(runtime: Runtime) -> Judge:
    from companion.judge.batches import ModelJudge

    model = runtime.adapters.make_language_model()
    if model is None:
        raise UsageError(
            "There is no language model to ask.",
            "Name one in the settings (see `companion/SETTINGS.md`), or use rules.",
        )
    return ModelJudge(model)
