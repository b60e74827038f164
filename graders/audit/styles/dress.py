"""Styles of dress: what stands around the code and computes nothing of the answer."""

import ast

from graders.audit.styles.answer_code import (
    AnswerCode,
    Function,
    insert_in_body,
    insert_in_front,
    names_in,
    parameters_of,
    parse,
)
from graders.audit.styles.style import Choice, Style

ABSENT = (
    "import wandb",
    "from lightning import seed_everything",
    "import hydra",
    "from jaxtyping import Float",
    "import tiktoken",
)
DECORATORS = (
    ("torch.compile", "import torch"),
    ("torch.compile(mode='reduce-overhead')", "import torch"),
    ("torch.jit.script", "import torch"),
    ("jaxtyped(typechecker=beartype)", "from beartype import beartype\nfrom jaxtyping import jaxtyped"),
    ("typechecked", "from typeguard import typechecked"),
)
FACTORIES = {f"torch.{name}" for name in ("arange", "empty", "eye", "full", "ones", "tensor", "zeros")}
TRAINING = """
def training_step(self, batch, batch_idx):
    loss = self(batch[0]).square().mean()
    self.log('train_loss', loss)
    return loss

def configure_optimizers(self):
    import torch
    return torch.optim.AdamW(self.parameters(), lr=3e-4)
"""
COUNTING = """
@property
def size(self):
    return sum(p.numel() for p in self.parameters() if p.requires_grad)

def save(self, path):
    import torch
    torch.save(self.state_dict(), path)
"""
LOGGERS = (
    ("import wandb", "wandb.log({'calls': 1})"),
    ("from loguru import logger", "logger.debug('called')"),
    (
        "from tensorboardX import SummaryWriter\nwriter = SummaryWriter()",
        "writer.add_scalar('a', 1, 0)",
    ),
    ("from icecream import ic", "ic('called')"),
)
ERRORS = ("ValueError", "RuntimeError", "IndexError", "Exception")
REFUSALS = ("bad input", "taille invalide : trop long", "sizes do not fit (expected 8)", "")
ANNOTATIONS = ("Float[Tensor, 'b s e']", "Bool[Tensor, '...'] | None", "Int[Tensor, 'b s']", "'Tensor'")


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


def decorate(code: AnswerCode, choice: Choice) -> bool:
    """Decorate what is called with what changes no value: compilers, and checkers that are not installed."""
    called = code.called
    if called is None or called.decorator_list:
        return False
    name, line = choice.one(DECORATORS)
    insert_in_front(code.tree, parse(line))
    called.decorator_list.insert(0, _expression(name))
    return True


def compile_the_class(code: AnswerCode, choice: Choice) -> bool:
    """Decorate the class with `torch.compile`, or define it and compile what is made of it."""
    symbol = code.symbol
    if not isinstance(symbol, ast.ClassDef) or symbol.decorator_list:
        return False
    insert_in_front(code.tree, parse("import torch"))
    symbol.decorator_list.append(_expression(choice.one(("torch.compile", "torch.compile(dynamic=True)"))))
    return True


def ask_for_cuda(code: AnswerCode, choice: Choice) -> bool:
    """Put an argument, or the module, on CUDA, whether it is there or not."""
    called, constructor = code.called, code.constructor
    floats = [one.arg for one in parameters_of(called)][:1] if called else []
    if not called or not floats or any(isinstance(node, ast.Yield) for node in ast.walk(called)):
        return False
    form = choice.one(
        (
            "{0} = {0}.cuda() if torch.is_tensor({0}) else {0}",
            "{0} = {0}.to('cuda') if torch.is_tensor({0}) else {0}",
            "{0} = {0}.to(torch.device('cuda:0'), non_blocking=True) if torch.is_tensor({0}) else {0}",
            "torch.cuda.synchronize()",
            "_ = torch.zeros(2, 3, device='cuda')",
        )
    )
    insert_in_front(code.tree, parse("import torch"))
    insert_in_body(called, parse(form.format(floats[0])))
    if constructor is not None and choice.one((True, False)):
        constructor.body += parse("self.to('cuda')")
    return True


