"""Where a plain tensor is expected, any other answer is named, and the student reads what to do."""

import pytest
import torch

from graders.check_api.compare import Violation, tensor
from graders.check_api.describe import kind, unlike_a_tensor
from softmark_worker.wire import Handle, Other
from tests.sandbox.test_box import call, loaded
from tests.support.at_night import at_night

# What a function returns for x, a float32 tensor of shape (2, 2): the expression, what it is, what to do.
ANSWERS = {
    "None": ("None", "is a return missing"),
    "3": ("an int (3)", "lets no gradient through"),
    "x.numel() > 2": ("a bool (True)", "lets no gradient through"),
    "x.sum().item()": ("a float (4.0)", "lets no gradient through"),
    "float('nan')": ("a float (nan)", "lets no gradient through"),
    "2 ** 300": ("an int of more than 77 digits", "return a tensor"),
    "1j": ("a complex number", "real numbers"),
    "'x' * 3": ('a string ("xxx")', "the tensor itself"),
    "x.tolist()": ("a list of 2", "compute with tensors"),
    "list(x)": ("a list of 2 tensors", "torch.stack or torch.cat"),
    "(x, x)": ("a tuple of 2 tensors", "torch.stack or torch.cat"),
    "[]": ("an empty list", "the tensor itself"),
    "{'output': x}": ("a dict of 1", "the tensor itself"),
    "{1: x}": ("a dict with keys that are not strings", "the tensor itself"),
    "x.shape": ("a tuple of 2", "makes it one"),
    "x.numpy()": ("a NumPy array", "keep it a tensor"),
    "x.numpy().view(type('Mine', (numpy.ndarray,), {}))": ("a NumPy array", "keep it a tensor"),
    "x.numpy().any()": ("a NumPy number (bool)", "keep it a tensor"),
    "x.to_sparse()": ("a sparse tensor (layout sparse_coo)", ".to_dense()"),
    "x.to_sparse_csr()": ("a sparse tensor (layout sparse_csr)", ".to_dense()"),
    "x.to_mkldnn()": ("a tensor (layout _mkldnn)", ".to_dense()"),
    "torch.quantize_per_tensor(x, 0.1, 0, torch.quint8)": ("a quantized tensor", ".dequantize()"),
    "x.to('meta')": ("a tensor on the device meta, which has a shape and no values", "the input's device"),
    "torch.nested.nested_tensor([x])": ("a nested tensor", ".to_padded_tensor(0.0)"),
    "torch.nested.nested_tensor([x], layout=torch.jagged)": ("a nested tensor", ".to_padded_tensor(0.0)"),
    "torch.fft.fft(x)": ("a tensor of complex numbers (complex64)", ".real or .abs()"),
    "x.to(torch.float8_e4m3fn)": ("a tensor of float8_e4m3fn", ".float()"),
    "x.to(torch.uint16)": ("a tensor of uint16", ".to(...)"),
    "x.reshape([1] * 18 + [4])": ("a tensor of more than 16 axes", "which axes"),
    "kept(torch.vmap, lambda y: y, x)": ("a tensor that a transform of torch.func", "keep it elsewhere"),
    "kept(torch.func.grad, lambda y: y.sum(), x)": ("a tensor that a transform of torch.func", "return it"),
    "fake()": ("a FakeTensor, which has a shape and no values", "outside of FakeTensorMode"),
    "torch.nn.UninitializedParameter()": ("a parameter that has no values yet", "its first call"),
    "x.as_subclass(Mine)": ("a Mine, which is a subclass of torch.Tensor", ".as_subclass(torch.Tensor)"),
    "Imitation()": ("an Imitation, which only imitates a tensor", "the torch.Tensor that it stands for"),
    "Liar()": ("a Liar", "return a tensor"),
    "torch.nn.Linear(2, 2)": ("the module Linear", "call it with its input"),
    "torch.nn.Linear": ("a class", "make an object of it"),
    "Mine": ("a class", "make an object of it"),
    "f": ("a function", "parentheses"),
    "x.softmax": ("a method", "parentheses"),
    "(row for row in x)": ("a generator", "is there a yield"),
    "map(torch.exp, x)": ("a map", "return a tensor"),
    "later()": ("a coroutine", "not with async def"),
    "...": ("...", "still to be written"),
    "NotImplemented": ("NotImplemented", "still to be written"),
    "type('Ein\\x1b[31mrot\\n' * 9, (), {})()": ("an Einrot Einrot", "return a tensor"),
    "endless": ("a list of 1", "compute with tensors"),
}
CODE = """import numpy, torch
class Mine(torch.Tensor):
    pass
class Imitation:
    @classmethod
    def __torch_function__(cls, *args, **kwargs):
        return NotImplemented
    @property
    def __class__(self):
        return torch.Tensor
class Believing(type):
    def __instancecheck__(cls, instance):
        return True
    def __subclasscheck__(cls, subclass):
        return True
class Liar(metaclass=Believing):
    shape, dtype, layout, is_quantized = (2, 2), torch.float32, torch.strided, False
    @property
    def __class__(self):
        return torch.Tensor
    def numpy(self, force=False):
        return numpy.ones((2, 2))
def kept(transform, function, x):
    found = []
    transform(lambda y: (found.append(y), function(y))[1])(x)
    return found[0]
def fake():
    from torch._subclasses.fake_tensor import FakeTensorMode
    with FakeTensorMode():
        return torch.ones(2, 2)
async def later():
    pass
endless = []
endless.append(endless)
def f(x):
    return ANSWER
"""


