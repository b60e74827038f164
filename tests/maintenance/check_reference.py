"""The reference of `graders/check_api`, for authors of checks: docstrings, and an example for each name.

The examples are the bodies of the tests in `tests/check_api/test_examples.py`, each named for what it shows.
"""

import ast
import inspect
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parents[2]
API = ROOT / "graders/check_api"
EXAMPLES = ROOT / "tests/check_api/test_examples.py"


@dataclass(frozen=True)
class Page:
    """A page of the reference: what it is for, and its modules in the order in which an author meets them."""

    title: str
    use: str
    modules: tuple[str, ...]


PAGES = {
    "a-check": Page(
        "A check and its options",
        "begin a checks file; call a student's code",
        ("check", "options", "candidate"),
    ),
    "standard-checks": Page(
        "Standard checks",
        "make the checks that most exercises have, each by a call",
        (
            "standard_checks/module_checks",
            "standard_checks/attention_checks",
            "standard_checks/output_and_weights_checks",
            "standard_checks/tensor_function_checks",
            "standard_checks/function_checks",
            "standard_checks/behaviour_checks",
            "standard_checks/measure_checks",
        ),
    ),
    "draws": Page(
        "Draws and sizes",
        "draw arguments of functions; know sizes that code fixes",
        (
            "strategies/drawn",
            "strategies/shaped_by",
            "strategies/fed",
            "strategies/extremes",
            "strategies/tensors",
            "strategies/lengths",
            "strategies/buckets",
            "strategies/local_texts",
            "usual_sizes",
            "leading_axes",
        ),
    ),
    "draws-for-modules": Page(
        "Draws for modules",
        "draw a configuration with its input, its mask, its memory or its state",
        (
            "strategies/module_inputs",
            "strategies/memories",
            "strategies/grouped_heads",
            "strategies/recurrent",
            "strategies/wrapped_layers",
        ),
    ),
    "draws-of-tokens": Page(
        "Draws of tokens",
        "draw ids, sentences, logits; read the answers of language models",
        (
            "strategies/token_ids",
            "strategies/scored_tokens",
            "strategies/sentence_pairs",
            "rows_of_ints",
            "language_models",
        ),
    ),
    "comparing": Page(
        "Comparing",
        "compare an answer with what is due, up to rounding, in the forms that are right",
        (
            "compare",
            "target",
            "describe",
            "reference_answer",
            "variation",
            "attention_answers",
            "output_and_weights",
            "head_layouts",
            "variants",
        ),
    ),
    "properties": Page(
        "Properties",
        "ask what a module does: its parameters, dropout, what it depends on",
        ("properties", "parameter_counts", "memory_properties", "recurrent_properties"),
    ),
    "masks": Page(
        "Masks",
        "draw masks, read them in either sense, ask what they hide",
        ("mask_properties", "mask_sense", "strategies/attention_masks"),
    ),
    "gradients": Page("Gradients", "compare gradients with those of the reference", ("reference_gradients",)),
    "randomness": Page(
        "Randomness and behaviour",
        "judge random answers by counts, and free architectures by what they do",
        (
            "statistics",
            "behaviour",
            "language_model_behaviour",
            "translation_behaviour",
            "choice_by_content",
        ),
    ),
    "cost": Page(
        "Cost and time",
        "judge how time and memory grow; name the call that is timed",
        ("grows_as", "timed_call"),
    ),
    "lent-models": Page(
        "Lent models",
        "give a student's function a model of ours, and know how it was called",
        ("lent_models", "strategies/prompts", "strategies/translations"),
    ),
    "trained": Page("Trained models", "judge a model that the student has trained", ("criterion",)),
    "drawing": Page(
        "Drawing heads, and figures",
        "have attention drawn on a sentence; read the figures that code draws",
        ("drawn_attention", "figures"),
    ),
}
MODULES = tuple(module for page in PAGES.values() for module in page.modules)
# What an author wants, and what is for it: names, or a module where its names belong together.
BY_PURPOSE = {
    "the checks that most modules have": ("ModuleChecks", "AttentionChecks", "OutputAndWeightsChecks"),
    "the checks that most functions have": ("TensorFunctionChecks", "leaves_its_arguments_alone"),
    "a check of my own": ("check", "Options", "Candidate"),
    "tensors with letters for their sizes": ("ShapedBy", "Drawn", "fed", "extremes"),
    "heads, queries, keys and values": ("heads", "joined", "attention"),
    "a module's configuration and input": ("attended", "modelled", "crossed", "grouped", "sequences"),
    "ids of tokens": ("texts", "paired", "scored_tokens", "prompts"),
    "the same values, moved": ("same", "is_same"),
    "the reference's values, up to rounding": ("agree", "targets", "reference_answer"),
    "two answers of the same code": ("alike", "vary", "agree_in_variation"),
    "a shape, a type, a number": ("shaped", "has_dtype", "number", "require"),
    "masks and causality": ("does_not_look_ahead", "ignores_masked_keys", "MaskArgument", "causal_mask"),
    "gradients": ("agree_gradients", "teaches", "gradient_comes_from_where_values_went"),
    "random answers": ("surprising", "margin", "BehaviourTrial"),
    "an architecture that is free": ("language_model_behaviours", "translation_behaviours"),
    "memory and time that grow with the length": ("Growth", "Timed"),
    "a model that my exercise gives to a function": ("CallLog", "Prompt", "Translation"),
    "a trained model": ("criterion", "ModelFacts", "Share"),
    "attention maps, figures": ("DrawnAttention", "returns_a_figure"),
}
# Public for the rest of softmark; checks files do not use them.
INTERNAL = {
    *(
        "ModelAnswers",
        "LentModels",
        "Refused",
        "RecallModel",
        "ScriptedLossModel",
        "TableModel",
        "TranslationModel",
        "Check",
        "Criterion",
        "Recipe",
        "Cause",
        "Unlike",
        "Unmoved",
        "accepted_variants",
        "at_usual_sizes",
        "count_activations",
        "count_own_alternatives",
        "each_activation",
        "with_least_eps",
        "apply_variant",
        "exactly",
        "form_of",
        "logits",
        "logits_after",
        "memory_of",
    ),
    *("LateTarget", "coarser_single", "largest", "least_rounding", "make_local", "rounding", "target"),
    *("tensors_of", "unlike_a_tensor", "bound", "Extremes"),
    *("Own", "first_shape", "read_first", "no_draws", "change_at", "shape_for_heads"),
}
SECTIONS = ("Args", "Attributes", "Returns", "Raises")
FOLDER = ROOT / "docs/check-api"
INTRO = """\
# What a checks file may use

Made by `make docs` from the docstrings in `graders/check_api/`. Every example is run by
`tests/check_api/test_examples.py`. Begin with the [standard checks](standard-checks.md): most exercises
need few others.

A checks file imports each name from the module in the heading, for example
`from graders.check_api.check import check`, and `tr`, `trn` and `translatable` from `graders.language`.
"""
SHARED = "The examples share [these definitions](README.md#what-the-examples-share)."

