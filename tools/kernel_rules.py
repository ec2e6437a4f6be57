"""Holds the kernel contract: reads the source of every kernel module and lists what the contract does not allow.

The contract (docs/architecture/kernels.md) keeps one source runnable on floats, arrays and compiled lanes, so
it allows little: arithmetic, comparisons, the functions of ``_elements`` and of the other kernel modules, loops and
branches on whole numbers. Everything that is not allowed is refused here, by name of the rule. No code is run.

    python tools/kernel_rules.py src/motionkit/kernels
"""

from __future__ import annotations

import ast
import re
import sys
from dataclasses import dataclass
from pathlib import Path

# they define what the others use, or run them
EXEMPT = {
    "_batch.py", "_cache.py", "_contract.py", "_cuda.py", "_cuda_elements.py", "_door.py", "_elements.py", "_lanes.py",
    "_objects.py", "_tier.py", "_user.py",
}  # fmt: skip
ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div)
WHOLE_ONLY = (ast.FloorDiv, ast.Mod)
COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
PLAIN_TRUTH = {"any_of", "all_of"}
ARRAYS = {"model", "in", "scratch", "out"}
SHAPE = re.compile(r",\)|\belements\b")  # such as (6 n,) or "6 n elements"

RULES = {
    "import": "a kernel module imports its own package, __future__ and names of types, nothing else",
    "module-level": "a module holds a docstring, imports, numbers, names of types and marked functions",
    "mark": "every function carries exactly one of @helper and @kernel(...)",
    "signature": "a @kernel declares one kind for each argument, in the order model, inputs, scratch, outputs",
    "docstring": "the docstring of a @kernel names every array and its shape, or refers to the :func: that does",
    "call": "only len, range, int and functions of the kernels are called, without keywords or stars",
    "attribute": "the only attributes are functions of kernel modules",
    "statement": "only assignments, loops, branches, calls and returns",
    "augmented": "no augmented assignment: write x = x + 1",
    "operator": "only + - * / on elements; // and % on whole numbers",
    "comparison": "one comparison at a time, with < <= > >= == !=",
    "truth": "and, or, not and chains join plain truth values only: use both, either, not_ on masks",
    "branch": "if and while test whole numbers, any_of(...) or all_of(...)",
    "loop": "for runs over a range of whole numbers",
    "index": "an index is one whole number, never a slice",
    "constant": "constants are numbers: no strings, bytes or None",
    "display": "no lists, sets, dicts or comprehensions: a kernel allocates nothing",
    "nested": "no functions, lambdas or classes inside a function",
    "accumulator": "a variable that starts as a bare constant and changes starts as like(x, constant)",
}


@dataclass(frozen=True, slots=True, order=True)
class Violation:
    """One place where a module leaves the contract."""

    line: int
    rule: str
    what: str

    def __str__(self) -> str:
        return f"{self.line}: [{self.rule}] {self.what}: {RULES[self.rule]}"


class Module:
    """What the names of a module mean, as far as the rules need it."""

    def __init__(self, tree: ast.Module, folder: Path | None) -> None:
        self.modules: set[str] = set()  # sibling modules, used as module.function
        self.functions: set[str] = set()
        self.whole: set[str] = set()  # whole-number constants
        self.status: set[str] = set()  # kernels that return a status code
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and node.level == 1:
                names = {a.asname or a.name: a.name for a in node.names}
                if node.module is None:
                    self.modules |= set(names)
                    continue
                self.functions |= set(names)
                home = folder / f"{node.module}.py" if folder else None
                if home and home.exists() and home.name not in EXEMPT:
                    other = Module(ast.parse(home.read_text()), None)
                    self.whole |= {n for n, original in names.items() if original in other.whole}
                    self.status |= {n for n, original in names.items() if original in other.status}
            elif isinstance(node, ast.FunctionDef):
                self.functions.add(node.name)
                if (signature := declared(node)) and signature.partition("->")[2].strip() == "status":
                    self.status.add(node.name)
            elif (
                isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and type(node.value.value) is int
            ):
                self.whole |= {t.id for t in node.targets if isinstance(t, ast.Name)}


def declared(function: ast.FunctionDef) -> str | None:
    """The signature in ``@kernel("...")``, or None."""
    for mark in function.decorator_list:
        if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name) and mark.func.id == "kernel" and mark.args:
            first = mark.args[0]
            return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else None
    return None


