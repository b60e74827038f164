"""Code that needs packages which are not installed: what runs all the same, and what is told."""

import textwrap

import pytest

from graders.candidate.student_error import StudentErrors
from graders.sandbox.limits import Limits
from tests.support.notebooks import Loaded, cells, handed_in, loading, notebook, taken


def load(*sources: str, symbol: str = "f") -> Loaded:
    with loading(taken(cells(*map(textwrap.dedent, sources)), symbol)) as loaded:
        return loaded


def told(*sources: str, symbol: str = "f") -> tuple[str, list[str]]:
    """Why the symbol is absent, and the remarks on what was left out."""
    source = taken(cells(*map(textwrap.dedent, sources)), symbol)
    with loading(source) as loaded:
        errors = StudentErrors(source, Limits(), None)
        errors.store_load_report(loaded.problems, loaded.notes)
        return errors.explain_absence(symbol).text, [remark.says for remark in errors.left_out]


@pytest.mark.parametrize(
    "annotation", ["Float[Tensor, 'b s']", "nowhere.Shape", "1 / 0", "int | 'Missing'", "List[Missing]"]
)
def test_annotations_are_never_evaluated(annotation: str) -> None:
    loaded = load(
        "import nowhere\nfrom nowhere import Float",
        f"""
        width: {annotation} = 2

        class A:
            size: {annotation} = width
            def g(self, x: {annotation}, *more: {annotation}) -> {annotation}:
                y: {annotation} = x
                return y + self.size

        def f(x: {annotation} = 1) -> {annotation}:
            return A().g(x)
        """,
    )
    assert loaded.namespace["f"]() == 3
    assert loaded.problems == []


def test_a_logger_or_a_progress_bar_that_is_not_there_changes_nothing() -> None:
    loaded = load(
        "import wandb, tqdm_missing as other\nfrom loguru import logger\nimport neptune.new as neptune",
        """
        run = neptune.init_run(project="a")

        @logger.catch
        def f(n):
            wandb.log({"n": n})
            run["n"].log(wandb.config.lr)
            wandb.run.name = f"{run.loss:.2f}"
            bar = wandb.progress(range(n))
            bar.set_description("steps")
            with wandb.init() as w:
                return [wandb.show(step) for step in bar]
        """,
    )
    assert loaded.namespace["f"](3) == [0, 1, 2]


def test_what_only_annotations_need_is_not_even_run() -> None:
    loaded = load(
        "from jaxtyping import Float\nBatch = Float[Tensor, 'b']\nfrom torch import Tensor",
        "def f(x: Batch) -> Tensor: return x",
    )
    assert loaded.problems == []
    assert "Tensor" in loaded.namespace


def test_pydantic_models_keep_their_annotations() -> None:
    pytest.importorskip("pydantic")
    loaded = load(
        "from pydantic import BaseModel\nclass C(BaseModel):\n    n: int = 3\ndef f(): return C(n='4').n"
    )
    assert loaded.namespace["f"]() == 4


def test_one_name_that_cannot_be_imported_does_not_cost_the_others() -> None:
    assert load("from math import nothing, floor", "def f(): return floor(2.5)").namespace["f"]() == 2


def test_dataclasses_and_named_tuples_keep_their_fields() -> None:
    loaded = load(
        """
        from dataclasses import dataclass, field, InitVar
        from typing import ClassVar, NamedTuple

        @dataclass
        class Config:
            width: int = 8
            names: list[Missing] = field(default_factory=list)
            count: ClassVar[int] = 3
            start: InitVar[int] = 1

            def __post_init__(self, start):
                self.width += start

        class Pair(NamedTuple):
            a: Tensor
            b: Tensor = 2

        def f():
            return Config(), Pair(1)
        """
    )
    config, pair = loaded.namespace["f"]()
    assert (config.width, config.names, config.count, pair) == (9, [], 3, (1, 2))
    assert list(config.__dataclass_fields__) == ["width", "names", "count", "start"]


