"""Code without an argument for a size is judged at its usual value: one check fails for it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from graders.audit.try_answer import FEW
from graders.check_api.options import Options
from graders.check_api.usual_sizes import at_usual_sizes, head_width, inner_width, memory_width
from graders.course.exercise import Exercise, assignment_names, load_assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.judging.usual_sizes import failed_for_sizes_not_taken, judge_sizes
from graders.results.result import ExerciseResult, Finding, Outcome
from tests.support.at_night import at_night
from tests.support.open_box import OpenBox

DEVIATIONS = Path(__file__).parents[2] / "solutions/deviations"
WIDTHS = ("ff_dim", "intermediate_size")
TAKEN = ("def __init__(self, n_embd, dropout=0.1)", "def __init__(self, n_embd, ff_dim=None, dropout=0.1)")
Judge = Callable[..., ExerciseResult]


@pytest.fixture(scope="module")
def exercises() -> dict[str, Exercise]:
    return {e.name: e for name in assignment_names() for e in load_assignment(name).exercises}


@pytest.fixture
def judge(open_box: OpenBox, draws: Draws, tmp_path: Path) -> Iterator[Judge]:
    """Grade the deviation of a style with some of its text replaced."""
    assignments = [load_assignment(name) for name in assignment_names()]
    brief = draws.without_search().only(FEW)

    def judge(exercise: str, style: str, *replaced: tuple[str, str]) -> ExerciseResult:
        source = (DEVIATIONS / exercise / f"{style}.py").read_text()
        for there, instead in replaced:
            assert there in source
            source = source.replace(there, instead)
        path = tmp_path / "answer.py"
        path.write_text(source)
        whole = next(a for a in assignments if exercise in {e.name for e in a.exercises})
        [result] = Grader(whole.only([exercise]), brief, open_box).grade(path, "student").exercises
        return result

    yield judge


def failed(result: ExerciseResult) -> dict[str, Finding]:
    return {f.check: f for f in result.findings if f.outcome.value != "passed"}


def mistakes(finding: Finding) -> set[str]:
    return {mistake.name.rpartition("__")[2] for pair in finding.mistakes for mistake in pair}


def test_every_inner_width_of_the_course_may_be_fixed(exercises: dict[str, Exercise]) -> None:
    due = {
        (name, argument)
        for name, exercise in exercises.items()
        for argument in exercise.signatures.get("__init__", ())
        if argument in WIDTHS
    }
    assert {(name, s.argument) for name, e in exercises.items() for s in e.options.sizes} >= due
    for name, exercise in exercises.items():
        assert {size.check for size in exercise.options.sizes} <= {check.name for check in exercise.checks}
        usual = [size for size in exercise.options.sizes if size.is_usual]
        assert not usual or len(list((DEVIATIONS / name).glob("*.py"))) >= 2


def test_in_draws_at_usual_sizes_the_size_follows_from_the_others(
    exercises: dict[str, Exercise], draws: Draws
) -> None:
    free = exercises["feed_forward"]
    sizes = [size for size in free.options.sizes if size.is_usual]
    usual = free.at_usual_sizes(sizes)
    apart = draws.at_usual_sizes(sizes)
    for check, same in zip(free.checks, usual.checks, strict=True):
        examples = apart.for_check(usual, same)
        assert len(examples) == len(draws.for_check(free, check))
        for configured in (e.draw.config for e in examples if hasattr(e.draw, "config")):
            assert configured["ff_dim"] == 4 * configured["embed_dim"]


def test_the_message_names_the_argument_and_both_signatures(judge: Judge) -> None:
    [(check, finding)] = failed(judge("feed_forward", "width_alone")).items()
    assert check == "has_two_layers_with_bias"
    assert finding.message is not None
    assert "no argument for ff_dim" in finding.message
    assert "FeedForward(embed_dim, ff_dim, dropout)" in finding.message
    assert "FeedForward(n_embd, dropout)" in finding.message


def test_a_missing_activation_beside_it_is_named(judge: Judge) -> None:
    findings = failed(judge("feed_forward", "width_alone", ("F.relu(self.wide(x))", "self.wide(x)")))
    about_size = findings.pop("has_two_layers_with_bias")
    assert not about_size.mistakes
    assert {"computes_what_the_reference_computes", "is_not_linear"} <= findings.keys()
    assert [mistakes(finding) for finding in findings.values()] == [{"without_activation"}] * len(findings)


@pytest.mark.parametrize(
    ("exercise", "style", "there", "instead"),
    [
        at_night("transformer_block", "width_from_config", "return x + self.mlp", "return self.mlp"),
        ("gpt_block", "width_alone", "x + self.dropout(self.ffwd(x))", "self.dropout(self.ffwd(x))"),
    ],
)
def test_a_missing_residual_beside_it_is_named(
    judge: Judge, exercise: str, style: str, there: str, instead: str
) -> None:
    findings = failed(judge(exercise, style, (there, instead)))
    equality = findings["computes_what_the_reference_computes"]
    assert any("residual" in name for name in mistakes(equality)), equality


def test_missing_biases_beside_it_are_told_too(judge: Judge) -> None:
    replaced = ("nn.Linear(n_embd * 4, n_embd)", "nn.Linear(n_embd * 4, n_embd, bias=False)")
    [finding] = failed(judge("feed_forward", "width_alone", replaced)).values()
    assert finding.message is not None
    assert "no argument for ff_dim" in finding.message and "there should be" in finding.message


@pytest.mark.parametrize(("own", "told"), [("n_embd * 4", "4 * embed_dim"), ("48", "48")])
def test_a_width_that_is_taken_and_ignored_costs_what_one_costs_that_is_not_taken(
    judge: Judge, own: str, told: str
) -> None:
    absent = judge("feed_forward", "width_alone", ("n_embd * 4", own))
    ignored = judge("feed_forward", "width_alone", TAKEN, ("n_embd * 4", own))
    assert ignored.points == absent.points > 0
    [(check, finding)] = failed(ignored).items()
    assert check == "has_two_layers_with_bias"
    assert "takes ff_dim and does nothing with it" in (finding.message or "")
    assert f"makes a module with {told} in its place" in (finding.message or "")
    assert mistakes(finding) == ({"ff_dim_ignored"} if own == "n_embd * 4" else set())


def test_what_else_is_wrong_beside_an_ignored_width_is_named(judge: Judge) -> None:
    linear = ("F.relu(self.wide(x))", "self.wide(x)")
    findings = failed(judge("feed_forward", "width_alone", TAKEN, linear))
    assert mistakes(findings.pop("has_two_layers_with_bias")) == {"ff_dim_ignored"}
    assert findings
    assert [mistakes(finding) for finding in findings.values()] == [{"without_activation"}] * len(findings)


def test_a_width_that_no_layer_has_is_missing_with_its_layer(judge: Judge) -> None:
    """One layer from the width to the width does nothing with an inner width, and has no usual one either."""
    one = ("        self.back = nn.Linear(n_embd * 4, n_embd)\n", ""), ("self.back(hidden)", "hidden")
    findings = failed(judge("feed_forward", "width_alone", TAKEN, *one, ("n_embd * 4", "n_embd")))
    assert not any("does nothing with it" in (f.message or "") for f in findings.values())
    assert not any("ff_dim_ignored" in mistakes(f) for f in findings.values())


def test_a_width_of_a_head_that_must_fit_the_model_costs_what_one_costs_that_is_not_taken(
    judge: Judge,
) -> None:
    [(check, finding)] = failed(
        judge(
            "list_of_heads",
            "heads_share_the_width",
            ("self, embed_dim, num_heads, max_len", "self, num_heads, head_size, embed_dim, max_len"),
            ('assert embed_dim % num_heads == 0, "all heads must be as wide"', "pass"),
            ("embed_dim // num_heads", "head_size"),
        )
    ).items()
    assert check == "has_heads_and_a_projection"
    assert "only where head_size is n_embd / num_heads" in (finding.message or "")


@pytest.mark.parametrize("exercise", ["decoder_layer", "cross_attention"])
def test_a_width_that_is_ignored_has_its_name_whatever_the_layers_are_called(
    judge: Judge, exercise: str
) -> None:
    style, name = {
        "decoder_layer": ("width_ignored", "ff_dim_ignored"),
        "cross_attention": ("memory_width_ignored", "kv_dim_ignored"),
    }[exercise]
    [finding] = failed(judge(exercise, style)).values()
    assert mistakes(finding) == {name}


@pytest.mark.parametrize(("width", "told"), [("n_embd * 3", "3 * embed_dim"), ("48", "48")])
def test_an_inner_width_of_its_own_costs_one_check_too(judge: Judge, width: str, told: str) -> None:
    [finding] = failed(judge("feed_forward", "width_alone", ("n_embd * 4", width))).values()
    assert finding.check == "has_two_layers_with_bias"
    assert f"the value that your code has, {told}" in (finding.message or "")


@pytest.mark.parametrize(
    ("taken", "outcomes", "found"),
    [
        ({"inner": "", "memory": ""}, {"a": Outcome.FAILED, "b": Outcome.RAISED}, ["inner", "memory"]),
        ({"inner": "", "memory": ""}, {"a": Outcome.FAILED, "b": Outcome.PASSED}, []),
        ({"inner": "", "memory": ""}, {"a": Outcome.TIMED_OUT, "b": Outcome.FAILED}, []),
        ({"inner": "", "memory": "n_memory"}, {"a": Outcome.FAILED, "b": Outcome.PASSED}, ["inner"]),
        ({"inner": "n_inner"}, {"a": Outcome.FAILED, "b": Outcome.FAILED}, []),
    ],
)
def test_only_where_every_check_about_a_size_that_is_not_taken_fails_has_code_no_argument_for_it(
    taken: dict[str, str], outcomes: dict[str, Outcome], found: list[str]
) -> None:
    sizes = (inner_width("inner", "width", "a"), memory_width("memory", "width", "b", "states"))
    exercise: Any = SimpleNamespace(options=Options(sizes=sizes))
    constructed = []
    candidate: Any = SimpleNamespace(taken=taken, construct=lambda **config: constructed.append(config))
    draws: Any = SimpleNamespace(
        diagnostic_draws=lambda _: [SimpleNamespace(config={"width": 4})], values_at_sizes=lambda _: {}
    )

    def try_check(name: str) -> Finding:
        return Finding(name, outcomes[name], 0, 1, "")

    free = failed_for_sizes_not_taken(exercise, candidate, draws, try_check)
    assert [size.argument for size in free] == found
    assert all(free[size] == try_check(size.check) for size in free)
    assert constructed == [{"width": 4}]
    none: Any = SimpleNamespace(options=Options(sizes=()))
    assert failed_for_sizes_not_taken(none, candidate, draws, try_check) == {}


def test_a_width_of_a_head_is_tried_with_a_model_as_wide_as_all_heads_together() -> None:
    exercise: Any = SimpleNamespace(
        options=Options(sizes=(head_width("head_dim", "width", "heads", "a", "states"),))
    )
    constructed = []
    candidate: Any = SimpleNamespace(taken={}, construct=lambda **config: constructed.append(config))
    config = {"width": 7, "heads": 2, "head_dim": 3}
    draws: Any = SimpleNamespace(
        diagnostic_draws=lambda _: [SimpleNamespace(config=config)], values_at_sizes=lambda _: {}
    )
    failed_for_sizes_not_taken(
        exercise, candidate, draws, lambda name: Finding(name, Outcome.FAILED, 0, 1, "")
    )
    assert constructed == [{**config, "width": 6}]


@pytest.mark.parametrize("own", [False, True])
def test_a_value_of_its_own_is_not_counted_again_by_the_check_on_the_default(
    own: bool,
) -> None:
    size = inner_width("inner", "width", "has_layers", default_check="is_four_times_as_wide")
    size = size.times(12, 16) if own else size
    failed = {name: Finding(name, Outcome.FAILED, 0, 2, "") for name in (size.check, size.default_check)}
    source = SimpleNamespace(symbol="Network", definitions=())
    candidate: Any = SimpleNamespace(
        source=source, contract={"__init__": ("width", "inner")}, taken={"inner": ""}
    )
    told = judge_sizes({size: failed[size.check]}, candidate, failed.__getitem__)
    message = told["has_layers"].message or ""
    assert told["has_layers"].outcome is Outcome.FAILED
    assert "Network(width, inner) is due, but Network(...) is defined" in message
    assert ("the value that your code has, 3 * width" in message) is own
    assert ("its usual value, 4 * width" in message) is not own
    assert (size.default_check in told) is own
    if own:
        default = told[size.default_check]
        assert (default.outcome, default.points) == (Outcome.PASSED, 2)
        assert default.message == "counts in another check: inner is always 3 * width"


HEADS_OF_A_TOTAL = """
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, n_embd, each, dropout):
        super().__init__()
        self.key, self.query, self.value = (nn.Linear(n_embd, each, bias=False) for _ in range(3))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        scores = self.query(x) @ self.key(x).transpose(-2, -1) * self.key.out_features**-0.5
        hidden = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
        return self.dropout(scores.masked_fill(hidden, -torch.inf).softmax(-1)) @ self.value(x)


