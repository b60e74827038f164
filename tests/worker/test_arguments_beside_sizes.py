"""Constructors of students get what is no size too: an epsilon, the place of a norm, a single head."""

import pytest

from softmark_worker import bind_arguments

NORM = {"dim": 6, "eps": 0.1}
HEADS = {"num_heads": 3, "head_size": 4, "n_embd": 12, "block_size": 5}
WRAPPED = {"layer": "a layer", "dim": 6, "dropout": 0.5, "pre": False}


def bound(function, given, name=""):
    """What a constructor gets, by its own names."""
    made, _ = bind_arguments.construct(function, [], dict(given), list(given), {}, name)
    return made


def test_a_small_default_says_that_an_argument_is_the_epsilon():
    assert bound(lambda n_state, e=1e-5: (n_state, e), NORM) == (6, 0.1)


def test_a_rate_of_dropout_is_no_epsilon():
    assert bound(lambda size, drop=0.1, tiny=1e-6: (size, drop, tiny), NORM) == (6, 0.1, 0.1)


def test_beside_a_configuration_a_default_gives_way_to_what_the_contract_gives():
    assert bound(lambda cfg, variance_epsilon=1e-12: (cfg.dim, variance_epsilon), NORM) == (6, 0.1)


def test_beside_a_configuration_other_defaults_stay():
    assert bound(lambda config, layer_idx=7: (config.hidden_size, layer_idx), NORM) == (6, 7)


def test_the_place_of_a_norm_may_have_another_name_or_none():
    assert bound(lambda fn, dim, normalize_before=True: (fn, dim, normalize_before), WRAPPED)[2] is False
    assert bound(lambda fn, dim, dropout=0.0: (fn, dim, dropout), WRAPPED) == ("a layer", 6, 0.5)


def test_the_width_of_a_head_may_follow_from_the_models():
    assert bound(lambda embed_dim, num_heads, max_len: (embed_dim, num_heads, max_len), HEADS) == (12, 3, 5)


def test_the_width_of_the_only_head_may_not_be_missing():
    with pytest.raises(TypeError):
        bound(
            lambda n_embd, block_size: (n_embd, block_size), {"head_size": 4, "n_embd": 12, "block_size": 5}
        )


def test_where_the_contract_has_no_heads_a_configuration_has_one():
    assert bound(lambda config: config.hidden_dim // config.n_head, {"embed_dim": 12}) == 12


@pytest.mark.parametrize(
    ("name", "has_bias"), [("MultiHead", False), ("Head", False), ("SelfAttention", True)]
)
def test_an_option_for_biases_is_as_the_contract_says(name, has_bias):
    assert bound(lambda config: config["qkv_bias"], {"n_embd": 12}, name) is has_bias


BLOCK = {"embed_dim": 12, "num_heads": 3, "ff_dim": 20}


def test_sizes_of_an_encoder_are_the_models():
    def read(args):
        return args.encoder_embed_dim, args.encoder_attention_heads, args.encoder_ffn_embed_dim

    assert bound(read, BLOCK) == (12, 3, 20)
    beside = {"embed_dim": 12, "num_heads": 3, "kv_dim": 7}
    assert bound(lambda embed_dim, num_heads, encoder_dim: (embed_dim, encoder_dim), beside) == (12, 7)


def test_a_multiple_a_base_and_a_number_of_sequences_are_no_size_of_the_contract():
    assert bound(lambda config: (config.n_embd, config.n_head, config.multiple_of), BLOCK) == (12, 3, 1)
    made = bound(lambda d_model, num_heads, d_ff, max_seq_len, theta: (d_model, d_ff, theta), BLOCK)
    assert made == (12, 20, 10_000.0)
    assert bound(lambda config: (config.dim, config.max_batch_size), BLOCK)[1] > 129  # sequences of a draw


@pytest.mark.parametrize(
    ("name", "before"), [("DecoderLayer", True), ("MiniGPT", True), ("GPTBlock", False), ("BertLayer", False)]
)
def test_a_norm_stands_where_the_contract_has_it(name, before):
    assert bound(lambda args: args.encoder_normalize_before, BLOCK, name) is before


def test_a_factor_of_the_inner_width_makes_the_one_that_is_due_or_stands_beside_it():
    due = {"dim": 12, "hidden_dim": 20}

    def from_the_width(dim, multiple_of=256, ffn_dim_multiplier=None):
        hidden = int(ffn_dim_multiplier * int(2 * 4 * dim / 3))
        return multiple_of * ((hidden + multiple_of - 1) // multiple_of)

    assert bound(from_the_width, due) == 20

    def beside(dim, hidden_dim, multiple_of, ffn_dim_multiplier):
        return dim, hidden_dim, multiple_of, ffn_dim_multiplier

    assert bound(beside, due) == (12, 20, 1, None)
    assert bind_arguments.count_assignments(beside, due, list(due), {}, "SwiGLU") == 1


def test_where_the_contract_has_no_classes_there_are_two():
    assert bound(lambda config: (config.hidden_size, config.num_labels), {"hidden_size": 6}) == (6, 2)
    due = {"hidden_size": 6, "num_labels": 3}
    assert bound(lambda n_classes, hidden_dim: (n_classes, hidden_dim), due) == (3, 6)