class Function:
    """Checks one function."""

    def __init__(self, node: ast.FunctionDef, module: Module) -> None:
        self.node = node
        self.module = module
        self.found: list[Violation] = []
        self.kinds = (declared(node) or "").partition("->")[0].split()
        self.arguments = [a.arg for a in node.args.args]
        self.whole = set(module.whole) | {a for a, k in zip(self.arguments, self.kinds, strict=False) if k == "int"}
        self.truths: set[str] = set()
        self.assigned: dict[str, list[ast.expr | None]] = {}
        self._learn()

    def report(self, node: ast.AST, rule: str, what: str) -> None:
        self.found.append(Violation(getattr(node, "lineno", self.node.lineno), rule, what))

    # ---- which names are whole numbers, which plain truth values
    def _learn(self) -> None:
        """A name is whole when it indexes or counts (an element there raises), or is only ever given whole numbers."""
        for node in ast.walk(self.node):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    self._assign(target, node.value)
            elif isinstance(node, ast.For) and isinstance(node.target, ast.Name):
                self.whole.add(node.target.id)
            counted: list[ast.expr] = []
            if isinstance(node, ast.Subscript):
                counted = [node.slice]
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
                counted = node.args
            for expression in counted:
                self.whole |= set(_counted_names(expression))
        for known, test in ((self.whole, self.is_whole), (self.truths, self.is_plain)):
            # assume it of every variable, then take back what does not hold, so that k = k + 1 can be whole
            assumed = set(self.assigned) - set(self.arguments) - known
            known |= assumed
            wrong = {""}
            while wrong:
                wrong = {n for n in assumed if not all(v is not None and test(v) for v in self.assigned[n])}
                assumed -= wrong
                known -= wrong

    def _assign(self, target: ast.expr, value: ast.expr | None) -> None:
        if isinstance(target, ast.Name):
            self.assigned.setdefault(target.id, []).append(value)
        elif isinstance(target, ast.Tuple):
            parts = value.elts if isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts) else None
            for k, part in enumerate(target.elts):
                self._assign(part, parts[k] if parts else None)

    def is_whole(self, node: ast.expr) -> bool:
        match node:
            case ast.Constant(value=value):
                return type(value) is int
            case ast.Name(id=name):
                return name in self.whole
            case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
                return self.is_whole(operand)
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.FloorDiv() | ast.Mod(), right=right):
                return self.is_whole(left) and self.is_whole(right)
            case ast.IfExp(body=body, orelse=orelse):
                return self.is_whole(body) and self.is_whole(orelse)
            case ast.Call(func=ast.Name(id=name)):
                # a whole number that a model holds is made one by int, which refuses a batch
                return name in ("len", "int") or name in self.module.status
            case _:
                return False

    def is_plain(self, node: ast.expr) -> bool:
        """A plain truth value: the same for every member of a batch."""
        match node:
            case ast.Constant(value=bool()):
                return True
            case ast.Name(id=name):
                return name in self.truths or name in self.whole
            case ast.Call(func=ast.Name(id=name)):
                return name in PLAIN_TRUTH
            case ast.Compare(left=left, comparators=right):
                return all(self.is_whole(n) for n in (left, *right))
            case ast.BoolOp(values=values):
                return all(self.is_plain(v) for v in values)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self.is_plain(operand)
            case _:
                return False

    # ---- the rules
    def check(self) -> list[Violation]:
        node = self.node
        marks = [
            m.func.id if isinstance(m, ast.Call) and isinstance(m.func, ast.Name) else getattr(m, "id", "")
            for m in node.decorator_list
        ]
        if len(marks) != 1 or marks[0] not in ("helper", "kernel"):
            self.report(node, "mark", node.name)
        a = node.args
        if a.kwonlyargs or a.posonlyargs or a.vararg or a.kwarg or a.defaults:
            self.report(node, "signature", f"{node.name} takes more than plain arguments")
        body = node.body
        text = ast.get_docstring(node)
        if text is not None:
            body = body[1:]
        if marks == ["kernel"]:
            self._entry(text or "")
        for statement in body:
            self.statement(statement)
        for name, values in self.assigned.items():
            bare = [v for v in values if v is not None and _is_bare_real(v)]
            if bare and len(bare) < len(values):
                self.report(bare[0], "accumulator", name)
        return sorted(self.found)

    def _entry(self, text: str) -> None:
        order = {"model": 0, "in": 1, "real": 1, "int": 1, "scratch": 2, "out": 3}
        stages = [order.get(k, 9) for k in self.kinds]
        if len(stages) != len(self.arguments) or stages != sorted(stages) or 9 in stages:
            self.report(self.node, "signature", self.node.name)
        arrays = [n for n, k in zip(self.arguments, self.kinds, strict=False) if k in ARRAYS]
        missing = [] if ":func:" in text else [n for n in arrays if not re.search(rf"\b{n}\b", text)]
        if missing or not text or (arrays and ":func:" not in text and not SHAPE.search(text)):
            self.report(self.node, "docstring", " ".join([self.node.name, *missing]))

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self.target(target)
                self.expression(value)
            case ast.AugAssign():
                self.report(node, "augmented", ast.unparse(node))
            case ast.For(target=target, iter=iterated, body=body, orelse=orelse):
                counted = isinstance(iterated, ast.Call) and getattr(iterated.func, "id", "") == "range"
                if not isinstance(target, ast.Name) or not counted or not all(map(self.is_whole, iterated.args)):
                    self.report(node, "loop", ast.unparse(iterated))
                else:
                    self.expression(iterated)
                for inner in (*body, *orelse):
                    self.statement(inner)
            case ast.If(test=test, body=body, orelse=orelse) | ast.While(test=test, body=body, orelse=orelse):
                self.branch(test)
                for inner in (*body, *orelse):
                    self.statement(inner)
            case ast.Return(value=value):
                if value is not None:
                    self.expression(value)
            case ast.Expr(value=ast.Call() as value):
                self.expression(value)
            case ast.Break() | ast.Continue() | ast.Pass():
                pass
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                self.report(node, "nested", node.name)
            case ast.Expr(value=ast.Constant(value=str())):
                self.report(node, "constant", "a string")
            case _:
                self.report(node, "statement", type(node).__name__)

    def branch(self, test: ast.expr) -> None:
        if not self.is_plain(test):
            self.report(test, "branch", ast.unparse(test))
        for inner in ast.walk(test):
            if isinstance(inner, ast.Call):
                self.expression(inner)

    def target(self, node: ast.expr) -> None:
        match node:
            case ast.Name():
                pass
            case ast.Tuple(elts=parts):
                for part in parts:
                    self.target(part)
            case ast.Subscript():
                self.expression(node)
            case _:
                self.report(node, "statement", f"assignment to {ast.unparse(node)}")

    def expression(self, node: ast.expr) -> None:
        match node:
            case ast.Name():
                return
            case ast.Constant(value=value):
                if not isinstance(value, int | float) or isinstance(value, complex):
                    self.report(node, "constant", repr(value))
                return
            case ast.BinOp(left=left, op=op, right=right):
                if isinstance(op, WHOLE_ONLY):
                    if not (self.is_whole(left) and self.is_whole(right)):
                        self.report(node, "operator", ast.unparse(node))
                elif not isinstance(op, ARITHMETIC):
                    self.report(node, "operator", ast.unparse(node))
            case ast.UnaryOp(op=op, operand=operand):
                if isinstance(op, ast.Invert):
                    self.report(node, "operator", ast.unparse(node))
                elif isinstance(op, ast.Not) and not self.is_plain(operand):
                    self.report(node, "truth", ast.unparse(node))
            case ast.BoolOp():
                if not self.is_plain(node):
                    self.report(node, "truth", ast.unparse(node))
            case ast.Compare(ops=ops):
                if not all(isinstance(op, COMPARISONS) for op in ops):
                    self.report(node, "comparison", ast.unparse(node))
                elif len(ops) > 1 and not self.is_plain(node):
                    self.report(node, "truth", ast.unparse(node))
            case ast.IfExp(test=test, body=body, orelse=orelse):
                self.branch(test)
                self.expression(body)
                self.expression(orelse)
                return
            case ast.Subscript(slice=index):
                if not self.is_whole(index):
                    self.report(node, "index", ast.unparse(node))
                self.expression(node.value)
                return
            case ast.Call():
                self.call(node)
                return
            case ast.Attribute():
                self.report(node, "attribute", ast.unparse(node))
            case ast.Tuple():
                pass
            case ast.Lambda():
                self.report(node, "nested", "lambda")
                return
            case (
                ast.List()
                | ast.Set()
                | ast.Dict()
                | ast.ListComp()
                | ast.SetComp()
                | ast.DictComp()
                | ast.GeneratorExp()
            ):
                self.report(node, "display", ast.unparse(node))
                return
            case ast.JoinedStr():
                self.report(node, "constant", ast.unparse(node))
                return
            case ast.Starred():
                self.report(node, "call", ast.unparse(node))
            case _:
                self.report(node, "statement", ast.unparse(node))
                return
        for inner in ast.iter_child_nodes(node):
            if isinstance(inner, ast.expr):
                self.expression(inner)

    def call(self, node: ast.Call) -> None:
        match node.func:
            case ast.Name(id=name):
                if name not in self.module.functions and name not in ("len", "range", "int"):
                    self.report(node, "call", name)
            case ast.Attribute(value=owner):
                if not (isinstance(owner, ast.Name) and owner.id in self.module.modules):
                    self.report(node, "attribute", ast.unparse(node.func))
            case _:
                self.report(node, "call", ast.unparse(node.func))
        if node.keywords:
            self.report(node, "call", ast.unparse(node))
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                self.report(node, "call", ast.unparse(node))
            elif not (isinstance(argument, ast.Name) and argument.id in self.module.modules):
                self.expression(argument)


