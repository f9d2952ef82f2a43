"""Settings of JavaScript tools: TypeScript, ESLint, Prettier, Biome, Jest, pnpm workspaces."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath

from companion.kinds import subjects as s
from companion.kinds.facts.canonical import indent
from companion.kinds.facts.located import Node, jsonc, yaml
from companion.kinds.facts.statement import Reader, Statement, Statements, folder_of
from companion.records import FileSeen

MAX_ALIASES = 10
"""Import aliases of one tsconfig: longer maps list every package of a monorepo."""

_REPEATED = frozenset({"typescript_target", "typescript_module", "typescript_jsx", "verbatimModuleSyntax"})
"""Settings that the packages of a monorepo repeat."""

_MAIN_CONFIGS = ("tsconfig.json", "tsconfig.base.json", "jsconfig.json")


def read(file: FileSeen) -> Statements:
    """Facts of one settings file."""
    name = PurePosixPath(file.path).name
    root = yaml(file.text) if name.endswith((".yaml", ".yml")) else jsonc(file.text)
    if root is None and name in {".prettierrc", ".eslintrc"}:
        root = yaml(file.text)
    if root is None or not root.fields():
        return
    if name in _MAIN_CONFIGS:
        found = typescript(root)
        if folder_of(file.path):
            found = (t for t in found if t.attribute not in _REPEATED)
        yield from (replace(t, environment="base settings") for t in found) if "base" in name else found
    elif "eslint" in name:
        yield from eslint(root)
    elif "prettier" in name:
        yield from prettier(root)
    elif name.startswith("biome"):
        yield from biome(root)
    elif name == "pnpm-workspace.yaml":
        yield from _workspace(root)
    elif name in {"deno.json", "deno.jsonc"}:
        yield from _deno(root)


def _style(attribute: str, value: str, says: str, node: Node, language: str = "javascript") -> Statement:
    return Statement(s.CODE_STYLE, attribute, value, says, node.line, convention=True, language=language)


_TYPESCRIPT_FLAGS = (
    ("noUncheckedIndexedAccess", "Indexed access may be undefined and must be checked (noUncheckedIndexedAccess)."),
    (
        "exactOptionalPropertyTypes",
        "An optional property may be missing, not undefined (exactOptionalPropertyTypes).",
    ),
    ("verbatimModuleSyntax", "Types are imported with `import type` (verbatimModuleSyntax)."),
    ("noUnusedLocals", "Unused local variables are errors (noUnusedLocals)."),
    ("noUnusedParameters", "Unused parameters are errors (noUnusedParameters)."),
    ("noImplicitReturns", "Every path of a function must return (noImplicitReturns)."),
    ("noImplicitOverride", "Overriding members must say `override` (noImplicitOverride)."),
    ("isolatedDeclarations", "Exports must have explicit types (isolatedDeclarations)."),
    ("erasableSyntaxOnly", "No enums, namespaces or parameter properties (erasableSyntaxOnly)."),
)
"""Compiler options that are rules when they are on."""


def typescript(root: Node) -> Statements:
    """tsconfig: strictness, target, modules, import aliases."""
    options = root.at("compilerOptions") or Node(1, {})
    strict = options.at("strict")
    if strict is not None and strict.flag is not None:
        says = "TypeScript is checked in strict mode." if strict.flag else "TypeScript's strict mode is off."
        yield _style("typescript_strict", strict.text, says, strict, "typescript")
    for option, says in _TYPESCRIPT_FLAGS:
        node = options.at(option)
        if node is not None and node.flag:
            yield _style(option, s.TRUE, says, node, "typescript")
    for option, says in (
        ("target", "TypeScript compiles to {}."),
        ("module", "TypeScript emits {} modules."),
        ("jsx", "JSX is compiled with `{}`."),
    ):
        node = options.at(option)
        if node is not None and node.text:
            value = node.text.lower() if option != "jsx" else node.text
            yield _style(f"typescript_{option}", value, says.format(value), node, "typescript")
    for alias, targets in list((options.at("paths") or Node(1, {})).fields().items())[:MAX_ALIASES]:
        if targets.texts():
            target = ", ".join(targets.texts())
            says = f"Imports of `{alias}` resolve to `{target}`."
            yield Statement(s.LAYOUT, f"import_alias {alias}", target, says, targets.line, language="typescript")


def eslint(root: Node) -> Statements:
    """ESLint's declarative settings: the rule sets, and rules that say style."""
    bases = root.at("extends")
    if bases is not None and bases.texts():
        listed = ", ".join(bases.texts())
        yield _style("lint_rules", listed, f"ESLint extends {listed}.", bases)
    rules = root.at("rules") or Node(1, {})
    for rule, attribute in (
        ("quotes", s.QUOTES),
        ("semi", s.SEMICOLONS),
        ("indent", s.INDENT),
        ("max-len", s.LINE_LENGTH),
    ):
        node = rules.at(rule)
        choice = _choice(node)
        if node is None or not choice:
            continue
        if rule == "semi":
            value = {"always": "always", "never": "never"}.get(choice, "")
            says = f"Statements {'end' if value == 'always' else 'do not end'} with a semicolon."
        elif rule == "quotes":
            value, says = choice, f"Strings use {choice} quotes."
        elif rule == "indent":
            value = indent("tab" if choice == "tab" else "space", choice)
            says = f"JavaScript is indented with {value}."
        else:
            value, says = choice, f"JavaScript lines are at most {choice} characters long."
        if value:
            yield _style(attribute, value, says, node)


