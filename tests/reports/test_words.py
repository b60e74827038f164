import pytest

from reports import words


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
