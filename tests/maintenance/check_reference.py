"""The reference of `graders/check_api`, for authors of checks: docstrings, and an example for each name.

The examples are the bodies of the tests in `tests/check_api/test_examples.py`, each named for what it shows.
"""

import ast
import inspect
import re
import textwrap
from pathlib import Path

ROOT = Path(__file__).parents[2]
API = ROOT / "graders/check_api"
EXAMPLES = ROOT / "tests/check_api/test_examples.py"
# The modules in the order in which an author meets them.
MODULES = (
    "check",
    "options",
    "standard_checks/module_checks",
    "standard_checks/attention_checks",
    "standard_checks/output_and_weights_checks",
    "standard_checks/tensor_function_checks",
    "standard_checks/function_checks",
    "standard_checks/behaviour_checks",
    "standard_checks/measure_checks",
    "candidate",
    "compare",
    "target",
    "describe",
    "properties",
    "parameter_counts",
    "mask_properties",
    "mask_sense",
    "leading_axes",
    "memory_properties",
    "recurrent_properties",
    "output_and_weights",
    "rows_of_ints",
    "usual_sizes",
    "reference_answer",
    "reference_gradients",
    "variation",
    "head_layouts",
    "attention_answers",
    "variants",
    "statistics",
    "behaviour",
    "language_model_behaviour",
    "language_models",
    "choice_by_content",
    "figures",
    "translation_behaviour",
    "lent_models",
    "strategies/drawn",
    "strategies/shaped_by",
    "strategies/fed",
    "strategies/extremes",
    "strategies/tensors",
    "strategies/module_inputs",
    "strategies/memories",
    "strategies/grouped_heads",
    "strategies/recurrent",
    "strategies/wrapped_layers",
    "strategies/buckets",
    "strategies/lengths",
    "strategies/local_texts",
    "strategies/attention_masks",
    "strategies/token_ids",
    "strategies/scored_tokens",
    "strategies/prompts",
    "strategies/translations",
    "strategies/sentence_pairs",
    "timed_call",
    "grows_as",
    "drawn_attention",
    "criterion",
)
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
INTRO = """\
# What a checks file may use

Made by `make docs` from the docstrings in `graders/check_api/`. Every example is run by
`tests/check_api/test_examples.py`.

A checks file imports each name from the module in the heading, for example
`from graders.check_api.check import check`, and `tr`, `trn` and `translatable` from `graders.language`. The
examples share these definitions:
"""

Definition = ast.FunctionDef | ast.ClassDef


def check_reference() -> str:
    """The page: a heading for each module, and below it a heading for each name."""
    setup = EXAMPLES.read_text(encoding="utf-8").split("# setup\n")[1].split("\n# end\n")[0]
    parts = [INTRO.rstrip(), f"```python\n{setup}\n```"]
    code = examples()
    for module in MODULES:
        tree = ast.parse((API / f"{module}.py").read_text(encoding="utf-8"))
        doc = inspect.cleandoc(ast.get_docstring(tree) or "")
        parts += [f"## graders.check_api.{module.replace('/', '.')}", doc.split("\n\n")[0]]
        parts += [_entry(node, code[_key(node, module, code)]) for node in _public(tree)]
    return "\n\n".join(parts) + "\n"


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
        tree = ast.parse((API / f"{module}.py").read_text(encoding="utf-8"))
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
