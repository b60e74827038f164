"""A new known mistake: what is written below a reference, with the lines of a student as a comment.

Solutions run outside of the box, so that nothing of a student's code may be a program there.
"""

import ast
from collections.abc import Sequence

from graders.course import reference
from graders.course.course_file import course_languages
from graders.course.new_names import BadName
from graders.language import Language, speaking, tr
from graders.locations import course
from graders.safe_text import safe_text

MOST_LINES = 120  # of a student's code
WIDTH = 110  # of a line of it


def complete_name(symbol: str, name: str) -> str:
    """The whole name of a mistake of a symbol, which is `symbol__name`.

    Raises:
        BadName: it is no name, or the symbol has such a mistake.
    """
    short = name.removeprefix(f"{symbol}__")
    if not short.isidentifier() or not short.isascii() or short.startswith("_") or short != short.lower():
        raise BadName(tr("{name} is no name of a mistake: use small letters, digits and _", name=repr(name)))
    return f"{symbol}__{short}"


def begin_mistake(exercise: str, symbol: str, name: str, written: str, count: int) -> str:
    """The text of a solution's file with a new mistake at its end, which is still right.

    Args:
        exercise: the name of the solution.
        symbol: what students define.
        name: what the mistake is called, with or without `symbol__`.
        written: the code of a student who makes it.
        count: how many students answer so.

    Raises:
        BadName: it is no name, the solution has such a mistake, or there is no solution.
    """
    whole, text = complete_name(symbol, name), reference.text(exercise)
    if text is None:
        raise BadName(
            tr("{exercise} has no solution here, to which a mistake could be added", exercise=exercise)
        )
    defined = {node.name: node for node in ast.parse(text).body if isinstance(node, _Defined)}
    if whole in defined:
        raise BadName(tr("{name} is a mistake of {exercise} already", name=whole, exercise=exercise))
    own = course().own.solutions / f"{exercise}.py"
    before = own.read_text(encoding="utf-8") if own.is_file() else f'"""Added to {exercise}."""\n'
    skeleton = _skeleton(defined.get(symbol), symbol, whole, _as_comment(written, count))
    return f"{before.rstrip()}\n\n\n{skeleton}"


_Defined = (ast.FunctionDef, ast.ClassDef)


def _skeleton(right: ast.stmt | None, symbol: str, whole: str, comment: Sequence[str]) -> str:
    documented = _document(course_languages())
    if isinstance(right, ast.ClassDef):
        methods = ", ".join(node.name for node in right.body if isinstance(node, ast.FunctionDef))
        hint = tr(
            "Override here the method in which it happens. The reference has {methods}.", methods=methods
        )
        return _indented(f"class {whole}({symbol}):", [*documented, "", f"# {hint}", *comment])
    given, passed = ("*args, **kwargs",) * 2
    if isinstance(right, ast.FunctionDef):
        given, passed = _arguments(right.args)
    hint = tr("This is still right: change it until it answers as they do.")
    return _indented(
        f"def {whole}({given}):", [*documented, *comment, f"# {hint}", f"return {symbol}({passed})"]
    )


def _indented(head: str, body: Sequence[str]) -> str:
    return "\n".join([head, *(f"    {line}".rstrip() for line in body), ""])


def _document(languages: Sequence[Language]) -> list[str]:
    """The docstring, which is the hint that students read, to be written."""
    texts = {}
    for language in languages:
        with speaking(language):
            texts[language] = tr("What is wrong? What is to be looked at?")
    first, *others = languages
    if not others:
        return [f'"""{texts[first]}"""']
    return [f'"""{texts["en"]}', "", f"fr: {texts['fr']}", '"""']


def _as_comment(written: str, count: int) -> list[str]:
    """A student's lines, each of which is a comment, whatever stands in it."""
    head = tr("One of {count} who answer alike wrote:", count=count)
    lines = safe_text(written, line_limit=WIDTH).splitlines()[:MOST_LINES]
    return [f"# {head}", *(f"#     {line}" for line in lines)]


def _arguments(arguments: ast.arguments) -> tuple[str, str]:
    """The arguments of a function, without their types, and how they are passed on."""
    passed = [a.arg for a in (*arguments.posonlyargs, *arguments.args)]
    if arguments.vararg:
        passed.append(f"*{arguments.vararg.arg}")
    passed += [f"{a.arg}={a.arg}" for a in arguments.kwonlyargs]
    if arguments.kwarg:
        passed.append(f"**{arguments.kwarg.arg}")
    for node in ast.walk(arguments):
        if isinstance(node, ast.arg):
            node.annotation = None
    return ast.unparse(arguments), ", ".join(passed)
