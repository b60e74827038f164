"""The sources of the contestants that are ours, extracted as a submission's are."""

from functools import cache

from graders import locations
from graders.course.exercise import Exercise
from graders.course.reference import texts_below
from graders.extraction.extract import Source, extract, study
from graders.submission.decode import File, decode
from graders.submission.read import Submission

FUSED = ("fused", "Fused")
MATH_FUNCTION = """
from torch.nn.attention import SDPBackend, sdpa_kernel
def plainly(*arguments):
    with sdpa_kernel(SDPBackend.MATH):
        return fused(*arguments)
"""
MATH_CLASS = """
from torch.nn.attention import SDPBackend, sdpa_kernel
class plainly(Fused):
    def forward(self, *arguments):
        with sdpa_kernel(SDPBackend.MATH):
            return super().forward(*arguments)
"""
PRODUCT = """
def product(A, B):
    return A @ B
"""


@locations.once_per_course
def read_reference_source(name: str, symbol: str) -> Source | None:
    """The reference's source, with the other solutions that it imports; None without solutions."""
    texts = texts_below(name)
    files = tuple(decode(f"solutions/{module}.py", text.encode())[0] for module, text in texts.items())
    return _extract(files, symbol) if files else None


@cache
def read_torch_source(exercise: Exercise) -> Source | None:
    """The source of `fused` or `Fused` in the exercise's checks file; None where it defines neither."""
    path = locations.course().checks(exercise.name)
    files = (decode(path.name, path.read_bytes())[0],)
    return next((source for name in FUSED if (source := _extract(files, name)) is not None), None)


@cache
def read_math_source(exercise: Exercise) -> Source | None:
    """`fused` or `Fused` with PyTorch's plain kernel, which keeps all weights; None without either."""
    path = locations.course().checks(exercise.name)
    for name, code in zip(FUSED, (MATH_FUNCTION, MATH_CLASS), strict=True):
        if _extract((decode(path.name, path.read_bytes())[0],), name) is not None:
            return _extract((decode(path.name, path.read_bytes() + code.encode())[0],), "plainly")
    return None


@cache
def product_source() -> Source:
    """The source of a matrix product."""
    source = _extract((decode("product.py", PRODUCT.encode())[0],), "product")
    assert source is not None
    return source


def _extract(files: tuple[File, ...], symbol: str) -> Source | None:
    source = extract(study(Submission("ours", files, "", (), ())), symbol, None)
    return source if isinstance(source, Source) else None
