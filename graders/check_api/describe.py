"""Describes an answer for a student, and says what to do where a plain tensor was expected.

A plain tensor is a `torch.Tensor` or `nn.Parameter` itself (no subclass), dense, on the CPU, of bools or real
numbers. Of any other object only the name of its type and a trait cross the wire (`softmark_worker/wire.py`).
Student code can choose both, so they are only used as words in a message.
"""

from typing import Any

from torch import Tensor

from graders.language import tr, translatable, trn
from graders.safe_text import safe_text
from softmark_worker.wire import AXES_LIMIT, Other

SHOWN = 40  # characters of a string
WRITTEN = 60  # characters of a value that is written as Python writes it

# What a value is, and what to do where a tensor was expected; for each trait and for each type.
Description = tuple[str, str]
_TENSOR = translatable("return a tensor")
_ITSELF = translatable("return the tensor itself")
_UNFINISHED = translatable("this part is still to be written")
_PARENTHESES = translatable("are the parentheses of a call missing?")
_NUMPY = translatable("keep it a tensor, NumPy takes no gradients")
_NESTED = (translatable("a nested tensor"), translatable(".to_padded_tensor(0.0) makes it plain"))
_METHOD = (translatable("a method"), _PARENTHESES)
_TRAITS: dict[str, Description] = {
    "quantized": (translatable("a quantized tensor"), translatable(".dequantize() gives plain numbers")),
    "wrapped": (
        translatable("a tensor that a transform of torch.func (vmap, grad, ...) still works on"),
        translatable("return it from the function that is transformed, and do not keep it elsewhere"),
    ),
    "nested": _NESTED,
    "array": (translatable("a NumPy array"), _NUMPY),
    "scalar": (translatable("a NumPy number ({name})"), _NUMPY),
    "axes": (
        translatable("a tensor of more than {most} axes"),
        translatable("which axes does the contract name?"),
    ),
    "subclass": (
        translatable("{object}, which is a subclass of torch.Tensor"),
        translatable(".as_subclass(torch.Tensor) makes it plain"),
    ),
    "imitation": (
        translatable("{object}, which only imitates a tensor"),
        translatable("return the torch.Tensor that it stands for"),
    ),
    "module": (
        translatable("the module {name}"),
        translatable("call it with its input, and return what it answers"),
    ),
    "class": (translatable("a class"), translatable("make an object of it and call that")),
    "deep": (translatable("{object} of too many levels"), translatable("return one tensor")),
    "keys": (translatable("{object} with keys that are not strings"), _ITSELF),
    "large": (translatable("an int of more than 77 digits"), _TENSOR),
}
_TYPES: dict[str, Description] = {
    "torch.nested._internal.nested_tensor.NestedTensor": _NESTED,
    "torch.nn.parameter.UninitializedParameter": (
        translatable("a parameter that has no values yet"),
        translatable("a lazy module gets them in its first call"),
    ),
    "torch._subclasses.fake_tensor.FakeTensor": (
        translatable("a FakeTensor, which has a shape and no values"),
        translatable("compute outside of FakeTensorMode"),
    ),
    "builtins.generator": (
        translatable("a generator"),
        translatable("is there a yield where a return should be?"),
    ),
    "builtins.coroutine": (
        translatable("a coroutine"),
        translatable("define the function with def, not with async def"),
    ),
    "builtins.function": (translatable("a function"), _PARENTHESES),
    "builtins.method": _METHOD,
    "builtins.builtin_function_or_method": _METHOD,
    "builtins.method_descriptor": _METHOD,
    "builtins.ellipsis": ("...", _UNFINISHED),
    "builtins.NotImplementedType": ("NotImplemented", _UNFINISHED),
    "builtins.complex": (translatable("a complex number"), translatable("return a tensor of real numbers")),
}


def kind(value: Any) -> str:
    """What a value is, in the words of a message: "a list of 2 tensors"."""
    return _describe(value)[0]


def unlike_a_tensor(value: Any) -> str:
    """What a value is instead of a plain tensor, and what to do: "None: is a return missing?"."""
    what, hint = _describe(value)
    return tr("{what}: {hint}", what=what, hint=hint)


def written(value: Any) -> str:
    """A text, a number, or a list of them as Python writes it, cut: what a message shows of an answer."""
    text = safe_text(repr(value), 2 * WRITTEN)
    return text if len(text) <= WRITTEN else f"{text[:WRITTEN]}..."


