import pytest

from graders.language import speaking
from reports import words
from tests.reports import sample


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ([["attention__scaled_by_d"]], "scaled by d"),
        ([["f__a_b", "f__c"]], "a b and c"),
        ([["f__a"], ["f__b_c"]], "a or b c"),
        ([["f__a", "f__b"], ["f__c", "f__d"]], "a and b or c and d"),
        ([["softmax_over_queries"]], "softmax over queries"),
    ],
)
def test_the_names_of_mistakes_are_read_as_words(names: list[list[str]], said: str) -> None:
    assert words.mistake_names(names) == said


@pytest.mark.parametrize(
    ("names", "english", "french"),
    [
        (["A"], "Your A is", "Votre A est"),
        (["A", "B"], "Your A and B are", "Vos A et B sont"),
        (["A", "B", "C"], "Your A, B and C are", "Vos A, B et C sont"),
    ],
)
def test_replaced_parts_are_listed_as_a_sentence_lists_them(
    names: list[str], english: str, french: str
) -> None:
    exercise = sample.exercise(parts_replaced=tuple(names))
    assert (words.parts_replaced(exercise) or "").startswith(english)
    with speaking("fr"):
        assert (words.parts_replaced(exercise) or "").startswith(french)
