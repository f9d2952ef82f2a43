"""The script that draws charts, run without a browser: whatever language one names, the library loads."""

from __future__ import annotations

import json
import shutil
import subprocess
from importlib.resources import files

import pytest

STATIC = files("companion.surfaces.page").joinpath("static")
NODE = shutil.which("node")
BROWSER = """
const vm = require("vm"), fs = require("fs");
const [, chart, library, language] = process.argv;
const element = () => ({ append() {}, classList: { add() {} }, style: {} });
const told = [];
const window = {
  navigator: Object.create({ get language() { return language; } }),
  matchMedia: () => ({ addEventListener() {} }),
  addEventListener() {}, dispatchEvent() {}, devicePixelRatio: 1,
  ResizeObserver: class { observe() {} }, CustomEvent: class {}, Intl, Promise, console,
  getComputedStyle: () => ({ getPropertyValue: () => "" }),
};
window.window = window;
window.document = {
  readyState: "complete", currentScript: { dataset: {} }, createElement: element, addEventListener() {},
  querySelectorAll: () => [{ isConnected: false }],
  head: { append(style, script) {
    try { vm.runInContext(fs.readFileSync(library, "utf8"), context); told.push(typeof window.uPlot); script.onload(); }
    catch (wrong) { told.push(String(wrong)); script.onload(); }
  } },
};
const context = vm.createContext(window);
vm.runInContext(fs.readFileSync(chart, "utf8"), context);
setTimeout(() => console.log(JSON.stringify(told)), 20);
"""
"""As much of a browser as the script and the library ask for while they load."""


@pytest.mark.skipif(NODE is None, reason="node is not installed")
@pytest.mark.parametrize("language", ["en-US@posix", "C", "", "de-DE", "en_US.UTF-8", "undefined"])
def test_the_library_of_charts_loads_in_whatever_language_a_browser_names(language: str) -> None:
    scripts = [str(STATIC.joinpath(name)) for name in ("chart.js", "vendored/uPlot.iife.min.js")]
    assert NODE
    ran = subprocess.run(
        [NODE, "-e", BROWSER, *scripts, language], capture_output=True, text=True, check=True, timeout=60
    )
    assert json.loads(ran.stdout) == ["function"]