Definition = ast.FunctionDef | ast.ClassDef


def check_references() -> dict[Path, Callable[[], str]]:
    """Each page's file, and the function that makes its text."""
    pages = {FOLDER / f"{name}.md": partial(_page, page) for name, page in PAGES.items()}
    return {FOLDER / "README.md": _index, **pages}


def _index() -> str:
    """The first page: by purpose what to use, by page what there is, and what the examples share."""
    page_of = {name: each for each, page in PAGES.items() for name in _names(page)}
    rows = [
        f"| {want} | {', '.join(f'[`{n}`]({page_of[n]}.md#{n.lower()})' for n in names)} |"
        for want, names in BY_PURPOSE.items()
    ]
    pages = [f"| [{page.title}]({name}.md) | {page.use} |" for name, page in PAGES.items()]
    setup = EXAMPLES.read_text(encoding="utf-8").split("# setup\n")[1].split("\n# end\n")[0]
    parts = [
        INTRO.rstrip(),
        "\n".join(["| you want | use |", "| --- | --- |", *rows]),
        "## Pages",
        "\n".join(["| page | to |", "| --- | --- |", *pages]),
        "## What the examples share",
        f"```python\n{setup}\n```",
    ]
    return "\n\n".join(parts) + "\n"


def _page(page: Page) -> str:
    """A page: a heading for each module, and below it a heading for each name."""
    parts = [f"# {page.title}", f"What is here is to {page.use}. {SHARED}"]
    code = examples()
    for module in page.modules:
        tree = _tree(module)
        doc = inspect.cleandoc(ast.get_docstring(tree) or "")
        parts += [f"## graders.check_api.{module.replace('/', '.')}", doc.split("\n\n")[0]]
        parts += [_entry(node, code[_key(node, module, code)]) for node in _public(tree)]
    return "\n\n".join(parts) + "\n"