def _counted_names(node: ast.expr) -> list[str]:
    """Names in an index or a count, looked for through arithmetic only."""
    match node:
        case ast.Name(id=name):
            return [name]
        case ast.BinOp(left=left, right=right):
            return _counted_names(left) + _counted_names(right)
        case ast.UnaryOp(operand=operand):
            return _counted_names(operand)
        case _:
            return []


def _is_bare_real(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp):
        return _is_bare_real(node.operand)
    return isinstance(node, ast.Constant) and type(node.value) is float


def _is_number(node: ast.expr) -> bool:
    """A number, a sum or product of numbers, a tuple of numbers, or the name of one."""
    match node:
        case ast.Constant(value=value):
            return type(value) in (int, float)
        case ast.Name():
            return True
        case ast.UnaryOp(operand=operand):
            return _is_number(operand)
        case ast.BinOp(left=left, op=op, right=right):
            return isinstance(op, ARITHMETIC) and _is_number(left) and _is_number(right)
        case ast.Tuple(elts=parts):
            return all(map(_is_number, parts))
        case _:
            return False


def check_source(source: str, folder: Path | None = None) -> list[Violation]:
    """Everything in the text of a kernel module that the contract does not allow.

    Args:
        source: text of the module.
        folder: where its siblings are, to learn which of the names it imports are whole numbers or status codes.
    """
    tree = ast.parse(source)
    module = Module(tree, folder)
    found: list[Violation] = []
    for k, node in enumerate(tree.body):
        match node:
            case ast.ImportFrom(level=0, module="__future__" | "typing"):
                pass
            case ast.Assign(targets=[ast.Name()], value=ast.Subscript(value=ast.Name(id="tuple"))):
                pass  # the name of a type, for annotations
            case ast.ImportFrom(level=1):
                pass
            case ast.Import() | ast.ImportFrom():
                found.append(Violation(node.lineno, "import", ast.unparse(node)))
            case ast.FunctionDef():
                found += Function(node, module).check()
            case ast.Assign(targets=[ast.Name()], value=value) if _is_number(value):
                pass
            case ast.Expr(value=ast.Constant(value=str())) if k == 0:
                pass
            case _:
                found.append(Violation(node.lineno, "module-level", ast.unparse(node).splitlines()[0]))
    return sorted(found)


def modules(folder: Path) -> list[Path]:
    """The kernel modules that the contract holds for."""
    return sorted(p for p in folder.glob("*.py") if p.name not in EXEMPT)


def main(arguments: list[str]) -> int:
    """Print what the modules in a folder do wrong."""
    folder = Path(arguments[0])
    files = modules(folder)
    lines = [f"{p}:{v}" for p in files for v in check_source(p.read_text(), folder)]
    print("\n".join(lines) if lines else f"kernel contract: {len(files)} modules keep it")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
