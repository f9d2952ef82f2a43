"""Imports to the files they mean, one short function a language and one for all others."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from posixpath import normpath

from companion.records import Import
from companion.syntax.definitions import Definitions

MAX_CANDIDATES = 3
"""An import that fits more files than this by the end of their paths means none of them for sure."""

MAX_PACKAGE_FILES = 400
"""Files of a package that a wildcard may mean; more is a namespace everything lies in."""


@dataclass(frozen=True, slots=True)
class Meant:
    """Where an import leads: `files` is what it names; `scope` the files its names may come from.

    A package's front file often only passes names on; then the names are looked for in `scope`.
    """

    files: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.files or self.folders)


NOWHERE = Meant()


def resolve(definitions: Definitions, path: str, language: str, imported: Import) -> list[tuple[str, Meant]]:
    """What one import of the file at `path` means: each name (or '' for the whole) and where it leads.

    What comes from another project leads `NOWHERE`.
    """
    resolver = _RESOLVERS.get(language, _by_ending)
    means = list(resolver(definitions, path, imported))
    return means or [(name, NOWHERE) for name in imported.names or ("",)]


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _join(folder: str, rest: str) -> str:
    """A path from a folder; '' if it leads out of the repository."""
    joined = normpath(f"{folder}/{rest}" if folder else rest).replace("\\", "/")
    return "" if joined.startswith("..") or joined in {".", "/"} else joined.lstrip("/")


# Python


def _python(definitions: Definitions, path: str, imported: Import) -> Iterator[tuple[str, Meant]]:
    bases = list(_python_bases(definitions, path, imported.module))
    for name in imported.names:
        submodule = next((file for base in bases for file in _python_module(definitions, f"{base}/{name}")), "")
        if submodule:
            yield name, Meant((submodule,))
    modules = [file for base in bases for file in _python_module(definitions, base)][:1]
    meant = Meant(tuple(modules), tuple(_folder(file) for file in modules if file.endswith("__init__.py")))
    if not imported.names:
        yield "", meant
    for name in imported.names:
        if not any(_python_module(definitions, f"{base}/{name}") for base in bases):
            yield name, meant


def _python_bases(definitions: Definitions, path: str, module: str) -> Iterator[str]:
    """Paths without ending that a module name may mean, best first."""
    dots = len(module) - len(module.lstrip("."))
    rest = module[dots:].replace(".", "/")
    folder = _folder(path)
    if dots:
        for _ in range(dots - 1):
            folder = _folder(folder)
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


# JavaScript and TypeScript

_ES_ENDS = (".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".vue", ".svelte", ".json", ".css")
_ES_BUILT = re.compile(r"\.(?:[cm]?js|jsx)$")
_ES_ALIAS = re.compile(r"^(?:@/|~/?|#/?|\$\w*/|@[a-z]*/)")


def _ecmascript(definitions: Definitions, path: str, imported: Import) -> Iterator[tuple[str, Meant]]:
    file = _es_file(definitions, path, imported.module.split("?", 1)[0])
    if not file:
        return
    folders = (_folder(file),) if file.rsplit("/", 1)[-1].startswith("index.") else ()
    # A front file may be called anything; what it passes on lies beside or below it.
    meant = Meant((file,), folders or (_folder(file),))
    for name in imported.names or ("",):
        yield name, meant


def _es_file(definitions: Definitions, path: str, module: str) -> str:
    if module.startswith("."):
        base = _join(_folder(path), module)
        return _es_ends(definitions, base) if base or module in {".", "./"} else ""
    if found := _es_package(definitions, path, module):
        return found
    rest = _ES_ALIAS.sub("", module)
    if rest == module and "/" not in module:
        return ""
    for folder in definitions.nearest(
        [f"{f}/x".lstrip("/") for f in definitions.folders_of("package.json")] or ["x"], path, 8
    ):
        root = _folder(folder)
        for inner in ("", "src", "app", "lib"):
            if found := _es_ends(definitions, "/".join(part for part in (root, inner, rest) if part)):
                return found
    return ""


def _es_package(definitions: Definitions, path: str, module: str) -> str:
    """A package of the same repository, by the name in its manifest."""
    parts = module.split("/")
    for length in (2, 1):
        name, rest = "/".join(parts[:length]), "/".join(parts[length:])
        folders = [folder for folder in definitions.manifest_folders(name)]
        for folder in folders:
            for inner in ("src", "", "lib", "source"):
                base = "/".join(part for part in (folder, inner, rest) if part)
                if found := _es_ends(definitions, base, front=not rest):
                    return found
    return ""


def _es_ends(definitions: Definitions, base: str, front: bool = False) -> str:
    if base in definitions and not front:
        return base
    bare = _ES_BUILT.sub("", base)
    for stem in dict.fromkeys((base, bare)):
        for end in _ES_ENDS:
            if stem and (file := stem + end) in definitions and not front:
                return file
    for end in _ES_ENDS:
        for name in ("index", "main", "mod") if front else ("index",):
            if (file := f"{base}/{name}{end}".lstrip("/")) in definitions:
                return file
    return ""


# Go


def _go(definitions: Definitions, path: str, imported: Import) -> Iterator[tuple[str, Meant]]:
    module = imported.module
    for name, folder in definitions.manifests("go.mod"):
        if module == name or module.startswith(f"{name}/"):
            yield "", _go_package(definitions, f"{folder}/{module[len(name) + 1 :]}".strip("/"))
            return
    if "." in module.split("/", 1)[0]:
        parts = module.split("/")
        for start in range(1, len(parts)):
            meant = _go_package(definitions, "/".join(parts[start:]))
            if meant and len(parts) - start >= 2:
                yield "", meant
                return


def _go_package(definitions: Definitions, folder: str) -> Meant:
    has_code = any(file.endswith(".go") for file in definitions.in_folder(folder))
    return Meant(folders=(folder,)) if has_code else NOWHERE


# Rust

_RUST_WORDS = re.compile(r"[\w*]+|::|[{},]|\bas\b")


def rust_paths(text: str) -> list[tuple[list[str], str]]:
    """The paths of a `use` argument, nested lists taken apart, each with the name it brings in."""
    paths: list[tuple[list[str], str]] = []
    stack: list[list[str]] = []
    current: list[str] = []
    alias = ""
    words = _RUST_WORDS.findall(text)
    at = 0

    def close() -> None:
        nonlocal current, alias
        if current:
            whole = [*(part for level in stack for part in level), *current]
            if whole[-1] == "self" and len(whole) > 1:
                whole.pop()
            paths.append((whole, alias or whole[-1]))
        current, alias = [], ""

    while at < len(words):
        word = words[at]
        if word == "{":
            stack.append(current)
            current = []
        elif word == "}":
            close()
            if stack:
                stack.pop()
            current = []
        elif word == ",":
            close()
        elif word == "as" and at + 1 < len(words):
            alias = words[at + 1]
            at += 1
        elif word != "::":
            current.append(word)
        at += 1
    close()
    return paths


def _rust(definitions: Definitions, path: str, imported: Import) -> Iterator[tuple[str, Meant]]:
    if imported.module.startswith("./"):
        meant = _rust_deepest(definitions, _rust_children(path), [imported.module[2:]])
        yield imported.module[2:], meant
        return
    for parts, name in rust_paths(imported.module):
        yield name, _rust_path(definitions, path, parts)


def _rust_path(definitions: Definitions, path: str, parts: list[str]) -> Meant:
    first = parts[0]
    if first == "crate":
        return _rust_deepest(definitions, _rust_source(definitions, path), parts[1:])
    if first in {"self", "super"}:
        folder = _rust_children(path)
        while parts and parts[0] in {"self", "super"}:
            folder = _folder(folder) if parts[0] == "super" else folder
            parts = parts[1:]
        return _rust_deepest(definitions, folder, parts)
    for name in (first, first.replace("_", "-")):
        for folder in definitions.manifest_folders(name):
            return _rust_deepest(definitions, f"{folder}/src".lstrip("/"), parts[1:])
    inner = _rust_deepest(definitions, _rust_children(path), parts)
    return inner if inner.files and inner.files[0] != path and len(parts) > 1 else NOWHERE


def _rust_children(path: str) -> str:
    """The folder in which the modules declared by a file lie."""
    folder, _, name = path.rpartition("/")
    stem = name.removesuffix(".rs")
    inside = folder if stem in {"mod", "lib", "main"} else f"{folder}/{stem}"
    return inside.strip("/")


def _rust_source(definitions: Definitions, path: str) -> str:
    folder = _folder(path)
    while folder:
        if f"{folder}/lib.rs" in definitions or f"{folder}/main.rs" in definitions:
            return folder
        folder = _folder(folder)
    return "src"


def _rust_deepest(definitions: Definitions, folder: str, parts: list[str]) -> Meant:
    """The file of the deepest module that a path names, below a folder."""
    found = ""
    for front in ("lib.rs", "mod.rs", "main.rs"):
        if f"{folder}/{front}".lstrip("/") in definitions:
            found = f"{folder}/{front}".lstrip("/")
            break
    else:
        found = f"{folder}.rs" if f"{folder}.rs" in definitions else ""
    for part in parts:
        base = f"{folder}/{part}".lstrip("/")
        nxt = next((file for file in (f"{base}.rs", f"{base}/mod.rs") if file in definitions), "")
        if not nxt and not definitions.is_folder(base):
            break
        found, folder = nxt or found, base
    if not found:
        return NOWHERE
    return Meant((found,), (folder,) if definitions.is_folder(folder) else ())


# Packages and namespaces: Java, Kotlin, Scala, C#, PHP


def _jvm(definitions: Definitions, path: str, imported: Import) -> Iterator[tuple[str, Meant]]:
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


def _csharp(definitions: Definitions, path: str, imported: Import) -> Iterator[tuple[str, Meant]]:
    yield "", _declared(definitions, imported.module)


def _declared(definitions: Definitions, package: str) -> Meant:
    files = definitions.package(package)
    folders = tuple(sorted({_folder(file) for file in files}))
    return Meant(folders=folders) if 0 < len(files) <= MAX_PACKAGE_FILES else NOWHERE


_PHP_FILE = re.compile(r"['\"]([^'\"]+\.\w+)['\"]")


def _php(definitions: Definitions, path: str, imported: Import) -> Iterator[tuple[str, Meant]]:
    if found := _PHP_FILE.search(f"'{imported.module}'" if "'" not in imported.module else imported.module):
        tail = found[1].lstrip("./")
        here = _join(_folder(path), found[1].lstrip("/"))
        files = [here] if here in definitions else definitions.ending(tail)
        if 0 < len(files) <= MAX_CANDIDATES:
            yield "", Meant(tuple(definitions.nearest(files, path)))
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


# C and C++


def _c(definitions: Definitions, path: str, imported: Import) -> Iterator[tuple[str, Meant]]:
    system = imported.module.startswith("<")
    name = imported.module.strip('<>"')
    here = _join(_folder(path), name)
    if not system and here in definitions:
        yield "", Meant((here,))
        return
    files = definitions.ending(name.removeprefix("./").replace("../", ""))
    if system and "/" not in name:
        files = [file for file in files if "include/" in file or file.count("/") <= 1]
    if files:
        yield "", Meant(tuple(definitions.nearest(files, path)))


# Ruby, Bash, Lua and all others: by the end of the path


def _ruby(definitions: Definitions, path: str, imported: Import) -> Iterator[tuple[str, Meant]]:
    module = imported.module
    if module.startswith("."):
        base = _join(_folder(path), module)
        file = base if base in definitions else f"{base}.rb"
        if file in definitions:
            yield "", Meant((file,))
        return
    tail = module if module.endswith(".rb") else f"{module}.rb"
    files = definitions.ending(f"lib/{tail}") or [
        file
        for file in definitions.ending(tail)
        if "/" in module or "/" not in file or _folder(file).rpartition("/")[2] in {"test", "spec"}
    ]
    if files:
        yield "", Meant(tuple(definitions.nearest(files, path)))


def _bash(definitions: Definitions, path: str, imported: Import) -> Iterator[tuple[str, Meant]]:
    tail = re.sub(r"^.*[$)}\"']+/?|^\./", "", imported.module).strip("\"'")
    if not tail:
        return
    here = _join(_folder(path), tail)
    files = [here] if here in definitions else definitions.ending(tail.replace("../", ""))
    if 0 < len(files) <= MAX_CANDIDATES:
        yield "", Meant(tuple(definitions.nearest(files, path)))


def _by_ending(definitions: Definitions, path: str, imported: Import) -> Iterator[tuple[str, Meant]]:
    module = imported.module.strip("\"'<>")
    extension = path.rpartition(".")[2]
    slashed = module.replace("::", "/").replace("\\", "/")
    if "/" not in slashed and not slashed.endswith(f".{extension}"):
        slashed = slashed.replace(".", "/")
    here = _join(_folder(path), slashed)
    tails = (slashed, f"{slashed}.{extension}", f"{slashed}/init.{extension}")
    for tail in tails:
        near = _join(_folder(path), tail)
        files = [near] if near in definitions and here else definitions.ending(tail.lstrip("./"))
        if 0 < len(files) <= MAX_CANDIDATES:
            for name in imported.names or ("",):
                yield name, Meant(tuple(definitions.nearest(files, path)))
            return


Resolver = Callable[[Definitions, str, Import], Iterator[tuple[str, Meant]]]
_RESOLVERS: dict[str, Resolver] = {
    "python": _python,
    "typescript": _ecmascript,
    "tsx": _ecmascript,
    "javascript": _ecmascript,
    "go": _go,
    "rust": _rust,
    "java": _jvm,
    "kotlin": _jvm,
    "scala": _jvm,
    "c": _c,
    "cpp": _c,
    "csharp": _csharp,
    "php": _php,
    "ruby": _ruby,
    "bash": _bash,
}
