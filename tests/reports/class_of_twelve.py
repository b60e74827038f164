"""A class as it might be: twelve students, eight exercises, the usual mistakes."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from graders.results.case import Case, Input, TensorView
from graders.results.result import (
    Definition,
    ExerciseResult,
    Finding,
    Mistake,
    Outcome,
    Place,
    Remark,
    Result,
)
from tests.reports import sample

# name, title, then each check: its sentence and its points
EXERCISES: dict[str, tuple[str, tuple[tuple[str, float], ...]]] = {
    "scaled_dot_product_attention": (
        "Scaled dot-product attention",
        (
            ("the weights of each query sum to one", 1),
            ("a masked key gets no weight, and moves no output", 1),
            ("scores are divided by the square root of the width, not of the length", 1),
            ("large scores do not overflow", 0.5),
            ("any number of leading axes gives the same as a loop over them", 0.5),
        ),
    ),
    "split_heads": (
        "Splitting into heads",
        (("head h holds columns h*D to (h+1)*D", 1.5), ("nothing but the order changes", 0.5)),
    ),
    "concat_heads": (
        "Joining the heads",
        (
            ("joining undoes splitting", 1.5),
            ("gradients reach every head", 0.5),
        ),
    ),
    "multi_head_attention": (
        "Multi-head attention",
        (
            ("with the same weights it gives what the reference gives", 2),
            ("each head attends on its own", 1),
            ("the mask hides keys in every head", 1),
            ("a width that the heads do not divide is refused", 0.5),
            ("its parameters are those of four linear layers with bias", 0.5),
        ),
    ),
    "feed_forward": (
        "The feed-forward network",
        (("each position is treated alike and alone", 1), ("dropout is off in evaluation", 1)),
    ),
    "causal_mask": ("The causal mask", (("a row only looks up to itself", 1),)),
    "transformer_block": (
        "The Transformer block",
        (
            ("norms come before attention", 1.5),
            ("the residual path is never normalised", 1.5),
        ),
    ),
    "count_parameters": ("Counting parameters", (("the count is that of a block built with PyTorch", 1),)),
}

# id, then which checks do not pass, and why
STUDENTS: tuple[tuple[str, dict[tuple[str, int], str]], ...] = (
    ("agathe.moreau", {}),
    ("baptiste_lefevre", {("concat_heads", 0): "unmoved"}),
    ("camille-roux", {("scaled_dot_product_attention", 0): "queries", ("count_parameters", 0): "bias"}),
    (
        "Đặng Thị Hoa",
        {
            ("multi_head_attention", 0): "skipped",
            ("multi_head_attention", 1): "skipped",
            ("transformer_block", 0): "skipped",
        },
    ),
    ("emil", {("transformer_block", 0): "raised", ("transformer_block", 1): "raised"}),
    ("farah.benali", {("scaled_dot_product_attention", 0): "queries", ("causal_mask", 0): "upside"}),
    ("group 7", {("multi_head_attention", 0): "endless", ("multi_head_attention", 2): "endless"}),
    (
        "hugo.petit",
        {
            ("concat_heads", 0): "unmoved",
            ("concat_heads", 1): "unmoved",
            ("multi_head_attention", 0): "counted",
            ("multi_head_attention", 1): "counted",
            ("causal_mask", 0): "upside",
        },
    ),
    ("ines_garcia", {("count_parameters", 0): "ours"}),
    ("jules.martin", {(name, 0): "absent" for name in EXERCISES}),
    ("karim", {("feed_forward", 1): "raised", ("concat_heads", 0): "unmoved"}),
    ("lea.dubois", {("transformer_block", 0): "raised", ("scaled_dot_product_attention", 2): "queries"}),
)

CODE = '''def scaled_dot_product_attention(Q, K, V, mask=None):
    """Attention(Q, K, V) = softmax(Q K^T / sqrt(d)) V"""
    d = Q.size(-1)
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d)  # (..., Sq, Sk)
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    print("scores", scores.shape)
    weights = torch.softmax(scores, dim=-2)
    return weights @ V, weights
'''


def results() -> list[Result]:
    """The class's results, by id."""
    return [_student(name, troubles, i) for i, (name, troubles) in enumerate(STUDENTS)]


def _student(name: str, troubles: dict[tuple[str, int], str], seed: int) -> Result:
    exercises = tuple(_exercise(key, troubles, seed) for key in EXERCISES)
    remarks = (
        Remark("split_heads is defined again here; the last definition counts", "rendu.ipynb", 14, 1),
        Remark("`%matplotlib inline` was left out", "rendu.ipynb", 2, 1),
    )
    return sample.result(*exercises, id=name, remarks=remarks[: seed % 3], title=TITLE)


TITLE = "Multi-head attention and the Transformer block"


def _exercise(key: str, troubles: dict[tuple[str, int], str], seed: int) -> ExerciseResult:
    title, checks = EXERCISES[key]
    kinds = [troubles.get((key, i)) for i in range(len(checks))]
    if "absent" in kinds and key != "split_heads":
        message = f"there is no {key} in what was handed in"
        return sample.exercise(name=key, title=title, message=message, max_points=sum(p for _, p in checks))
    findings = [_finding(key, i, says, points, kinds[i], seed) for i, (says, points) in enumerate(checks)]
    worst = next((f.outcome for f in findings if f.outcome is not Outcome.PASSED), Outcome.PASSED)
    undecided = sum(f.max_points for f in findings if f.outcome.undecided)
    return sample.exercise(
        *findings,
        name=key,
        title=title,
        outcome=worst,
        undecided_points=undecided,
        definitions=(Definition("rendu.ipynb", 9, 3, CODE.replace("scaled_dot_product_attention", key)),),
    )


