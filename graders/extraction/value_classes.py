"""Classes that hold values, as `GPTConfig` does: an annotation names one whose fields a constructor needs."""

import ast
import re

_CALLED = {"config", "cfg", "conf", "configuration", "settings", "args", "params", "hparams", "options"}


def holds_values(node: ast.stmt) -> bool:
    """Whether a statement defines a class that has fields or a constructor, and is no module."""
    if not isinstance(node, ast.ClassDef) or any("Module" in ast.unparse(base) for base in node.bases):
        return False
    methods = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
    fields = any(isinstance(part, ast.Assign | ast.AnnAssign) for part in node.body)
    return (fields or "__init__" in methods) and not methods & {"forward", "__call__"}


def is_called_a_configuration(name: str) -> bool:
    """Whether a class has the name of a configuration: `ModelConfig`."""
    return bool(_CALLED & {word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)})