def _tree(module: str) -> ast.Module:
    return ast.parse((API / f"{module}.py").read_text(encoding="utf-8"))


def _names(page: Page) -> list[str]:
    return [node.name for module in page.modules for node in _public(_tree(module))]


def examples() -> dict[str, str]:
    """The body of each example, by the name that it shows."""
    text = EXAMPLES.read_text(encoding="utf-8")
    lines, bodies = text.split("\n"), {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            body = lines[node.lineno : node.end_lineno]
            # After a definition at the top level of a block, ruff wants two empty lines.
            code = re.sub(r"(\n    .*\n)\n(?=\S)", r"\1\n\n", textwrap.dedent("\n".join(body)))
            bodies[node.name.removeprefix("test_")] = code
    return bodies


def public_names() -> list[str]:
    """The names of the examples, one for each name that a checks file may use."""
    code, keys = examples(), []
    for module in MODULES:
        tree = _tree(module)
        keys += [_key(node, module, code) for node in _public(tree)]
    return keys


def _key(node: Definition, module: str, code: dict[str, str]) -> str:
    """The name of the example; it begins with the module's name where two modules share a name."""
    longer = f"{Path(module).name}_{node.name}"
    return longer if longer in code else node.name


def _public(tree: ast.Module) -> list[Definition]:
    nodes = [node for node in tree.body if isinstance(node, Definition)]
    return [node for node in nodes if not node.name.startswith("_") and node.name not in INTERNAL]


def _entry(node: Definition, example: str) -> str:
    doc = ast.get_docstring(node) or ""
    parts = [f"### {node.name}", f"```python\n{_signature(node)}\n```", _markdown(doc)]
    methods = [part for part in node.body if isinstance(part, ast.FunctionDef)]
    documented = (
        [method for method in methods if ast.get_docstring(method)] if isinstance(node, ast.ClassDef) else []
    )
    if documented:
        parts.append("\n".join(f"- `{_method(method)}`: {_first_line(method)}" for method in documented))
    parts.append(f"```python\n{example}\n```")
    return "\n\n".join(part for part in parts if part)


def _signature(node: Definition) -> str:
    if isinstance(node, ast.ClassDef):
        bases = ", ".join(map(ast.unparse, node.bases))
        head = f"class {node.name}({bases}):" if bases else f"class {node.name}:"
        fields = [part for part in node.body if isinstance(part, ast.AnnAssign | ast.Assign)]
        lines = [f"    {ast.unparse(part)}".replace("'", '"') for part in fields]
        return "\n".join([head, *lines]) if lines else f"{head} ..."
    answer = ast.unparse(node.returns) if node.returns else "None"
    arguments = ast.unparse(node.args)
    if any("composite" in ast.unparse(decorator) for decorator in node.decorator_list):
        arguments = re.sub(r"^draw: st\.DrawFn(?:, /)?(?:, )?", "", arguments)
        answer = f"SearchStrategy[{answer}]"
    line = f"{node.name}({arguments}) -> {answer}"
    if len(line) <= 100:
        return line
    broken = re.sub(r", (?=\*?\*?\w+(?::|,|$)|\*, )", ",\n    ", arguments)
    return f"{node.name}(\n    {broken},\n) -> {answer}"


def _method(node: ast.FunctionDef) -> str:
    arguments = re.sub(r"^self(?:, )?", "", ast.unparse(node.args))
    is_property = any(ast.unparse(decorator) == "property" for decorator in node.decorator_list)
    return node.name if is_property else f"{node.name}({arguments})"


def _first_line(node: ast.FunctionDef) -> str:
    return " ".join((ast.get_docstring(node) or "").split("\n\n")[0].split())


def _markdown(doc: str) -> str:
    """A docstring with its sections as lists."""
    doc = inspect.cleandoc(doc)
    pattern = rf"^({'|'.join(SECTIONS)}):\n((?: {{4}}.*\n?)+)"
    return re.sub(pattern, _section, doc, flags=re.MULTILINE).strip()


def _section(match: re.Match[str]) -> str:
    lines = textwrap.dedent(match[2]).rstrip("\n").split("\n")
    items = "\n".join(line if line.startswith(" ") else f"- {line}" for line in lines)
    items = re.sub(r"\n +", " ", items)
    items = re.sub(r"^- ([*\w]+): ", r"- `\1`: ", items, flags=re.MULTILINE)
    return f"{match[1]}:\n\n{items}\n"
