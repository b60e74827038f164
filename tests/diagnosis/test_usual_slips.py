"""Slips as public code makes them have their names, and what looks like one from afar has none."""

import itertools
from dataclasses import replace

import pytest
import torch
from torch.nn import functional

from graders.candidate.local_candidate import LocalCandidate
from graders.course.reference import mistakes
from graders.diagnosis.known_mistakes import KnownMistakes
from graders.judging.draws import Draws
from tests.diagnosis.test_diagnose import EXERCISES


def named(exercise: str, symbol: object) -> list[set[str]]:
    """The explanations that are given, each as the names of its mistakes."""
    known_mistakes = Draws(1).known_mistakes(EXERCISES[exercise])
    assert known_mistakes is not None
    found = known_mistakes.identify(LocalCandidate(symbol))
    return [{mistake.name.partition("__")[2] for mistake in explanation} for explanation in found]


def padded_by(padding, dilation=1):
    def causal_conv1d(x, weight, bias=None):
        columns = functional.conv1d(
            x.transpose(1, 2), weight, bias, padding=padding(weight.shape[-1]), dilation=dilation
        )
        return columns.transpose(1, 2)

    return causal_conv1d


@pytest.mark.parametrize(
    ("padding", "name"),
    [
        (lambda taps: (taps - 1) // 2, "half_the_zeros"),
        (lambda taps: taps // 2, "half_the_taps"),
        (lambda taps: "same", "centred_later"),
    ],
)
def test_a_padding_on_both_sides_has_a_name(padding, name):
    assert named("causal_conv1d", padded_by(padding)) == [{name}]


def test_a_dilated_convolution_is_not_taken_for_one_that_is_padded_on_both_sides():
    assert named("causal_conv1d", padded_by(lambda taps: "same", dilation=2)) == []


def taken_for_probabilities(logits, targets, ignore_index=-100):
    counted = targets != ignore_index
    return -logits[counted].gather(1, targets[counted][:, None]).log().mean()


def of_next_targets(logits, targets, ignore_index=-100):
    """As a language model's loss that shifts its targets by itself."""
    return functional.cross_entropy(logits[..., :-1, :], targets[..., 1:], ignore_index=ignore_index)


def of_the_weighted_softmax(logits, targets, ignore_index=-100):
    return functional.nll_loss(logits.softmax(-1), targets, ignore_index=ignore_index)


@pytest.mark.parametrize(
    ("loss", "name"),
    [
        (taken_for_probabilities, "log_of_the_logits"),
        (of_next_targets, "shifts_the_targets"),
        (of_the_weighted_softmax, "without_logarithm"),
    ],
)
def test_a_loss_that_misses_a_step_has_a_name(loss, name):
    assert named("cross_entropy", loss) == [{name}]


def test_a_loss_that_is_never_a_number_is_not_said_to_be_the_logits_logarithm():
    assert (
        named("cross_entropy", lambda logits, targets, ignore_index=-100: -(logits * torch.nan).mean()) == []
    )


def continued_by_one_number(model, idx, max_new_tokens, block_size):
    for _ in range(max_new_tokens):
        answer = model(idx[:, -block_size:])
        logits = answer[0] if isinstance(answer, tuple) else answer
        new = torch.multinomial(logits[:, -1].softmax(-1), 1).item()
        idx = torch.cat([idx, torch.tensor([[new]])], dim=1)
    return idx


def test_code_that_continues_one_sequence_alone_is_told_so():
    assert named("generate", continued_by_one_number) == [{"one_sequence_alone"}]


def decoded_in_one_row(model, src, start_id, stop_id, pad_id, max_len):
    memory, written = model.encode(src), torch.tensor([[start_id]])
    for _ in range(max_len):
        new = model.decode(written, memory)[:, -1].argmax(-1)[0]
        written = torch.cat([written, new.view(1, 1)], dim=1)
        if new == stop_id:
            break
    return written


def test_code_that_decodes_one_source_alone_is_told_so():
    assert named("greedy_decode", decoded_in_one_row) == [{"one_source_alone"}]


def test_code_that_continues_no_sequence_is_not_said_to_continue_one():
    def generate(model, idx, max_new_tokens, block_size):
        raise RuntimeError("a Tensor with several elements cannot be converted to Scalar")

    assert named("generate", generate) == []


def window_of_a_decoder(seq_len, window):
    i = torch.arange(seq_len)
    return (i[:, None] >= i) & (i[:, None] - i < window)


def half_on_the_left(seq_len, window):
    i = torch.arange(seq_len)
    return ((i[:, None] - i).abs() <= window // 2) & (i <= i[:, None])


def half_of_a_slice(seq_len, window):
    seen = torch.zeros(seq_len, seq_len, dtype=torch.bool)
    for i in range(seq_len):
        seen[i, max(0, i - window // 2) : i + window // 2] = True
    return seen


@pytest.mark.parametrize(
    ("mask", "names"),
    [
        (window_of_a_decoder, {"inverted", "to_the_left", "one_less"}),
        (half_on_the_left, {"inverted", "to_the_left", "total_width"}),
        (half_of_a_slice, {"inverted", "total_width", "one_less_to_the_right"}),
    ],
)
def test_a_window_in_which_a_decoder_looks_back_has_three_names(mask, names):
    assert named("local_mask", mask) == [names]


def test_three_slips_that_are_found_are_made_again_in_the_same_order():
    known = Draws(1).known_mistakes(EXERCISES["local_mask"])
    names = [f"local_mask__{name}" for name in ("inverted", "total_width", "one_less_to_the_right")]
    assert known is not None
    [made] = known.candidates(names, list)
    assert torch.equal(made(7, 4), half_of_a_slice(7, 4))


@pytest.mark.parametrize("is_refused", [False, True])
def test_bytes_without_spaces_have_no_name_where_a_text_without_pairs_raises(is_refused):
    def bpe_encode(text, merges):
        ids = list("".join(text.split()).encode())
        if is_refused and not any(pair in merges for pair in itertools.pairwise(ids)):
            raise ValueError("min() arg is an empty sequence")
        return ids

    assert named("bpe_encode", bpe_encode) == ([] if is_refused else [{"bytes_alone", "without_spaces"}])


@pytest.mark.parametrize("name", ["MultiHead__scaled_by_n_embd", "MultiHead__scaled_by_all_heads"])
def test_of_two_mistakes_that_are_one_at_the_sizes_of_the_code_the_first_is_named(name):
    exercise = EXERCISES["list_of_heads"]
    draws = [
        replace(draw, config={**draw.config, "head_size": draw.config["n_embd"] // draw.config["num_heads"]})
        for draw in exercise.diagnostic_draws(1)
        if draw.config["n_embd"] % draw.config["num_heads"] == 0
    ]
    scaled = mistakes("list_of_heads", "MultiHead")[name]
    [[mistake]] = KnownMistakes(exercise, draws).identify(LocalCandidate(scaled))
    assert mistake.name == "MultiHead__scaled_by_n_embd"


@pytest.mark.parametrize("too_far", [0, 1, 2])
def test_the_best_end_with_a_start_that_is_too_far_is_not_only_the_end_first(too_far):
    def best_span(start_logits, end_logits, max_len):
        end = int(end_logits.argmax())
        first = max(0, end - max_len + 1 - too_far)
        return first + int(start_logits[first : end + 1].argmax()), end

    assert ({"end_first"} in named("best_span", best_span)) is (too_far == 0)


def test_of_two_functions_at_once_the_first_calls_the_other_as_where_they_were_found():
    known, x = Draws(1).known_mistakes(EXERCISES["split_heads"]), torch.arange(24.0).reshape(1, 2, 12)
    assert known is not None

    def split_heads(x, num_heads):
        return x.unflatten(-1, (num_heads, -1)).movedim(-1, 1)

    [names] = known.explain(LocalCandidate(split_heads)).alternatives
    assert len(names) == 2
    assert torch.equal(next(known.candidates(names, list))(x, 3), split_heads(x, 3))


def test_draws_on_which_code_raises_prove_no_name():
    def scaled_dot_product_attention(Q, K, V, mask=None):
        scores = Q @ K.transpose(1, 2) / Q.shape[-1] ** 0.5
        weights = scores.masked_fill(mask & False, -torch.inf).softmax(-1)
        return weights @ V, weights

    known = Draws(1).known_mistakes(EXERCISES["scaled_dot_product_attention"])
    assert known is not None
    assert known.explain(LocalCandidate(scaled_dot_product_attention)).alternatives == ()
