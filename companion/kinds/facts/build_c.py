"""CMakeLists.txt, configure.ac, Meson: what a C or C++ project is built as."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from companion.kinds import subjects as s
from companion.kinds.facts.canonical import canonical_version, indent
from companion.kinds.facts.located import Node, yaml
from companion.kinds.facts.statement import Reader, Statement, Statements, folder_of
from companion.records import FileSeen

_STANDARD = re.compile(r"CMAKE_(?P<what>C|CXX)_STANDARD\s+\"?(?P<value>\d+)")
_FEATURE = re.compile(r"\b(?P<what>c|cxx)_std_(?P<value>\d+)")
_FLAG = re.compile(r"-std=(?P<value>(?:c|gnu|c\+\+|gnu\+\+)\d\w?)\b")
_CMAKE = re.compile(r"cmake_minimum_required\s*\(\s*VERSION\s+(?P<value>[\d.]+)", re.IGNORECASE)
_PREREQ = re.compile(r"AC_PREREQ\(\[?(?P<value>[\d.]+)")
_MESON_STD = re.compile(r"(?P<what>c|cpp)_std=(?P<value>[\w+]+)")
_LIBRARY = re.compile(r"^\s*find_package\s*\(\s*(?P<name>[\w+-]+)(?P<rest>[^)]*)", re.IGNORECASE)
_PKG = re.compile(r"PKG_CHECK_MODULES\(\s*\[?\w+\]?\s*,\s*\[?(?P<name>[\w.+-]+)")


_AC_OPTION = re.compile(r"AS_HELP_STRING\(\s*\[(?P<name>--[\w-]++)[^\]]{0,200}\]\s*,\s*\[(?P<meaning>[^\[\]]{3,160})\]")
_CMAKE_OPTION = re.compile(
    r"^[^\S\n]*+option\s*\(\s*(?P<name>\w+)\s+\"(?P<meaning>[^\"]{3,160})\"", re.MULTILINE | re.IGNORECASE
)

MAX_OPTIONS = 25
"""Build switches that become facts: projects with more generate them."""


def read(file: FileSeen) -> Statements:
    """Facts of one build file; nested ones repeat the root and are passed over."""
    name = PurePosixPath(file.path).name
    if name in {".clang-format", "_clang-format"}:
        root = yaml(file.text)
        if root is not None:
            yield from _clang(root)
        return
    if folder_of(file.path):
        return
    yield from _options(file.text)
    for number, line in enumerate(file.text.split("\n"), start=1):
        bare = line.split("#")[0] if name != "configure.ac" else re.sub(r"\bdnl\b.*", "", line)
        yield from _standards(bare, number)
        if found := _CMAKE.search(bare):
            version = canonical_version(found["value"])
            says = f"Building needs CMake {version} or newer."
            yield Statement("cmake", "min_cmake", version, says, number, convention=True)
        if found := _PREREQ.search(bare):
            says = f"Building needs autoconf {found['value']} or newer."
            yield Statement("autoconf", "min_autoconf", found["value"], says, number, convention=True)
        if (found := _LIBRARY.match(bare)) and "REQUIRED" in found["rest"]:
            says = f"Building needs the library {found['name']}."
            yield Statement(s.PROJECT, f"dependency {found['name']}", "required", says, number, language="c")
        if found := _PKG.search(bare):
            says = f"Building looks for the library {found['name']} (pkg-config)."
            yield Statement(s.PROJECT, f"dependency {found['name']}", "looked for", says, number, language="c")


def _options(text: str) -> Statements:
    """Switches of the build, with what they are for."""
    for pattern in (_AC_OPTION, _CMAKE_OPTION):
        for found in list(pattern.finditer(text))[:MAX_OPTIONS]:
            meaning = " ".join(found["meaning"].split())
            name = found["name"]
            line = text[: found.start()].count("\n") + 1
            says = f"The build option `{name}`: {meaning}."
            yield Statement(s.PROJECT, f"build_option {name}", meaning, says, line)


def _standards(line: str, number: int) -> Statements:
    if found := _STANDARD.search(line) or _FEATURE.search(line):
        cpp = found["what"].lower() == "cxx"
        yield _standard("cpp" if cpp else "c", f"c++{found['value']}" if cpp else f"c{found['value']}", number)
    elif found := _FLAG.search(line):
        yield _standard("cpp" if "++" in found["value"] else "c", found["value"], number)
    elif found := _MESON_STD.search(line):
        yield _standard("cpp" if found["what"] == "cpp" else "c", found["value"], number)


def _standard(language: str, value: str, line: int) -> Statement:
    name = "C++" if language == "cpp" else "C"
    says = f"{name} code is compiled as {value}."
    return Statement(s.CODE_STYLE, "language_standard", value, says, line, convention=True, language=language)


def _clang(root: Node) -> Statements:
    def style(attribute: str, value: str, says: str, line: int) -> Statement:
        return Statement(s.CODE_STYLE, attribute, value, says, line, convention=True, language="c")

    base = root.at("BasedOnStyle")
    value = f"clang-format ({base.text})" if base is not None and base.text else "clang-format"
    yield style(s.FORMATTER, "clang-format", f"C code is formatted with {value}.", base.line if base is not None else 1)
    width = root.at("ColumnLimit")
    if width is not None and width.text.isdigit() and width.text != "0":
        yield style(s.LINE_LENGTH, width.text, f"C lines are at most {width.text} characters long.", width.line)
    tabs, size = root.at("UseTab"), root.at("IndentWidth")
    if tabs is not None and tabs.text in {"Always", "ForIndentation", "AlignWithSpaces"}:
        yield style("indent_c", "tab", "C is indented with tabs.", tabs.line)
    elif size is not None and (told := indent("space", size.text)):
        yield style("indent_c", told, f"C is indented with {told}.", size.line)


READER = Reader(
    "c builds",
    ("CMakeLists.txt", "configure.ac", "meson.build", "Makefile.am", ".clang-format", "_clang-format"),
    read,
)
