"""The kernel contract holds in every kernel module, and each of its rules can fail."""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path

import pytest

import kernel_rules
import motionkit.kernels
from motionkit.kernels import _contract

FOLDER = Path(motionkit.kernels.__file__).parent
MODULES = kernel_rules.modules(FOLDER)

HEAD = '''"""A module."""

from __future__ import annotations

from . import quat
from ._contract import helper, kernel
from ._elements import all_of, any_of, like, select, sqrt
from .trig import sincos

COUNT = 3
PAIR = (1.0, -2.0 / 3.0)
'''


def helper(body: str, arguments: str = "x, y") -> str:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return f"{HEAD}\n\n@helper\ndef f({arguments}):\n{lines}\n"


def kernel(signature: str, arguments: str, docstring: str) -> str:
    text = f'    """{docstring}"""\n' if docstring else ""
    return f'{HEAD}\n\n@kernel("{signature}")\ndef f({arguments}):\n{text}    return\n'


GOOD = (
    helper("return select(x < y, -x * 2.0, y / 3.0) + sqrt(x) - PAIR[0]"),
    helper("s, c = sincos(x)\nw, a, b, d = quat.multiply(x, y)\nreturn (s, c, w + a)"),
    helper("total = like(x[0], 0.0)\nfor i in range(len(x)):\n    total = total + x[i] * y[2 * i + 1]\nreturn total"),
    helper("for k in range(COUNT * n):\n    x[k % 2 + k // 2] = y if k == 0 else -y", "x, y, n"),
    helper(
        "while any_of(x > y):\n    if all_of(x > 1.0) and n > 0:\n        break\n    x = x - y[n]\nreturn x", "x, y, n"
    ),
    helper("done = all_of(x > y)\nif not done and n < 3:\n    return x\nreturn y[n]", "x, y, n"),
    helper("k = 0\nwhile k < 5 and any_of(x > y):\n    x = x - y\n    k = k + 1\nreturn x"),
    kernel("in real int out -> none", "a, x, n, b", "From ``a`` (n,) to ``b`` (6 n,)."),
    kernel("in out -> none", "a, b", "As :func:`other`, in tool axes."),
    kernel("real real -> real", "a, b", "The larger of two numbers."),
)

BAD = (
    ("import", HEAD.replace("COUNT", "import math\nCOUNT")),
    ("import", HEAD.replace("COUNT", "from numpy import sin\nCOUNT")),
    ("import", HEAD.replace("COUNT", "from ..errors import NotFinite\nCOUNT")),
    ("module-level", HEAD + "LIST = [1.0]\n"),
    ("module-level", HEAD + "NAME = 'tool'\n"),
    ("module-level", HEAD + "class Pose:\n    pass\n"),
    ("module-level", HEAD + "COUNT += 1\n"),
    ("mark", f"{HEAD}\n\ndef f(x):\n    return x\n"),
    ("mark", f"{HEAD}\n\n@helper\n@other\ndef f(x):\n    return x\n"),
    ("signature", kernel("out in -> none", "b, a", "To ``b`` (n,) from ``a`` (n,).")),
    ("signature", kernel("in -> none", "a, b", "From ``a`` (n,) and ``b`` (n,).")),
    ("signature", kernel("array -> none", "a", "From ``a`` (n,).")),
    ("signature", helper("return x", "x, y=1.0")),
    ("signature", helper("return x", "*x")),
    ("docstring", kernel("in out -> none", "a, b", "")),
    ("docstring", kernel("in out -> none", "a, b", "From ``a`` (n,).")),
    ("docstring", kernel("in out -> none", "a, b", "From ``a`` to ``b``.")),
    ("call", helper("return max(x, y)")),
    ("call", helper("return abs(x)")),
    ("call", helper("return float(x)")),
    ("call", helper("return pow(x, 2)")),
    ("call", helper("return select(x < y, a=x, b=y)")),
    ("call", helper("return select(*x)")),
    ("call", helper("print(x)")),
    ("attribute", helper("return math.sin(x)")),
    ("attribute", helper("return np.linalg.norm(x)")),
    ("attribute", helper("return x.shape[0]")),
    ("statement", helper("try:\n    return x\nfinally:\n    pass")),
    ("statement", helper("raise ValueError")),
    ("statement", helper("with x:\n    pass")),
    ("statement", helper("assert x > 0.0")),
    ("statement", helper("del x")),
    ("statement", helper("x: float = y")),
    ("statement", helper("return (z := x)")),
    ("statement", helper("x.value = y")),
    ("statement", helper("global COUNT")),
    ("augmented", helper("x += y\nreturn x")),
    ("augmented", helper("for i in range(3):\n    x[i] *= y")),
    ("operator", helper("return x ** 2")),
    ("operator", helper("return x // y")),
    ("operator", helper("return x % 2")),
    ("operator", helper("return x @ y")),
    ("operator", helper("return (x < y) & (y < x)")),
    ("operator", helper("return ~(x < y)")),
    ("comparison", helper("return x is y")),
    ("comparison", helper("return x in y")),
    ("truth", helper("return select(x < y and y < 1.0, x, y)")),
    ("truth", helper("return select(0.0 < x < y, x, y)")),
    ("truth", helper("return select(not x < y, x, y)")),
    ("truth", helper("return x or y")),
    ("branch", helper("if x < y:\n    return x\nreturn y")),
    ("branch", helper("while x > y:\n    x = x - y\nreturn x")),
    ("branch", helper("return x if x > y else y")),
    ("branch", helper("k = 0.5\nif k > 0:\n    return x\nreturn y")),
    ("branch", helper("if any_of(x > y) and x > 0.0:\n    return x\nreturn y")),
    ("loop", helper("for v in x:\n    y = y + v\nreturn y")),
    ("loop", helper("for i in range(y * 2.0):\n    x = x + y\nreturn x")),
    ("index", helper("return x[1:]")),
    ("index", helper("return x[0, 1]")),
    ("index", helper("return x[y * 0.5]")),
    ("constant", helper("return select(x < y, x, None)")),
    ("constant", helper("return x == 'tool'")),
    ("constant", helper("return f'{x}'")),
    ("constant", helper("x = y\n'not a docstring'\nreturn x")),
    ("display", helper("return [x, y]")),
    ("display", helper("return {x, y}")),
    ("display", helper("return {0: x}")),
    ("display", helper("return [v for v in x]")),
    ("display", helper("return select(x < y, (v for v in x), y)")),
    ("nested", helper("def g(z):\n    return z\nreturn x")),
    ("nested", helper("g = lambda z: z\nreturn x")),
    ("nested", helper("class G:\n    pass\nreturn x")),
    ("accumulator", helper("total = 0.0\nfor i in range(3):\n    total = total + x[i]\nreturn total")),
    ("accumulator", helper("x0 = -1.0\nif any_of(x > y):\n    x0 = x\nreturn x0")),
)


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.stem)
def test_module_keeps_the_contract(path: Path) -> None:
    found = kernel_rules.check_source(path.read_text(), path.parent)
    assert not found, "\n".join(f"{path.name}:{v}" for v in found)