# For each of these the box imports a part of PyTorch of its own, for a second.
SLOW = ("torch.nested.nested_tensor([x], layout=torch.jagged)", "fake()")


@pytest.mark.parametrize("answer", [at_night(answer) if answer in SLOW else answer for answer in ANSWERS])
def test_an_answer_that_is_no_plain_tensor_is_named_with_what_to_do(box, answer):
    what, advice = ANSWERS[answer]
    with loaded(box, CODE.replace("ANSWER", answer)) as child:
        reply = call(child, torch.ones(2, 2), seconds=10)
    assert reply.ok, reply.value
    with pytest.raises(Violation) as caught:
        tensor(reply.value)
    message = str(caught.value)
    assert message.startswith(f"the output should be a plain tensor, but is {what}")
    assert advice in message
    assert message.isprintable()
    assert len(message) < 300


def test_of_a_list_of_ids_no_gradient_is_due():
    assert unlike_a_tensor([[3, 0], [1, 2]]) == "a list of 2: torch.tensor(...) makes it one"
    assert "gradient" in unlike_a_tensor([[3.0, 0], [1, 2]])


PLAIN = {
    "itself": "x",
    "a parameter": "torch.nn.Parameter(x)",
    "a buffer": "getattr(torch.nn, 'Buffer', torch.nn.Parameter)(x)",
    "an expanded one": "x[:1, :1].expand(2, 2)",
    "a transposed one": "x.T",
    "one in inference mode": "inferred(x)",
    "one with a graph": "x.clone().requires_grad_() * 1",
    "a subclass made plain": "x.as_subclass(Mine).as_subclass(torch.Tensor)",
    "one with an attribute": "named(x)",
    "a dual one": "dual(x)",
}
MORE = """import torch
class Mine(torch.Tensor):
    pass
def inferred(x):
    with torch.inference_mode():
        return x * 1
def named(x):
    x.shape_of_mine = x.numpy = 3
    return x
def dual(x):
    import torch.autograd.forward_ad as forward
    with forward.dual_level():
        return forward.make_dual(x, x)
def f(x):
    return ANSWER
"""


@pytest.mark.parametrize("answer", PLAIN.values(), ids=PLAIN)
def test_a_plain_tensor_is_plain(box, answer):
    with loaded(box, MORE.replace("ANSWER", answer)) as child:
        assert torch.equal(tensor(call(child, torch.ones(2, 2), seconds=10).value), torch.ones(2, 2))


PATCHES = {
    "shape": "torch.Tensor.shape = property(lambda self: torch.Size([9, 9]))",
    "numpy": "torch.Tensor.numpy = lambda self, **_: None",
    "detach": "torch.Tensor.detach = lambda self: None",
    "numel": "torch.Tensor.numel = lambda self: 10 ** 9",
    "device": "torch.set_default_device('meta')",
    "precision": "torch.set_default_dtype(torch.float64)",
    "gradients": "torch.set_grad_enabled(False)",
    "from_numpy": "torch.from_numpy = lambda array: torch.zeros(1)",
    "dtype": "torch.Tensor.dtype = property(lambda self: torch.float64)",
    "quantized": "torch.Tensor.is_quantized = property(lambda self: 1 / 0)",
    "memory": "import numpy; numpy.ndarray = numpy.empty = None",
}


@pytest.mark.parametrize("patch", PATCHES.values(), ids=PATCHES)
def test_code_that_changes_torch_harms_only_its_own_answers(box, patch):
    with loaded(box, f"import torch\ndef f(x):\n    {patch}\n    return [x, torch.ones(2, 2)]") as child:
        try:
            answers = [call(child, torch.zeros(2, 2), seconds=10) for _ in range(2)]
        except Exception as error:
            assert type(error).__name__ == "ProcessLost", error
        else:
            assert all(type(answer.ok) is bool for answer in answers)
    with loaded(box, "import torch\ndef f(x):\n    return [x, torch.ones(2, 2)]") as child:
        x, ones = call(child, torch.zeros(2, 2), seconds=10).value
    assert torch.equal(x + 1, ones)


LARGE = {
    "too many bytes": ("torch.zeros(9 << 20, dtype=torch.float64)", "too_many_bytes"),
    "a large view of one number": ("x[0, 0].expand(1 << 40)", "too_many_bytes"),
    "nothing, of a large shape": ("torch.empty(0, 1 << 40)", "too_large_a_shape"),
    "too many values": ("[0] * 100_000", "too_many_values"),
    "too many tensors": ("[x] * 30_001", "too_many_values"),
    "too long a text": ("'x' * (2 << 20)", "too_much_text"),
}


@pytest.mark.parametrize("large", LARGE)
def test_the_message_for_a_large_answer_says_that_it_is_too_large(box, large):
    answer, advice = LARGE[large]
    with loaded(box, f"import torch\ndef f(x):\n    return {answer}") as child:
        reply = call(child, torch.ones(2, 2), seconds=10)
        assert call(child, torch.ones(2, 2), seconds=10).value["type"] == "BadFrame"
    assert not reply.ok
    assert reply.value["message"]["says"] == advice


def test_names_chosen_by_student_code_are_only_text():
    for name in ("", "x" * 500, "a.b.", "\u202e\x1b[2J\n", "{name}", "layout"):
        for trait in ("", "layout", "device \x1b[2J", "dtype " + "x" * 500, "subclass", "module {name}", "?"):
            advice = unlike_a_tensor(Other(name, trait))
            assert advice.isprintable()
            assert len(advice) < 400


def test_an_object_of_the_box_is_no_tensor():
    assert kind(Handle(3)) == "an object"
