"""Find the classes of parts that a constructor is given: `EncoderLayer(size, self_attn, feed_forward)`."""

import ast
import re
from collections.abc import Iterable, Mapping, Sequence

_ATTENTION = {"attn", "attention", "attentions", "mha"}
_SHORT = {"att", "atten", "atn", "sa"}  # of classes alone, where no class has a longer name
_NETWORK = {"ff", "ffn", "ffnn", "feed", "forward", "feedforward", "mlp", "pointwise", "positionwise", "pwff"}
# Further words of such a name. With any other, as in `attention_dropout`, it names no part.
_BESIDE = {"self", "multi", "head", "headed", "masked", "causal", "enc", "encoder", "src", "position", "wise"}
_BESIDE |= {"layer", "sublayer", "block", "module", "net", "network", "multihead"}
_BESIDE |= {"cross", "dec", "decoder", "memory", "source", "tgt", "trg", "target"}  # of a decoder's layer
_OF_CLASSES = {"class", "cls", "type"}  # behind the name of a part, where its class is given
_HEADS = {"heads", "nhead", "nheads", "h"}


def find_given_parts(
    definitions: Iterable[ast.stmt], known: Mapping[str, Sequence[ast.stmt]]
) -> dict[str, str]:
    """The parameters of a constructor that are parts, each with the name of the class that makes it.

    A constructor is given its attention if it asks for one and for no number of heads; the class of it, or of
    a network, if it calls what it is given.

    Args:
        definitions: statements, among them the class.
        known: what binds each name of the file, in order.
    """
    for definition in definitions:
        init = next((part for part in getattr(definition, "body", ()) if _is_constructor(part)), None)
        if isinstance(definition, ast.ClassDef) and isinstance(init, ast.FunctionDef):
            parts = _parts_of(init, known)
            if parts:
                return parts
    return {}


def _is_constructor(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and node.name == "__init__"


def _parts_of(init: ast.FunctionDef, known: Mapping[str, Sequence[ast.stmt]]) -> dict[str, str]:
    required = init.args.args[1 : len(init.args.args) - len(init.args.defaults)]
    parts = _classes_of(init, required, known)
    if any(_words(a.arg) & _HEADS for a in init.args.args):
        return parts
    has_attention = False
    for parameter in required:
        annotated = _annotated(parameter, known)
        for kind in (_ATTENTION, _NETWORK):
            if _names_part(parameter.arg, kind) or _names_part(annotated, kind):
                parts[parameter.arg] = annotated or _last_of(kind, known)
                has_attention |= kind is _ATTENTION
    return parts if has_attention and all(parts.values()) else {}


def _classes_of(
    init: ast.FunctionDef, required: Sequence[ast.arg], known: Mapping[str, Sequence[ast.stmt]]
) -> dict[str, str]:
    """The parameters that are classes of parts: the constructor calls them, as in `attn_class(dim, 4)`."""
    called = {
        node.func.id
        for node in ast.walk(init)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    named = {a.arg: _words(a.arg) - _OF_CLASSES for a in required if a.arg in called}
    found = {
        name: _last_of(kind, known)
        for name, words in named.items()
        for kind in (_ATTENTION, _NETWORK)
        if words & kind and words <= kind | _BESIDE
    }
    return {name: part for name, part in found.items() if part}


def _annotated(parameter: ast.arg, known: Mapping[str, Sequence[ast.stmt]]) -> str:
    """The class that the annotation names; "" if it names none."""
    annotation = parameter.annotation
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        name = annotation.value
    else:
        name = annotation.id if isinstance(annotation, ast.Name) else ""
    return name if _is_class(known.get(name, ())) else ""


def _last_of(kind: set[str], known: Mapping[str, Sequence[ast.stmt]]) -> str:
    """The last class of the kind: an alias stands below what it means."""
    places = {name: nodes[-1].lineno for name, nodes in known.items() if _is_class(nodes)}
    fitting = [name for name in places if name[:1].isupper() and _names_part(name, kind)]
    short = [name for name in places if kind is _ATTENTION and _words(name) & _SHORT]
    fitting = fitting or short
    return max(fitting, key=lambda name: places[name], default="")


def _is_class(nodes: Sequence[ast.stmt]) -> bool:
    """Whether the name stands for a class: `class A`, `A = B`, or an import of it."""
    node = nodes[-1] if nodes else None
    return isinstance(node, ast.ClassDef | ast.ImportFrom) or (
        isinstance(node, ast.Assign) and isinstance(node.value, ast.Name)
    )


def _names_part(name: str, kind: set[str]) -> bool:
    words = _words(name)
    return bool(words & kind) and words <= kind | _BESIDE


def _words(name: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)}