def _finding(key: str, number: int, says: str, points: float, kind: str | None, seed: int) -> Finding:
    more = {} if kind in (None, "absent") else _TROUBLES[str(kind)](seed)
    outcome = more.pop("outcome", Outcome.PASSED)
    got = points if outcome is Outcome.PASSED else 0
    empty: dict[str, object] = {"message": None, "case": None, "mistake": None, "output": None, "place": None}
    values = empty | more
    return sample.finding(
        outcome, check=f"{key}_{number}", says=says, points=got, max_points=points, **values
    )


def _queries(seed: int) -> dict[str, object]:
    scores = [[math.sin(1.7 * (seed + 3 * r + 5 * c)) for c in range(4)] for r in range(4)]
    expected, actual = _softmax(scores), _turned(_softmax(_turned(scores)))
    gaps = {(r, c): abs(expected[r][c] - actual[r][c]) for r in range(4) for c in range(4)}
    r, c = max(gaps, key=lambda at: gaps[at])
    q = TensorView((1, 2, 4, 3), "float32", tuple(round(math.cos(i), 3) for i in range(24)))
    return {
        "outcome": Outcome.FAILED,
        "message": f"query [0, 1, {r}]: weights sum to {sum(actual[r]):.3g}, should be 1",
        "case": Case(
            "Q (1, 2, 4, 3) float32, K (1, 2, 4, 3) float32, no mask",
            (Input("Q", "Q (1, 2, 4, 3) float32", q), Input("mask", "no mask", expression="None")),
            _view(expected),
            _view(actual),
            (0, 1, r, c),
        ),
        "mistake": Mistake(
            "softmax_over_queries",
            "softmax runs over the queries (dim=-2), not the keys",
            "le softmax porte sur les requêtes (dim=-2), pas sur les clés",
        ),
        "output": "scores torch.Size([1, 2, 4, 4])\n",
    }


def _unmoved(_: int) -> dict[str, object]:
    expected = [float(i) for i in range(48)]
    actual = [expected[(i * 7) % 48] for i in range(48)]
    return {
        "outcome": Outcome.FAILED,
        "message": "42 of 48 values of the output differ",
        "case": Case(
            "x (1, 2, 4, 6) float32",
            (),
            TensorView((1, 4, 12), "float64", tuple(expected)),
            TensorView((1, 4, 12), "float64", tuple(actual)),
            (0, 1, 0),
        ),
        "mistake": Mistake(
            "concat_heads__unmoved",
            "reshape alone mixes heads and positions: transpose first",
            "reshape seul mélange têtes et positions : transposez d'abord",
        ),
    }


def _raised(_: int) -> dict[str, object]:
    return {
        "outcome": Outcome.RAISED,
        "message": "RuntimeError: The size of tensor a (6) must match the size of tensor b (4)",
        "case": Case("x (2, 4, 6) float32, embed_dim=6, num_heads=2, no mask"),
        "place": Place("rendu.ipynb", 9, 8),
    }


def _upside(_: int) -> dict[str, object]:
    above = TensorView((5, 5), "bool", tuple(float(c > r) for r in range(5) for c in range(5)))
    below = TensorView((5, 5), "bool", tuple(float(c < r) for r in range(5) for c in range(5)))
    return {
        "outcome": Outcome.FAILED,
        "message": "20 of 25 values of the mask differ",
        "case": Case("seq_len=5", (), above, below, (0, 1)),
        "mistake": Mistake(
            "causal_mask__allowed | causal_mask__transposed",
            "the mask is upside down: True is what is hidden Or: its rows are its columns",
            "le masque est à l'envers : True est ce qui est caché Ou bien : ses lignes sont ses colonnes",
        ),
    }


def _bias(_: int) -> dict[str, object]:
    config = "embed_dim=8, num_heads=2, ff_dim=32"
    message = f"{config}: 872 parameters, you count 800"
    return {"outcome": Outcome.FAILED, "message": message, "case": Case(config)}


def _plainly(
    outcome: Outcome, message: str, place: Place | None = None
) -> Callable[[int], dict[str, object]]:
    return lambda _: {"outcome": outcome, "message": message, "place": place}


_TROUBLES: dict[str, Callable[[int], dict[str, Any]]] = {
    "queries": _queries,
    "unmoved": _unmoved,
    "raised": _raised,
    "upside": _upside,
    "bias": _bias,
    "endless": _plainly(Outcome.TIMED_OUT, "still running after 10 s", Place("rendu.ipynb", 9, 5)),
    "skipped": _plainly(Outcome.SKIPPED, sample.UNMATCHED),
    "counted": _plainly(Outcome.PASSED, sample.COUNTED),
    "ours": _plainly(Outcome.BROKEN, "softmark itself failed here; this costs no points"),
}


def _softmax(rows: Sequence[Sequence[float]]) -> list[list[float]]:
    return [[math.exp(v) / sum(map(math.exp, row)) for v in row] for row in rows]


def _turned(rows: Sequence[Sequence[float]]) -> list[list[float]]:
    return [list(column) for column in zip(*rows, strict=True)]


def _view(rows: Sequence[Sequence[float]]) -> TensorView:
    """The rows as the second head of a (1, 2, 4, 4) tensor."""
    head = tuple(round(v, 6) for row in rows for v in row)
    return TensorView((1, 2, 4, 4), "float64", (0.25,) * 16 + head)
