"""The names that a statement binds, reads and changes."""

import ast

import pytest

from graders.extraction.name_usage import Names, names_of, root


def names(source: str) -> Names:
    (node,) = ast.parse(source).body
    return names_of(node)


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


@pytest.mark.parametrize(
    ("source", "binds"),
    [
        ("x = y = 1", "x y"),
        ("a, (b, *c) = 1, (2, 3)", "a b c"),
        ("x: int = 1", "x"),
        ("x: int", ""),
        ("x += 1", ""),
        ("import a.b, c as d", "a d"),
        ("from a import b, c as d", "b d"),
        ("from a import *", ""),
        ("def f(x): y = 1", "f"),
        ("class A:\n  x = 1", "A"),
        ("for i, j in z: k = 1", "i j"),
        ("with a as b, c as (d, e): pass", "b d e"),
        ("x = [i for i in z]", "x"),
        ("x = [last := i for i in z]", "x last"),
        ("if (n := f()): pass", "n"),
        ("f = lambda a: (b := a)", "f"),
        ("match z:\n  case [a, *b, {'k': c, **d}]: e = 1", "a b c d"),
        ("del x", ""),
        ("x.y = z[0] = 1", ""),
    ],
)
def test_names_are_bound(source: str, binds: str) -> None:
    assert names(source).binds == words(binds)


@pytest.mark.parametrize(
    ("source", "eager", "deferred"),
    [
        ("x = y + z.w", "y z", ""),
        ("def f(a: T = d) -> R:\n  return a + g", "d", "g"),
        ("def f():\n  x = 1\n  return x", "", ""),
        ("def f():\n  def g():\n    return x\n  x = 1\n  return g", "", ""),
        ("def f():\n  global n\n  n += 1", "", "n"),
        ("@deco(a)\ndef f(): return f", "deco a", "f"),
        ("f = lambda a=d: a + g", "d", "g"),
        ("x = [i + y for i in z]", "y z", ""),
        ("x = {i: y for i in z if i}", "y z", ""),
        ("x = sum(i for i in z)", "sum z", ""),
        ("x = [lambda: i + y for i in z]", "z", "y"),
        ("x = f'{a!r:>{w}} {b + f\"{c}\"} \\n'", "a w b c", ""),
        ("class A(B, metaclass=M):\n  x: T = d\n  y = x\n  def f(self): return x", "B M d", "x"),
        ("class A:\n  def f(self): return super().f() + A.g", "", "super A"),
        ("class A:\n  d = d", "d", ""),
        (
            "class A:\n  @property\n  def x(self): return 1\n  @x.setter\n  def x(self, v): pass",
            "property",
            "",
        ),
        ("for i in z: print(y)", "z", ""),
        ("while x: y", "x", ""),
        ("try: a\nexcept E: b", "E", ""),
        ("with a(b) as c: d", "a b", ""),
        ("match x:\n  case M.y if g: z", "x M g", ""),
        ("x[i] = y", "x i y", ""),
        ("x += y", "x y", ""),
    ],
)
def test_names_are_read_at_once_or_later(source: str, eager: str, deferred: str) -> None:
    usage = names(source)
    assert usage.eager == words(eager)
    assert usage.deferred == words(deferred)


@pytest.mark.parametrize(
    ("source", "changes", "touches"),
    [
        ("A.forward = f", "A", ""),
        ("m[0], n.x.y = 1, 2", "m n", ""),
        ("x += 1", "x", ""),
        ("x.y += 1", "x", ""),
        ("del m[0], y", "m", ""),
        ("setattr(A, 'f', g)", "A", ""),
        ("@add_to_class(A)\ndef f(self): pass", "", "A"),
        ("table.append(3)", "", "table"),
        ("layer.weight.data.fill_(0)", "", "layer"),
        ("model.layers[0].norm.weight.data.mul_(2).add_(1)", "", "model"),
        ("nn.init.zeros_(layer.weight)", "", "layer nn"),
        ("_ = layer.weight.data.fill_(0)", "", "layer"),
        ("y = layer.copy()", "", ""),
        ("print(x)", "", ""),
        ("plt.plot(x)", "", "plt"),
    ],
)
def test_names_are_changed_in_place(source: str, changes: str, touches: str) -> None:
    usage = names(source)
    assert usage.changes == words(changes)
    assert usage.touches == words(touches)


def test_calls_and_attributes_are_told_apart() -> None:
    usage = names("def f(x):\n  return split(x) + torch.nn.Linear(n) + torch")
    assert usage.calls == {"split"}
    assert usage.dotted["torch"] == {("nn", "Linear"), ()}
    assert names("class A(Base): pass").calls == {"Base"}


def test_imports_inside_functions_are_found() -> None:
    assert len(names("def f():\n  import a\n  from b import c").imports) == 2


def test_a_statement_that_no_interpreter_accepts_raises() -> None:
    with pytest.raises(SyntaxError):
        names("def f(a, a): pass")


def test_the_root_of_an_expression_is_its_first_name() -> None:
    def of(source: str) -> str | None:
        return root(ast.parse(source, mode="eval").body)

    assert [of("a.b[0].c()"), of("f(a)"), of("'x'.join(a)"), of("a")] == ["a", None, None, "a"]


def test_the_statement_is_left_as_it_was() -> None:
    source = "x = [1, f'{a}', {k: v for k in [2]}, lambda: [i for i in b]]"
    (node,) = ast.parse(source).body
    before = ast.dump(node, include_attributes=True)
    names_of(node)
    assert ast.dump(node, include_attributes=True) == before
