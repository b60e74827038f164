"""Styles of dress: what stands around the code and computes nothing of the answer."""

import ast

from graders.audit.styles.answer_code import AnswerCode, insert_in_body, insert_in_front, parse
from graders.audit.styles.style import Choice, Style

ABSENT = (
    "import wandb",
    "from lightning import seed_everything",
    "import hydra",
    "from jaxtyping import Float",
    "import tiktoken",
)


def import_absent_packages(code: AnswerCode, choice: Choice) -> bool:
    """Import packages that are not installed, as scripts do at their top."""
    insert_in_front(code.tree, [s for line in choice.some(ABSENT) for s in parse(line)])
    return True


def print_shapes(code: AnswerCode, choice: Choice) -> bool:
    """Print the shape of an argument at each call."""
    called = code.called
    arguments = called and [one.arg for one in called.args.args if one.arg != "self"]
    if not called or not arguments:
        return False
    name = choice.one(arguments)
    insert_in_body(called, parse(f"print({name!r}, getattr({name}, 'shape', None))"))
    return True


def end_with_a_script(code: AnswerCode, choice: Choice) -> bool:
    """End with what a script does when it is run."""
    del choice
    code.tree.body += ast.parse("if __name__ == '__main__':\n    print('ok')").body
    return True


STYLES = (
    Style("dress.absent_imports", import_absent_packages),
    Style("dress.prints", print_shapes),
    Style("dress.script", end_with_a_script),
)