@pytest.mark.parametrize("source", GOOD)
def test_what_is_allowed_passes(source: str) -> None:
    assert kernel_rules.check_source(source) == []


@pytest.mark.parametrize(("rule", "source"), BAD, ids=[f"{rule}-{k}" for k, (rule, _) in enumerate(BAD)])
def test_each_rule_catches_what_it_forbids(rule: str, source: str) -> None:
    assert {v.rule for v in kernel_rules.check_source(source)} == {rule}


def test_every_rule_is_shown_to_catch_something() -> None:
    assert {rule for rule, _ in BAD} == set(kernel_rules.RULES)


def test_names_of_siblings_are_known(tmp_path: Path) -> None:
    """A whole number and a status code keep their meaning across modules: one is an index, the other a branch."""
    other = '"""S."""\nROW = 14\n\n\n@kernel("in -> status")\ndef step(a):\n    """Steps ``a`` (n,)."""\n    return 0\n'
    (tmp_path / "other.py").write_text(HEAD + other.removeprefix('"""S."""\n'))
    body = "status = step(x)\nif status != 0:\n    return y\nreturn x[ROW]"
    source = helper(body).replace("from .trig import sincos", "from .other import ROW, step")
    assert kernel_rules.check_source(source, tmp_path) == []
    assert {v.rule for v in kernel_rules.check_source(source)} == {"branch"}


def test_registry_agrees_with_the_sources() -> None:
    """Every marked function is registered, and every entry declares element types that exist."""
    for path in MODULES:
        importlib.import_module(f"motionkit.kernels.{path.stem}")
    sources = [p.read_text() for p in MODULES]
    entries = {name: entry for name, entry in _contract.KERNELS.items() if name.startswith("motionkit.kernels.")}
    helpers = [name for name in _contract.HELPERS if name.startswith("motionkit.kernels.")]
    assert len(entries) == sum(s.count("\n@kernel(") for s in sources)
    assert len(helpers) == sum(s.count("\n@helper\n") for s in sources)
    for name, entry in entries.items():
        assert entry.elements in (_contract.SCALAR, _contract.BATCH), name
        assert len(inspect.signature(entry.function).parameters) == len(entry.arguments), name
        assert entry.returns in _contract.RETURNS, name
