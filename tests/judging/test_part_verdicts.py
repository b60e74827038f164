"""Parts that were not asked for are judged where a whole fails that is built of them, and only then."""

from pathlib import Path

from graders.course.exercise import Assignment
from graders.extraction.extract import Source, extract, study
from graders.judging.part_verdicts import PartVerdicts
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
