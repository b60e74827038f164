"""The references of the training assignment compute what PyTorch, transformers and tokenizers compute."""

from hypothesis import given, settings
from hypothesis import strategies as st

from graders.course.reference import reference
from tests.support.peers import peer

TEXTS = st.text(st.sampled_from("abcdé\n Z"), min_size=1, max_size=12)


@given(TEXTS)
@settings(max_examples=20)
def test_a_character_has_the_id_that_a_vocabulary_of_single_characters_gives_it(text):
    tokenizers = peer("tokenizers")
    due = sorted(set(text))
    chars, encoded, decoded = reference("char_tokenizer", "char_tokenizer")(text, text, [*range(len(due))])
    theirs = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({char: place for place, char in enumerate(due)})
    )
    theirs.pre_tokenizer = tokenizers.pre_tokenizers.Split(tokenizers.Regex(r"[\s\S]"), "isolated")
    assert encoded == theirs.encode(text).ids
    assert list(decoded) == chars == [theirs.id_to_token(place) for place in range(len(chars))]