class MultiHead(nn.Module):
    def __init__(self, num_heads, d_model, d_total, seq_len, dropout):
        super().__init__()
        assert d_total % num_heads == 0
        self.heads = nn.ModuleList(Head(d_model, d_total // num_heads, dropout) for _ in range(num_heads))
        self.proj = nn.Linear(d_total, d_total)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.dropout(self.proj(torch.cat([head(x) for head in self.heads], -1)))
"""


@pytest.mark.parametrize("projects", [True, False])
def test_heads_that_are_together_as_wide_as_the_model_cost_one_check_if_they_are_projected(
    open_box: OpenBox, draws: Draws, tmp_path: Path, projects: bool
) -> None:
    path = tmp_path / "answer.py"
    code = (
        HEADS_OF_A_TOTAL
        if projects
        else HEADS_OF_A_TOTAL.replace("nn.Linear(d_total, d_total)", "nn.Identity()")
    )
    path.write_text(code)
    assignments = map(load_assignment, assignment_names())
    whole = next(a for a in assignments if "list_of_heads" in {e.name for e in a.exercises})
    brief = draws.without_search().only(FEW)
    [result] = Grader(whole.only(["list_of_heads"]), brief, open_box).grade(path, "student").exercises
    told = failed(result)
    about_size = told["has_heads_and_a_projection"].message or ""
    assert ("answers only where head_size is n_embd / num_heads" in about_size) is projects
    assert (set(told) == {"has_heads_and_a_projection"}) is projects


@pytest.mark.parametrize(
    ("name", "check"),
    [
        ("gpt_model", "has_the_sizes_of_the_course_by_default"),
        ("bert_model", "has_the_parameters_of_its_parts"),
    ],
)
def test_a_draw_that_leaves_sizes_out_or_has_no_ids_may_have_one_that_code_fixes(
    exercises: dict[str, Exercise], draws: Draws, name: str, check: str
) -> None:
    exercise = exercises[name]
    sizes = [size.always(4) for size in exercise.options.sizes]
    sizes += [size.of_one_length(6) for size in exercise.options.sizes if size.positions]
    [asked] = [each for each in exercise.checks if each.name == check]
    for example in draws.for_check(exercise, asked):
        for size in sizes:
            assert at_usual_sizes(example.draw, [size]).config.keys() >= example.draw.config.keys()
