"""Inside pytest: each change is tried in a copy of the process that holds the collected tests.

Nothing is written to the working tree: the copy compiles the changed source and puts its code in the place of one
function's, runs the tests that run this line, quickest first, and stops at the first that fails.
"""

from __future__ import annotations

import gc
import inspect
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import _lru_cache_wrapper, cached_property
from importlib import import_module
from pathlib import Path
from time import process_time
from types import CodeType, FunctionType
from typing import Any

import pytest
from coverage import Coverage
from hypothesis import Phase, settings

from mutation.changing import Mutant
from mutation.forking import in_a_copy

ALL_CPU_S, ALL_WALL_S = 1_800, 3_600.0
"""For all tests of a room once, under measurement: the slowest room takes five minutes."""
SPARE_S = 20
"""Beside ten times what the tests took: starting what they need."""


@dataclass(frozen=True)
class Covered:
    """Which tests run which line, and what a test costs."""

    tests: dict[str, dict[str, list[str]]]
    """Path -> line -> tests."""
    cpu_s: dict[str, float]
    failed: list[str]
    """Tests that fail on the unchanged code; they are not used."""

    def of(self, mutant: Mutant) -> list[str]:
        """Return the tests that run its line, quickest first."""
        found = self.tests.get(mutant.path, {}).get(str(mutant.line), [])
        return sorted(set(found) - set(self.failed), key=lambda test: (self.cpu_s[test], test))


@dataclass(eq=False)
class Trying:
    """The plugin: instead of running the tests it does what it was made for, once they are collected."""

    root: Path
    sources: dict[str, bytes]
    """Of the files that are changed, by their path from the root."""
    work: Any
    """Called with this plugin when the tests are collected."""
    items: dict[str, pytest.Item] = field(default_factory=dict)
    failed: str = ""
    coverage: Coverage | None = None
    context: str = ""

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        """Examples that fail need not be made small: that costs more than all else."""
        phases = [Phase.explicit, Phase.generate]
        settings.register_profile("mutation", settings.get_profile("suite"), phases=phases)
        settings.load_profile("mutation")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            raise session.Interrupted("The tests cannot be collected; run them with pytest first.")
        self.items = {item.nodeid: item for item in session.items}
        gc.freeze()
        self.work(self)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed = self.failed or report.nodeid

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Iterator[None]:
        """What a fixture of many tests runs, each of them runs."""
        before = self.context
        if fixturedef.scope != "function":
            self._switch(_name(fixturedef))
        made = yield
        self._switch(before)
        return made

    def _switch(self, context: str) -> None:
        self.context = context
        if self.coverage is not None:
            self.coverage.switch_context(context)

    def covered(self) -> Covered:
        """Run every test once, alone as far as it can be, and return which lines of these files each runs."""
        answer, wrong = in_a_copy(self._measure, ALL_CPU_S, ALL_WALL_S)
        if wrong:
            raise RuntimeError(wrong)
        return Covered(**answer)

    def _measure(self) -> dict[str, Any]:
        files = [str(self.root / path) for path in self.sources]
        self.coverage = Coverage(data_file=None, include=files, config_file=False)
        cpu_s, failed = {}, []
        self.coverage.start()
        for name, item in self.items.items():
            _forget_results()
            self._switch(name)
            begun = process_time()
            if self._run([item]):
                failed.append(name)
            cpu_s[name] = process_time() - begun
        self.coverage.stop()
        return {"tests": self._lines(), "cpu_s": cpu_s, "failed": failed}

    def _lines(self) -> dict[str, dict[str, list[str]]]:
        assert self.coverage is not None
        users = defaultdict(list)
        for name, item in self.items.items():
            users[name].append(name)
            for made in item._fixtureinfo.name2fixturedefs.values():  # type: ignore[attr-defined]  # no public way
                users[_name(made[-1])].append(name)
        data = self.coverage.get_data()
        return {
            path: {
                str(line): sorted({name for context in contexts for name in users.get(context, [])})
                for line, contexts in data.contexts_by_lineno(str(self.root / path)).items()
            }
            for path in self.sources
        }

    def killed_by(self, mutant: Mutant, covered: Covered) -> str:
        """Return the test that notices the change, "out of time" or "crashed"; "" where none notices it."""
        tests = covered.of(mutant)
        limit_s = int(10 * sum(covered.cpu_s[test] for test in tests)) + SPARE_S

        def tried() -> str:
            put_in_place(mutant, self.sources[mutant.path])
            return self._run([self.items[test] for test in tests])

        answer, wrong = in_a_copy(tried, limit_s, 4.0 * limit_s)
        return wrong or answer or ""

    def _run(self, items: list[pytest.Item]) -> str:
        """Run tests until one fails; return its name, or ""."""
        self.failed = ""
        for item, following in zip(items, [*items[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.failed:
                break
        return self.failed


def put_in_place(mutant: Mutant, source: bytes) -> None:
    """Give the live function the code of the changed source; whoever has imported it already calls the new one."""
    name = mutant.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    module = import_module(name.removeprefix("consolidation.").removeprefix("lsp.").removeprefix("schema."))
    live: Any = module
    for part in mutant.function.split("."):
        live = inspect.getattr_static(live, part)
    function = _function(live)
    changed = compile(mutant.of(source), function.__code__.co_filename, "exec", dont_inherit=True)
    function.__code__ = _same(changed, function.__code__)


def _function(live: Any) -> FunctionType:
    """Return the plain function behind a property, a class method, a cache or another decorator."""
    if isinstance(live, property):
        live = live.fget
    if isinstance(live, cached_property):
        live = live.func
    if isinstance(live, classmethod | staticmethod):
        live = live.__func__
    live = inspect.unwrap(live)
    assert isinstance(live, FunctionType), live
    return live


def _same(code: CodeType, wanted: CodeType) -> CodeType:
    """Return the code object of the function with that name and first line, in a module's code."""
    waiting = [code]
    while waiting:
        one = waiting.pop()
        if one.co_qualname == wanted.co_qualname and one.co_firstlineno == wanted.co_firstlineno:
            return one
        waiting.extend(part for part in one.co_consts if isinstance(part, CodeType))
    raise LookupError(wanted.co_qualname)


def _name(fixture: pytest.FixtureDef[Any]) -> str:
    return f"{fixture.baseid}::{fixture.argname} (fixture)"


def _forget_results() -> None:
    """Empty the caches of functions, so that the next test runs what it needs itself."""
    for name, module in list(sys.modules.items()):
        if name.startswith("companion"):
            for one in list(vars(module).values()):
                if isinstance(one, _lru_cache_wrapper):
                    one.cache_clear()