def test_torch_script_still_reads_annotations() -> None:
    loaded = load(
        """
        import torch
        from torch import Tensor
        from typing import Optional

        @torch.jit.script
        def f(x: Tensor, n: Optional[int] = None) -> Tensor:
            return x if n is None else x * n
        """
    )
    assert loaded.problems == [] or "source" in str(loaded.problems)


def test_a_decorator_of_a_missing_package_is_left_out_with_a_remark() -> None:
    sources = (
        "from jaxtyping import Float, jaxtyped\nfrom beartype import beartype as typechecker",
        """
        import functools

        @jaxtyped(typechecker=typechecker)
        @functools.cache
        def f(x: Float[Tensor, "b"]):
            return x + 1
        """,
    )
    assert load(*sources).namespace["f"](2) == 3
    assert told(*sources)[1] == [
        "the decorator jaxtyped was left out: the package jaxtyping is not installed here"
    ]


def test_a_decorator_of_a_method_is_left_out_too() -> None:
    sources = (
        "import beartype",
        """
        class A:
            @beartype.beartype
            def g(self):
                return 4

        def f():
            return A().g()
        """,
    )
    assert load(*sources).namespace["f"]() == 4


@pytest.mark.parametrize(
    ("line", "base"),
    [
        ("import pytorch_lightning as pl", "pl.LightningModule"),
        ("import lightning as L", "L.LightningModule"),
        ("from lightning.pytorch import LightningModule", "LightningModule"),
    ],
)
def test_a_lightning_module_is_a_module_with_a_remark(line: str, base: str) -> None:
    sources = (
        f"{line}\nfrom torch import nn",
        f"""
        class F({base}):
            def __init__(self, width, rate=0.1):
                super().__init__()
                self.save_hyperparameters()
                self.layer = nn.Linear(self.hparams.width, 2)

            def forward(self, x):
                self.log("loss", 1)
                return self.layer(x)
        """,
    )
    loaded = load(*sources, symbol="F")
    module = loaded.namespace["F"](3, rate=0.2)
    assert len(list(module.parameters())) == 2
    assert vars(module.hparams) == {"width": 3, "rate": 0.2}
    package = line.split()[1].split(".")[0]
    assert told(*sources, symbol="F")[1] == [
        f"nn.Module took the place of the base class {base}: the package {package} is not installed here"
    ]


def test_the_first_cause_is_told_and_not_the_last_name_error() -> None:
    says, _ = told(
        "import keras",
        "class Base(keras.layers.Layer): pass",
        "class F(Base):\n    pass",
        symbol="F",
    )
    assert says == (
        "F could not be loaded: `import keras`, cell 1, line 1, "
        "raised ModuleNotFoundError: No module named 'keras'"
    )


def test_the_first_cause_is_found_in_a_file_beside_it() -> None:
    program = handed_in(
        {
            "rendu.ipynb": notebook("from helper import Base\nclass F(Base): pass"),
            "helper.py": "import keras\nclass Base(keras.layers.Layer): pass",
        }
    )
    source = taken(program, "F")
    with loading(source) as loaded:
        errors = StudentErrors(source, Limits(), None)
        errors.store_load_report(loaded.problems)
    assert errors.explain_absence("F").text == (
        "F could not be loaded: `import keras`, helper.py, line 1, "
        "raised ModuleNotFoundError: No module named 'keras'"
    )


def test_a_missing_package_does_not_hide_the_next_one_in_its_line() -> None:
    assert load("import nowhere, math", "def f(): return math.floor(1.5)").namespace["f"]() == 1


@pytest.mark.parametrize("notes", [None, 3, [3], [{}], [{"message": {"says": "unknown"}}], [{"line": "x"}]])
def test_forged_notes_give_no_remark(notes: object) -> None:
    errors = StudentErrors(taken(cells("def f(): pass\nx = f"), "x"), Limits(), None)
    errors.store_load_report([], notes)
    assert errors.left_out == []
