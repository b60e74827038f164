"""Parts that were not asked for are judged where a whole fails that is built of them, and only then."""

from dataclasses import replace
from pathlib import Path

import pytest

from graders.course.exercise import Assignment
from graders.extraction.extract import Source, extract, study
from graders.judging import score
from graders.judging.part_verdicts import PartVerdicts, is_wrong
from graders.results.result import Finding, Outcome
from graders.submission.read import read

CODE = """
def split_heads(x): return x
def scaled(q, k, v): return q
joined = concat_heads = lambda x: x
def unused(x): return x
class MultiHeadAttention:
    def forward(self, x): return concat_heads(split_heads(x))
"""


def names_of(folder: Path, code: str) -> frozenset[str]:
    path = folder / "work.py"
    path.write_text(code, encoding="utf-8")
    source = extract(study(read(path)), "MultiHeadAttention", None)
    assert isinstance(source, Source)
    return source.names


def test_only_wrong_parts_that_the_code_is_built_of_count(tmp_path: Path, assignment: Assignment):
    judged = []

    def judge(part):
        judged.append(part.name)
        return part.name == "concat_heads"

    verdicts = PartVerdicts(assignment.exercises, judge)
    whole = next(e for e in assignment.exercises if e.name == "multi_head_attention")
    names = names_of(tmp_path, CODE)
    assert [verdicts.wrong_parts(whole, names) for _ in range(2)] == [{"concat_heads"}] * 2
    assert judged == ["split_heads", "concat_heads"]


def test_a_whole_is_no_part_of_its_parts(assignment: Assignment):
    verdicts = PartVerdicts(assignment.exercises, lambda part: True, {"TransformerBlock": True})
    whole = next(e for e in assignment.exercises if e.name == "multi_head_attention")
    assert not verdicts.wrong_parts(whole, {"TransformerBlock", "MultiHeadAttention"})


@pytest.mark.parametrize("outcome", list(Outcome))
def test_a_part_is_wrong_where_it_answers_wrongly_or_is_not_there(assignment: Assignment, outcome: Outcome):
    part = assignment.exercises[0]
    wrong = outcome in (Outcome.FAILED, Outcome.RAISED)
    about_answers = Finding(part.value_checks[0].name, outcome, 0, 1, "")
    assert (
        is_wrong(
            part,
            score.exercise_result(part, [about_answers], ())
            if outcome in score.WORST_FIRST
            else replace(score.unjudged_result(part, outcome, ""), findings=(about_answers,)),
        )
        is wrong
    )
    forgotten = Finding("imports_what_it_uses", Outcome.FAILED, 0, 1, "")
    passed = replace(about_answers, outcome=Outcome.PASSED)
    assert not is_wrong(part, score.exercise_result(part, [forgotten, passed], ()))
    absent = outcome in (Outcome.NOT_ATTEMPTED, Outcome.UNFINISHED)
    assert is_wrong(part, score.unjudged_result(part, outcome, "")) is (wrong or absent)


def test_what_a_result_says_of_a_part_is_learnt_and_not_asked_again(assignment: Assignment):
    parts = {e.name: e for e in assignment.exercises}
    verdicts = PartVerdicts(assignment.exercises, lambda part: pytest.fail(f"{part.name} is judged again"))
    for name, outcome in (("split_heads", Outcome.FAILED), ("concat_heads", Outcome.NOT_ATTEMPTED)):
        verdicts.learn(parts[name], score.unjudged_result(parts[name], outcome, ""))
    names = {"split_heads", "concat_heads", "MultiHeadAttention"}
    assert verdicts.wrong_parts(parts["multi_head_attention"], names) == {"split_heads", "concat_heads"}
    assert verdicts.wrong_parts(parts["multi_head_attention"], {"split_heads"}) == {"split_heads"}