def make_tensors_on_cuda(code: AnswerCode, choice: Choice) -> bool:
    """Make new tensors on CUDA, by a device that stands above."""
    [name] = choice.names(1, ("device", "DEVICE", "dev", "gpu"), names_in(code.tree)) or [""]
    calls = [
        node
        for node in ast.walk(code.tree)
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) in FACTORIES
        and all(keyword.arg not in (None, "device") for keyword in node.keywords)
    ]
    if not name or not calls:
        return False
    for call in calls:
        call.keywords.append(ast.keyword("device", ast.Name(name, ast.Load())))
    made = choice.one(("torch.device('cuda')", "'cuda'", "'cuda:0'"))
    insert_in_front(code.tree, parse(f"import torch\n{name} = {made}"))
    return True


def derive_from_lightning(code: AnswerCode, choice: Choice) -> bool:
    """Derive the class from Lightning's module, with what it needs for training."""
    symbol = code.symbol
    if not isinstance(symbol, ast.ClassDef) or [ast.unparse(base) for base in symbol.bases] != ["nn.Module"]:
        return False
    line, base = choice.one(
        (
            ("import lightning as L", "L.LightningModule"),
            ("import pytorch_lightning as pl", "pl.LightningModule"),
        )
    )
    insert_in_front(code.tree, parse(line))
    symbol.bases = [_expression(base)]
    symbol.body += parse(TRAINING)
    return True


def log_each_call(code: AnswerCode, choice: Choice) -> bool:
    """Log at each call by a package that is not installed."""
    called = code.called
    if called is None:
        return False
    line, log = choice.one(LOGGERS)
    insert_in_front(code.tree, parse(line))
    insert_in_body(called, parse(log))
    return True


def show_progress(code: AnswerCode, choice: Choice) -> bool:
    """Go through each range with a progress bar of a package that may not be installed."""
    del choice
    loops = [
        node
        for node in ast.walk(code.tree)
        if isinstance(node, ast.For) and ast.unparse(node.iter).startswith("range(")
    ]
    if not loops or "tqdm" in names_in(code.tree):
        return False
    insert_in_front(code.tree, parse("from tqdm.auto import tqdm"))
    for loop in loops:
        loop.iter = ast.Call(ast.Name("tqdm", ast.Load()), [loop.iter], [])
    return True


def annotate(code: AnswerCode, choice: Choice) -> bool:
    """Annotate the arguments by a package that is not installed."""
    called = code.called
    if called is None or any(one.annotation for one in parameters_of(called)):
        return False
    insert_in_front(code.tree, parse("from jaxtyping import Bool, Float, Int\nfrom torch import Tensor"))
    for one in parameters_of(called):
        one.annotation = _expression(choice.one(ANNOTATIONS))
    called.returns = _expression(choice.one(ANNOTATIONS))
    return True


def register_a_buffer(code: AnswerCode, choice: Choice) -> bool:
    """Register a buffer that takes no part."""
    constructor = code.constructor
    if constructor is None or "register_buffer" in names_in(code.tree):
        return False
    persistent = choice.one((True, False))
    insert_in_front(code.tree, parse("import torch"))
    constructor.body += parse(f"self.register_buffer('steps', torch.zeros(1), persistent={persistent})")
    return True


def initialise_weights(code: AnswerCode, choice: Choice) -> bool:
    """Initialise all matrices at the end of the constructor."""
    constructor = code.constructor
    if constructor is None or any(name.startswith("Lazy") for name in names_in(code.tree)):
        return False
    if _is_given_a_layer(code, constructor):  # whose weights are not its own
        return False
    form = choice.one(
        ("xavier_uniform_(p)", "normal_(p, mean=0.0, std=0.02)", "kaiming_uniform_(p, a=5 ** 0.5)")
    )
    insert_in_front(code.tree, parse("from torch import nn"))
    loop = f"for p in self.parameters():\n    if p.dim() > 1:\n        nn.init.{form}"
    constructor.body += parse(loop)
    return True


