"""What an argument that code was not given explains is no mistake of the code."""

import pytest

from graders import locations
from graders.extraction.stub import calls_of
from graders.judging.arguments_left import count_masks, is_of_a_call
from graders.results.result import Definition

OPTION = """
class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()

    def forward(self, q, k, v, padding_mask=None, masked=False):
        return q
"""
TWO_MASKS = """
def attend(x, src_mask=None, src_key_padding_mask=None):
    return x
"""
PLAIN = """
class Attention(nn.Module):
    def __init__(self, width, heads, dropout=0.1, *, causal=True):
        super().__init__()

    def forward(self, x, mask=None):
        return x
"""
LENGTHS = """
class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()

    def forward(self, x, valid_lens=None):
        return self.inner(x, valid_lens)
"""
UNREAD = LENGTHS.replace("self.inner(x, valid_lens)", "self.inner(x)")
A_SIZE = """
class Attention(nn.Module):
    def __init__(self, width, seq_len):
        self.table = zeros(seq_len, width)

    def forward(self, x, mask=None):
        return x
"""


@pytest.mark.parametrize(
    ("code", "mistake", "is_of_call"),
    [
        (OPTION, "not_causal", True),
        (OPTION, "mask_lost", False),
        (TWO_MASKS, "mask_lost", True),
        (TWO_MASKS, "mask_ignored", True),
        (TWO_MASKS, "not_causal", False),
        (PLAIN, "not_causal", False),
        (PLAIN, "mask_lost", False),
        (OPTION, "unscaled", False),
        (LENGTHS, "mask_lost", True),
        (LENGTHS, "masks_lost", True),
        (LENGTHS, "mask_inverted", False),
        (LENGTHS, "not_causal", False),
        (LENGTHS.replace("valid_lens", "src_lengths"), "mask_ignored", True),
        (LENGTHS.replace("valid_lens", "talents"), "mask_ignored", False),
        (LENGTHS.replace("valid_lens=None", "valid_lens=None, mask=None"), "mask_ignored", False),
        (UNREAD, "mask_lost", False),
        (A_SIZE, "mask_lost", False),
        ("class Attention[T]: this is no Python", "not_causal", False),
    ],
)
def test_an_option_that_is_off_a_second_mask_and_lengths_explain_these_mistakes(
    code: str, mistake: str, is_of_call: bool
):
    definition = Definition("a.py", None, 1, code)
    alias = Definition("a.py", None, 1, "MultiHead = Attention")
    inherits = Definition("a.py", None, 1, "class MultiHead(Attention):\n    pass")
    assert is_of_a_call(f"Attention__{mistake}", [definition], masks_due=1) is is_of_call
    if code is OPTION:
        for first in (alias, inherits):
            assert is_of_a_call(f"Attention__{mistake}", [first, definition], masks_due=1) is is_of_call


@pytest.mark.parametrize(
    ("symbol", "masks"), [("Seq2Seq", 1), ("DecoderLayer", 2), ("Seq2Seq.encode", 1), ("concat_heads", 0)]
)
def test_masks_are_counted_in_the_contract(symbol: str, masks: int):
    """A model's draws may hold calls, and no mask of their own."""
    stubs = {"Seq2Seq": "seq2seq_model", "DecoderLayer": "decoder_layer"}
    name, _, method = symbol.partition(".")
    stub = locations.course().stub(stubs.get(name, name)).read_text(encoding="utf-8")
    calls = [call for call in calls_of(name, stub) if method in ("", call.name)]
    assert count_masks([argument for argument, *_ in call.arguments] for call in calls) == masks
