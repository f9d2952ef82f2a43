"""Packages and namespaces that files or manifests declare: Java, Kotlin, Scala, C#, PHP, Elixir, Dart, Haskell."""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.records import Import
from companion.syntax.definitions import Definitions
from companion.syntax.resolve.meaning import MAX_PACKAGE_FILES, NOWHERE, Meant, beside_or_ending, folder_of, join


def jvm(definitions: Definitions, path: str, imported: Import) -> Iterator[tuple[str, Meant]]:
    """A class, a member of one, or all of a package."""
    module = imported.module.removeprefix("import ").strip()
    package, _, last = module.rpartition(".")
    if last in {"*", "_"} or definitions.package(module):
        yield "", _declared(definitions, module.removesuffix(".*").removesuffix("._"))
        return
    for _ in range(2):
        named = [file for file in definitions.package(package) if last in definitions.places[file].names]
        if not named:
            named = [
                f for end in ("java", "kt", "scala") for f in definitions.ending(f"{module.replace('.', '/')}.{end}")
            ]
        if named:
            yield last, Meant(tuple(definitions.nearest(named, path, 1)))
            return
        module = package
        package, _, last = package.rpartition(".")


def csharp(definitions: Definitions, path: str, imported: Import) -> Iterator[tuple[str, Meant]]:
    """A namespace that is used: the files that declare it."""
    yield "", _declared(definitions, imported.module)


def elixir(definitions: Definitions, path: str, imported: Import) -> Iterator[tuple[str, Meant]]:
    """A module, or several below one: the files that define them, whatever these are called."""
    for module in [f"{imported.module}.{name}" for name in imported.names] or [imported.module]:
        files = definitions.nearest(definitions.package(module), path)
        yield module.rpartition(".")[2], Meant(tuple(files))


def haskell(definitions: Definitions, path: str, imported: Import) -> Iterator[tuple[str, Meant]]:
    """A module by its name; what it passes on lies in the folder of its name."""
    files = definitions.nearest(definitions.package(imported.module), path)
    for name in imported.names or ("",):
        yield name, Meant(tuple(files), tuple(file.rpartition(".")[0] for file in files))


def dart(definitions: Definitions, path: str, imported: Import) -> Iterator[tuple[str, Meant]]:
    """A file of a package of the repository, which passes on what lies beside or below it, or one beside this."""
    scheme, _, rest = imported.module.rpartition(":")
    package, _, inner = rest.partition("/")
    if scheme:
        files = [join(folder, f"lib/{inner}") for folder in definitions.manifest_folders(package)]
    else:
        files = [join(folder_of(path), rest)]
    for file in definitions.nearest((file for file in files if file in definitions), path):
        for name in imported.names or ("",):
            yield name, Meant((file,), (folder_of(file),) if scheme else ())


def _declared(definitions: Definitions, package: str) -> Meant:
    files = definitions.package(package)
    folders = tuple(sorted({folder_of(file) for file in files}))
    return Meant(folders=folders) if 0 < len(files) <= MAX_PACKAGE_FILES else NOWHERE


_PHP_FILE = re.compile(r"['\"]([^'\"]+\.\w+)['\"]")


def php(definitions: Definitions, path: str, imported: Import) -> Iterator[tuple[str, Meant]]:
    """A class of a namespace, or a file that is required."""
    if found := _PHP_FILE.search(f"'{imported.module}'" if "'" not in imported.module else imported.module):
        name, tail = found[1].lstrip("/"), found[1].lstrip("./")
        yield from (("", meant) for meant in beside_or_ending(definitions, path, name, tail))
        return
    base = imported.module.strip("\\")
    for whole in [f"{base}\\{name}" for name in imported.names] or [base]:
        namespace, _, last = whole.rpartition("\\")
        dotted = namespace.replace("\\", ".")
        files = [file for file in definitions.package(dotted) if last in definitions.places[file].names]
        yield last, Meant(tuple(files or _by_long_tail(definitions, path, f"{whole.replace(chr(92), '/')}.php"))[:1])


def _by_long_tail(definitions: Definitions, path: str, tail: str) -> list[str]:
    """PSR-4: the first parts of a namespace may stand for a folder of another name."""
    parts = tail.split("/")
    for start in range(len(parts) - 1):
        if found := definitions.ending("/".join(parts[start:])):
            return definitions.nearest(found, path) if len(parts) - start >= 2 else []
    return []