def _describe(value: Any) -> Description:
    if value is None:
        return "None", tr("is a return missing?")
    if isinstance(value, Other):
        return _describe_other(value)
    if isinstance(value, Tensor):
        return tr("a tensor of shape {shape}", shape=tuple(value.shape)), tr("return it by itself")
    if isinstance(value, tuple | list):
        return _describe_sequence(value)
    if isinstance(value, bool | int | float):
        hint = tr(
            "torch.tensor(...) makes it one, but lets no gradient through: where does it leave PyTorch?"
        )
        return f"{_with_article(type(value).__name__)} ({_number(value)})", hint
    if isinstance(value, str):
        cut = safe_text(value[:SHOWN]).replace("\n", " ") + ("..." if len(value) > SHOWN else "")
        return tr('a string ("{text}")', text=cut), tr(_ITSELF)
    if isinstance(value, dict):
        return trn("a dict of {n}", "a dict of {n}", len(value)), tr(_ITSELF)
    return tr("an object"), tr(_TENSOR)


def _describe_sequence(value: tuple[Any, ...] | list[Any]) -> Description:
    if not value:
        return tr("an empty list") if isinstance(value, list) else tr("an empty tuple"), tr(_ITSELF)
    count = len(value)
    if all(isinstance(item, Tensor) for item in value):
        hint = tr("return one of them, or join them with torch.stack or torch.cat")
        if isinstance(value, list):
            return trn("a list of {n} tensor", "a list of {n} tensors", count), hint
        return trn("a tuple of {n} tensor", "a tuple of {n} tensors", count), hint
    name = (
        trn("a list of {n}", "a list of {n}", count)
        if isinstance(value, list)
        else trn("a tuple of {n}", "a tuple of {n}", count)
    )
    if _is_of_ids(value):
        return name, tr("torch.tensor(...) makes it one")
    if all(isinstance(item, int | float | list) for item in value):
        return name, tr("torch.tensor(...) makes it one, but lets no gradient through: compute with tensors")
    return name, tr(_ITSELF)


def _is_of_ids(value: tuple[Any, ...] | list[Any]) -> bool:
    """Whether only integers are in it, at any depth: ids, through which no gradient goes anyway."""
    return len(value) > 0 and all(
        _is_of_ids(item) if isinstance(item, tuple | list) else type(item) is int for item in value
    )


def _describe_other(value: Other) -> Description:
    name = _one_line(value.type.rpartition(".")[2]) or "object"
    trait, _, detail = _one_line(value.trait).replace("torch.", "").partition(" ")
    if trait == "layout":
        hint = tr(".to_dense() makes it plain")
        if detail.startswith("sparse"):
            return tr("a sparse tensor (layout {layout})", layout=detail), hint
        return tr("a tensor (layout {layout})", layout=detail), hint
    if trait == "device":
        return _describe_device(detail)
    if trait == "dtype":
        return _describe_dtype(detail)
    what, hint = _TYPES.get(value.type) or _TRAITS.get(trait) or ("{object}", _TENSOR)
    return tr(what, name=name, object=_with_article(name), most=AXES_LIMIT), tr(hint)


def _describe_device(name: str) -> Description:
    if name == "meta":
        meta = tr("a tensor on the device meta, which has a shape and no values")
        return meta, tr("compute on the input's device")
    back = tr("compute on the input's device, or .cpu() brings it back")
    return tr("a tensor on the device {name}", name=name), back


def _describe_dtype(name: str) -> Description:
    if name.startswith("complex"):
        what = tr("a tensor of complex numbers ({dtype})", dtype=name)
        return what, tr(".real or .abs() makes it real: which is meant?")
    if name.startswith("float"):
        return tr("a tensor of {dtype}", dtype=name), tr(".float() makes it float32")
    hint = tr("give it the dtype that the contract names, with .to(...)")
    return tr("a tensor of {dtype}", dtype=name), hint


def _one_line(text: str) -> str:
    return " ".join(safe_text(text, 100).split())


def _with_article(name: str) -> str:
    """The name of a type with its article: "an Image"."""
    vowel = name[:1].lower() in set("aeiou")
    return tr("an {name}", name=name) if vowel else tr("a {name}", name=name)


def _number(value: float) -> str:
    text = str(value)
    return text if len(text) <= 24 else tr("{start}... of {n} characters", start=text[:20], n=len(text))
