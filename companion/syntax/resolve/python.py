"""Python: relative and absolute modules, source layouts, names that are submodules."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from companion.records import Import
from companion.syntax.definitions import Definitions
from companion.syntax.resolve.meaning import Meant, folder_of


def python(definitions: Definitions, path: str, imported: Import) -> Iterator[tuple[str, Meant]]:
    """A Python import: submodules for names that are some, else the module."""
    bases = list(_python_bases(definitions, path, imported.module))
    for name in imported.names:
        submodule = next((file for base in bases for file in _python_module(definitions, f"{base}/{name}")), "")
        if submodule:
            yield name, Meant((submodule,))
    modules = [file for base in bases for file in _python_module(definitions, base)][:1]
    meant = Meant(tuple(modules), tuple(folder_of(file) for file in modules if file.endswith("__init__.py")))
    if not imported.names:
        yield "", meant
    for name in imported.names:
        if not any(_python_module(definitions, f"{base}/{name}") for base in bases):
            yield name, meant


def _python_bases(definitions: Definitions, path: str, module: str) -> Iterator[str]:
    """Paths without ending that a module name may mean, best first."""
    dots = len(module) - len(module.lstrip("."))
    rest = module[dots:].replace(".", "/")
    folder = folder_of(path)
    if dots:
        for _ in range(dots - 1):
            folder = folder_of(folder)
        yield f"{folder}/{rest}".strip("/") if rest else folder
        return
    own = definitions.python_root(folder)
    top = module.split(".", 1)[0]
    roots = [own]
    if top not in sys.stdlib_module_names:
        roots += ["", "src", "lib", *definitions.python_roots()]
    for root in dict.fromkeys(roots):
        base = f"{root}/{rest}".strip("/")
        if _python_module(definitions, base) or definitions.is_folder(base):
            yield base


def _python_module(definitions: Definitions, base: str) -> list[str]:
    ends = (".py", "/__init__.py", ".pyi", "/__init__.pyi")
    return [file for end in ends if (file := base + end) in definitions][:1]