def _choice(node: Node | None) -> str:
    """What a rule is set to, empty where it is off."""
    parts = node.items() if node is not None else []
    if len(parts) < 2 or parts[0].text in {"off", "0"}:
        return ""
    code = parts[1].at("code")
    return code.text if code is not None else parts[1].text


def prettier(root: Node) -> Statements:
    """Prettier: that it formats, width, quotes, semicolons, indent."""
    yield _style(s.FORMATTER, "prettier", "JavaScript is formatted with prettier.", root)
    yield from _printed(root, "printWidth", "singleQuote", "semi", "tabWidth", "useTabs")


def _deno(root: Node) -> Statements:
    table = root.at("fmt", "options") or root.at("fmt")
    if table is not None:
        yield _style(s.FORMATTER, "deno fmt", "Code is formatted with `deno fmt`.", table)
        yield from _printed(table, "lineWidth", "singleQuote", "semiColons", "indentWidth", "useTabs")


def _printed(root: Node, width: str, single: str, semi: str, size: str, tabs: str) -> Statements:
    if (node := root.at(width)) is not None and node.text.isdigit():
        yield _style(s.LINE_LENGTH, node.text, f"Lines are at most {node.text} characters long.", node)
    if (node := root.at(single)) is not None and node.flag is not None:
        value = "single" if node.flag else "double"
        yield _style(s.QUOTES, value, f"Strings use {value} quotes.", node)
    if (node := root.at(semi)) is not None and node.flag is not None:
        value, verb = ("always", "end") if node.flag else ("never", "do not end")
        yield _style(s.SEMICOLONS, value, f"Statements {verb} with a semicolon.", node)
    if (node := root.at(tabs)) is not None and node.flag:
        yield _style(s.INDENT, "tab", "Code is indented with tabs.", node)
    elif (node := root.at(size)) is not None and node.text.isdigit():
        value = indent("space", node.text)
        yield _style(s.INDENT, value, f"Code is indented with {value}.", node)
    if (node := root.at("trailingComma")) is not None and node.text:
        yield _style("trailing_commas", node.text, f"Trailing commas: {node.text}.", node)


def biome(root: Node) -> Statements:
    """Biome: formatter with width, indent, quotes, semicolons; linter."""
    form = root.at("formatter")
    enabled = root.at("formatter", "enabled")
    if form is not None and (enabled is None or enabled.flag):
        yield _style(s.FORMATTER, "biome", "JavaScript is formatted with biome.", form)
        width = form.at("lineWidth")
        if width is not None and width.text.isdigit():
            yield _style(s.LINE_LENGTH, width.text, f"Lines are at most {width.text} characters long.", width)
        kind, size = form.at("indentStyle"), form.at("indentWidth")
        if kind is not None and (value := indent(kind.text, size.text if size is not None else "2")):
            yield _style(s.INDENT, value, f"Code is indented with {value}.", kind)
    script = root.at("javascript", "formatter") or Node(1, {})
    quotes, semi, commas = script.at("quoteStyle"), script.at("semicolons"), script.at("trailingCommas")
    if quotes is not None and quotes.text:
        yield _style(s.QUOTES, quotes.text, f"Strings use {quotes.text} quotes.", quotes)
    if semi is not None and semi.text:
        value = "always" if semi.text == "always" else "never"
        yield _style(s.SEMICOLONS, value, f"Semicolons: {semi.text}.", semi)
    if commas is not None and commas.text:
        yield _style("trailing_commas", commas.text, f"Trailing commas: {commas.text}.", commas)
    linter, on = root.at("linter"), root.at("linter", "enabled")
    if linter is not None and (on is None or on.flag):
        yield _style(s.LINTER, "biome", "JavaScript is linted with biome.", linter)


def jest(table: Node) -> Statements:
    """Jest in package.json: that tests run with it, and the coverage it demands."""
    says = "Tests run with jest."
    yield Statement(s.TESTS, "test_framework", "jest", says, table.line, convention=True, language="javascript")
    least = table.at("coverageThreshold", "global", "lines")
    if least is not None and least.text:
        says = f"Tests must cover at least {least.text} % of the lines."
        yield Statement(
            s.TESTS, "coverage_minimum", least.text, says, least.line, convention=True, language="javascript"
        )


def _workspace(root: Node) -> Statements:
    members = root.at("packages")
    if members is not None and members.texts():
        listed = ", ".join(members.texts())
        says = f"The repository is a pnpm workspace of packages: {listed}."
        yield Statement(s.LAYOUT, "workspaces", listed, says, members.line, convention=True, language="javascript")
        says = "Dependencies are managed with pnpm."
        yield Statement(s.PROJECT, "package_manager", "pnpm", says, 1, convention=True, language="javascript")


READER = Reader(
    "javascript settings",
    (
        "tsconfig.json",
        "tsconfig.base.json",
        "jsconfig.json",
        ".eslintrc",
        ".eslintrc.json",
        ".eslintrc.yml",
        ".eslintrc.yaml",
        ".prettierrc",
        ".prettierrc.json",
        ".prettierrc.yml",
        ".prettierrc.yaml",
        "biome.json",
        "biome.jsonc",
        "deno.json",
        "deno.jsonc",
        "pnpm-workspace.yaml",
    ),
    read,
)
