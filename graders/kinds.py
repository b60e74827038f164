"""What an answer is, in a student's words, and what to do where a plain tensor was due.

Plain is a `torch.Tensor` or `nn.Parameter` itself: dense, on the CPU, of bools or of real numbers. All
else crosses the wire by its type's name and a trait (see `graders.worker.wire`), which student code can
choose: they are only ever words in a message.
"""

from typing import Any

from torch import Tensor

from graders.plain import plain
from graders.worker.wire import AXES_LIMIT, Other

SHOWN = 40  # characters of a string

# What is said of traits and of types: what it is, and what to do where a tensor was due.
Words = tuple[str, str]
_NESTED = ("a nested tensor", ".to_padded_tensor(0.0) makes it plain")
_TRAITS: dict[str, Words] = {
    "quantized": ("a quantized tensor", ".dequantize() gives plain numbers"),
    "wrapped": (
        "a tensor that a transform of torch.func (vmap, grad, ...) still works on",
        "return it from the function that is transformed, and do not keep it elsewhere",
    ),
    "nested": _NESTED,
    "array": ("a NumPy array", "keep it a tensor, NumPy takes no gradients"),
    "scalar": ("a NumPy number ({name})", "keep it a tensor, NumPy takes no gradients"),
    "axes": (f"a tensor of more than {AXES_LIMIT} axes", "which axes does the contract name?"),
    "subclass": (
        "a {name}, which is a subclass of torch.Tensor",
        ".as_subclass(torch.Tensor) makes it plain",
    ),
    "imitation": ("a {name}, which only imitates a tensor", "return the torch.Tensor that it stands for"),
    "module": ("the module {name}", "call it with its input, and return what it answers"),
    "class": ("a class", "make an object of it and call that"),
    "deep": ("a {name} of too many levels", "return one tensor"),
    "keys": ("a {name} with keys that are not strings", "return the tensor itself"),
    "large": ("an int of more than 77 digits", "return a tensor"),
}
_TYPES: dict[str, Words] = {
    "torch.nested._internal.nested_tensor.NestedTensor": _NESTED,
    "torch.nn.parameter.UninitializedParameter": (
        "a parameter that has no values yet",
        "a lazy module gets them in its first call",
    ),
    "torch._subclasses.fake_tensor.FakeTensor": (
        "a FakeTensor, which has a shape and no values",
        "compute outside of FakeTensorMode",
    ),
    "builtins.generator": ("a generator", "is there a yield where a return should be?"),
    "builtins.coroutine": ("a coroutine", "define the function with def, not with async def"),
    "builtins.function": ("a function", "are the parentheses of a call missing?"),
    "builtins.method": ("a method", "are the parentheses of a call missing?"),
    "builtins.builtin_function_or_method": ("a method", "are the parentheses of a call missing?"),
    "builtins.method_descriptor": ("a method", "are the parentheses of a call missing?"),
    "builtins.ellipsis": ("...", "this part is still to be written"),
    "builtins.NotImplementedType": ("NotImplemented", "this part is still to be written"),
    "builtins.complex": ("a complex number", "return a tensor of real numbers"),
}


def kind(value: Any) -> str:
    """What a value is, in the words of a message: "a list of 2 tensors"."""
    return _words(value)[0]


def unlike_a_tensor(value: Any) -> str:
    """What a value is that should be a plain tensor, and what to do: "None: is a return missing?"."""
    return ": ".join(_words(value))


def _words(value: Any) -> Words:
    if value is None:
        return "None", "is a return missing?"
    if isinstance(value, Other):
        return _of_other(value)
    if isinstance(value, Tensor):
        return f"a tensor of shape {tuple(value.shape)}", "return it by itself"
    if isinstance(value, tuple | list):
        return _of_sequence(value)
    if isinstance(value, bool | int | float):
        name = type(value).__name__
        says = "torch.tensor(...) makes it one, but lets no gradient through: where does it leave PyTorch?"
        return f"{_article(name)} {name} ({_number(value)})", says
    if isinstance(value, str):
        cut = plain(value[:SHOWN]).replace("\n", " ") + ("..." if len(value) > SHOWN else "")
        return f'a string ("{cut}")', "return the tensor itself"
    if isinstance(value, dict):
        return f"a dict of {len(value)}", "return the tensor itself"
    return "an object", "return a tensor"


def _of_sequence(value: tuple[Any, ...] | list[Any]) -> Words:
    name = f"a {type(value).__name__} of {len(value)}" if value else f"an empty {type(value).__name__}"
    if value and all(isinstance(item, Tensor) for item in value):
        tensors = "tensor" if len(value) == 1 else "tensors"
        return f"{name} {tensors}", "return one of them, or join them with torch.stack or torch.cat"
    if value and all(isinstance(item, int | float | list) for item in value):
        return name, "torch.tensor(...) makes it one, but lets no gradient through: compute with tensors"
    return name, "return the tensor itself"


def _of_other(value: Other) -> Words:
    name = _one_line(value.type.rpartition(".")[2]) or "object"
    trait, _, detail = _one_line(value.trait).replace("torch.", "").partition(" ")
    if trait == "layout":
        sparse = "a sparse tensor" if detail.startswith("sparse") else "a tensor"
        return f"{sparse} (layout {detail})", ".to_dense() makes it plain"
    if trait == "device":
        return _of_device(detail)
    if trait == "dtype":
        return _of_dtype(detail)
    what, says = (
        _TYPES.get(value.type) or _TRAITS.get(trait) or (f"{_article(name)} {name}", "return a tensor")
    )
    return what.replace("a {name}", f"{_article(name)} {name}").replace("{name}", name), says


def _of_device(name: str) -> Words:
    if name == "meta":
        return "a tensor on the device meta, which has a shape and no values", "compute on the input's device"
    return f"a tensor on the device {name}", "compute on the input's device, or .cpu() brings it back"


def _of_dtype(name: str) -> Words:
    if name.startswith("complex"):
        return f"a tensor of complex numbers ({name})", ".real or .abs() makes it real: which is meant?"
    if name.startswith("float"):
        return f"a tensor of {name}", ".float() makes it float32"
    return f"a tensor of {name}", "give it the dtype that the contract names, with .to(...)"


def _one_line(text: str) -> str:
    return " ".join(plain(text, 100).split())


def _article(name: str) -> str:
    return "an" if name[:1].lower() in set("aeiou") else "a"


def _number(value: float) -> str:
    text = str(value)
    return text if len(text) <= 24 else f"{text[:20]}... of {len(text)} characters"
