"""What is changed in a module, one place at a time: guards, comparisons, small numbers, early returns.

Left out by rule, because a near value is as good, or because no test of behaviour can tell:

- numbers with a fraction, and what stands outside functions: named figures, tables, defaults, decorators;
- a comparison with such a figure (a fraction, a NAME IN CAPITALS) is turned round, never moved by one;
- texts and what is inside them, annotations; `while`, which would only run for ever;
- what checks the program itself: `raise`, `assert`, `zip(strict=True)`.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

MOVED: dict[type[ast.cmpop], str] = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">"}
"""A comparison moved by one."""
TURNED: dict[type[ast.cmpop], str] = {
    ast.Lt: ">=",
    ast.LtE: ">",
    ast.Gt: "<=",
    ast.GtE: "<",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
}
"""A comparison turned round."""
SMALL = 10
"""Smaller whole numbers are changed by one, larger ones doubled: of many, one more is as good."""


@dataclass(frozen=True)
class Mutant:
    """One change: the bytes from start to end of a file become `after`."""

    path: str
    line: int
    function: str
    """Qualified name of the outermost function around it."""
    start: int
    end: int
    before: str
    after: str

    def told(self) -> str:
        """In one line, for people: where it is and what became of what."""
        before, after = (" ".join(text.split()) for text in (self.before, self.after))
        return f"{self.path}:{self.line}  {before}  ->  {after}"

    def of(self, source: bytes) -> bytes:
        """Return the changed source."""
        return source[: self.start] + self.after.encode() + source[self.end :]


def mutants_of(path: str, source: bytes) -> list[Mutant]:
    """Return every change of a module that the rules above allow, in the order of its lines."""
    finder = _Finder(path, source)
    finder.visit(ast.parse(source))
    return sorted(finder.found, key=lambda mutant: (mutant.start, mutant.end, mutant.after))


def left_out(source: bytes) -> int:
    """Return how many figures of a module are never changed: fractions, and numbers outside functions."""
    inside = {mutant.start for mutant in mutants_of("", source)}
    offsets = _offsets(source)
    numbers = [one for one in ast.walk(ast.parse(source)) if isinstance(one, ast.Constant)]
    return sum(
        type(one.value) is float or (type(one.value) is int and offsets[one.lineno - 1] + one.col_offset not in inside)
        for one in numbers
    )


class _Finder(ast.NodeVisitor):
    """Walks the bodies of functions."""

    def __init__(self, path: str, source: bytes) -> None:
        self.path, self.source = path, source
        self.offsets = _offsets(source)
        self.names: list[str] = []
        self.function = ""
        self.turned: set[ast.AST] = set()
        self.found: list[Mutant] = []

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.names.append(node.name)
        self._all(node.body)
        self.names.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        outermost = not self.function
        if outermost:
            self.function = ".".join([*self.names, node.name])
        self._all(node.body)
        if outermost:
            self.function = ""

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def _all(self, body: list[ast.stmt]) -> None:
        """Visit a block; an `if` that ends in return or continue, with something after it, is an early end."""
        for place, statement in enumerate(body):
            self.visit(statement)
            if isinstance(statement, ast.If) and place < len(body) - 1:
                last = statement.body[-1]
                if self.function and isinstance(last, ast.Return | ast.Continue):
                    self._change(last, "pass")

    def visit_If(self, node: ast.If) -> None:
        self._guard(node.test)
        self.visit(node.test)
        self._all(node.body)
        self._all(node.orelse)

    def visit_For(self, node: ast.For | ast.AsyncFor) -> None:
        self.visit(node.iter)
        self._all(node.body)
        self._all(node.orelse)

    visit_AsyncFor = visit_For  # noqa: N815

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._guard(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self._guard(test)
        self.generic_visit(node)

    def _guard(self, test: ast.expr) -> None:
        self.turned.add(test)
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            self._change(test, f"({self._text(test.operand)})")
        else:
            self._change(test, f"(not ({self._text(test)}))")

    def visit_Compare(self, node: ast.Compare) -> None:
        for place, operator in enumerate(node.ops):
            left = [node.left, *node.comparators][place]
            right = node.comparators[place]
            moved = type(operator) in MOVED and not (_tuned(left) or _tuned(right))
            if moved or node not in self.turned:
                after = (MOVED if moved else TURNED)[type(operator)]
                self._change_between(left, right, f" {after} ")
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        after = " or " if isinstance(node.op, ast.And) else " and "
        parts = [f"({self._text(value)})" for value in node.values]
        self._change(node, f"({after.join(parts)})")
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not) and node not in self.turned:
            self._change(node, f"bool({self._text(node.operand)})")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self._change(node, str(not node.value))
        elif isinstance(node.value, int):
            self._change(node, str(node.value + 1 if node.value < SMALL else node.value * 2))

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_keyword(self, node: ast.keyword) -> None:
        if node.arg != "strict":
            self.visit(node.value)

    def visit_While(self, node: ast.While) -> None:
        self._all(node.body)

    def _nothing(self, node: ast.AST) -> None:
        """What is never changed."""

    visit_JoinedStr = visit_Raise = visit_Assert = visit_arguments = visit_MatchValue = _nothing  # noqa: N815

    def _text(self, node: ast.expr) -> str:
        return self.source[slice(*self._span(node))].decode()

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None and node.end_col_offset is not None
        return (
            self.offsets[node.lineno - 1] + node.col_offset,
            self.offsets[node.end_lineno - 1] + node.end_col_offset,
        )

    def _change(self, node: ast.expr | ast.stmt, after: str) -> None:
        self._add(node.lineno, *self._span(node), after)

    def _change_between(self, left: ast.expr, right: ast.expr, after: str) -> None:
        """Change what stands between two expressions; with a bracket there, the operator is not alone and stays."""
        start, end = self._span(left)[1], self._span(right)[0]
        if not set(b"()#") & set(self.source[start:end]):
            self._add(left.end_lineno or left.lineno, start, end, after)

    def _add(self, line: int, start: int, end: int, after: str) -> None:
        if self.function:
            before = self.source[start:end].decode()
            self.found.append(Mutant(self.path, line, self.function, start, end, before, after))


def _tuned(node: ast.expr) -> bool:
    """Whether an expression holds a figure that was chosen: a fraction or a name in capitals."""
    return any(
        (isinstance(one, ast.Constant) and isinstance(one.value, float))
        or (isinstance(one, ast.Name) and one.id.isupper() and len(one.id) > 1)
        or (isinstance(one, ast.Attribute) and one.attr.isupper())
        for one in ast.walk(node)
    )


def _offsets(source: bytes) -> list[int]:
    """Return where each line begins, in bytes."""
    offsets = [0]
    for line in source.splitlines(keepends=True):
        offsets.append(offsets[-1] + len(line))
    return offsets