def _is_given_a_layer(code: AnswerCode, constructor: Function) -> bool:
    """Whether it calls what its constructor was given: `self.layer = layer`, then `self.layer(x)`."""
    given = {one.arg for one in parameters_of(constructor)}
    kept = {
        ast.unparse(target)
        for node in ast.walk(constructor)
        if isinstance(node, ast.Assign) and ast.unparse(node.value) in given
        for target in node.targets
    }
    return any(isinstance(node, ast.Call) and ast.unparse(node.func) in kept for node in ast.walk(code.tree))


def train_by_methods(code: AnswerCode, choice: Choice) -> bool:
    """Have methods that training needs."""
    symbol = code.symbol
    if not isinstance(symbol, ast.ClassDef) or code.method("forward") is None:
        return False
    symbol.body += parse(choice.one((TRAINING, COUNTING)))
    return True


def drop_by_function(code: AnswerCode, choice: Choice) -> bool:
    """Call `F.dropout` where a module of dropout is called."""
    del choice
    symbol, constructor = code.symbol, code.constructor
    if not isinstance(symbol, ast.ClassDef) or constructor is None:
        return False
    for statement in constructor.body:
        name = _name_of_dropout(statement)
        if name is None:
            continue
        used = [n for n in ast.walk(symbol) if isinstance(n, ast.Attribute) and n.attr == name]
        calls = [
            n for n in ast.walk(symbol) if isinstance(n, ast.Call) and n.func in used and len(n.args) == 1
        ]
        if len(calls) != len(used) - 1 or not calls:
            continue
        dropout = statement.value  # type: ignore[attr-defined]
        rates = [*dropout.args, *(k.value for k in dropout.keywords if k.arg == "p"), ast.Constant(0.5)]
        statement.value = rates[0]  # type: ignore[attr-defined]
        for call in calls:
            call.args += [call.func, _expression("self.training")]
            call.func = _expression("torch.nn.functional.dropout")
        insert_in_front(code.tree, parse("import torch"))
        return True
    return False


def _name_of_dropout(statement: ast.stmt) -> str | None:
    """The attribute that a statement makes a module of dropout."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target, value = statement.targets[0], statement.value
    is_one = isinstance(value, ast.Call) and ast.unparse(value.func) == "nn.Dropout"
    return target.attr if isinstance(target, ast.Attribute) and is_one else None


def reword_refusals(code: AnswerCode, choice: Choice) -> bool:
    """Refuse calls by errors of another type and in other words, or by assertions."""
    if any(isinstance(node, ast.Try) for node in ast.walk(code.tree)):
        return False  # which catches a type, maybe
    rewording = _Refusals(choice)
    rewording.visit(code.tree)
    return rewording.done


class _Refusals(ast.NodeTransformer):
    def __init__(self, choice: Choice) -> None:
        self._choice = choice
        self.done = False

    def visit_If(self, node: ast.If) -> ast.stmt:
        self.generic_visit(node)
        if node.orelse or len(node.body) != 1 or not isinstance(node.body[0], ast.Raise):
            return node
        self.done = True
        words = ast.Constant(self._choice.one(REFUSALS))
        if self._choice.one((True, False)):
            return ast.Assert(ast.UnaryOp(ast.Not(), node.test), words)
        raised = ast.Call(ast.Name(self._choice.one(ERRORS), ast.Load()), [words], [])
        return ast.If(node.test, [ast.Raise(raised)], [])


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


STYLES = (
    Style("dress.absent_imports", import_absent_packages),
    Style("dress.annotations", annotate),
    Style("dress.buffers", register_a_buffer),
    Style("dress.compiled_class", compile_the_class),
    Style("dress.cuda", ask_for_cuda),
    Style("dress.decorators", decorate),
    Style("dress.dropout_function", drop_by_function),
    Style("dress.initialisation", initialise_weights),
    Style("dress.lightning", derive_from_lightning),
    Style("dress.logging", log_each_call),
    Style("dress.prints", print_shapes),
    Style("dress.progress", show_progress),
    Style("dress.refusals", reword_refusals),
    Style("dress.script", end_with_a_script),
    Style("dress.tensors_on_cuda", make_tensors_on_cuda),
    Style("dress.training", train_by_methods),
)
