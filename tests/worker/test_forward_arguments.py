"""What a student's function or forward is given where its arguments are not the contract's."""

import numpy as np
import pytest
import torch
from torch import nn

from graders.candidate.check_replies import MOST_WAYS
from softmark_worker import forward_arguments
from softmark_worker.call_assignments import Argument
from softmark_worker.forward_arguments import find_ways
from softmark_worker.lent_model import LentModel

ATTENTION = [Argument("Q"), Argument("K"), Argument("V"), Argument("mask", has_default=True)]


def due(*names):
    """The contract's arguments; the first must be given, a memory too."""
    return [Argument(name, has_default=at > 0 and name != "memory") for at, name in enumerate(names)]


def module(forward):
    """A module with this forward."""
    return type("Module", (nn.Module,), {"forward": forward})()


def answer_and_pairs(forward, order, *args):
    """What a forward answers that is called with the contract's arguments, and what was taken for what."""
    made = module(forward)
    pairs = forward_arguments.adapt_forward(made, due(*order))
    return made(*args), pairs


def adapted(function, arguments, way=0):
    """The function as it is called with the contract's arguments."""
    return forward_arguments.adapt_function(function, arguments, way)[0]


@pytest.mark.parametrize(
    "function",
    [
        lambda K, Q, *rest: (Q, K, *rest),
        lambda K, Q, *rest, scale=1.0: (Q, K, *rest),
        lambda K, Q, *rest, **more: (Q, K, *rest, *more),
    ],
)
def test_names_of_the_contract_in_another_order_are_bound_before_the_rest_too(function):
    assert adapted(function, ATTENTION)(1, 2, 3) == (1, 2, 3)
    assert adapted(function, ATTENTION)(1, 2, 3, 4) == (1, 2, 3, 4)


def test_what_takes_the_contracts_order_or_other_names_before_the_rest_is_called_as_it_is():
    for function in (lambda Q, K, *rest: 1, lambda a, b, *rest: 1, lambda *rest: 1):
        assert find_ways(function, ATTENTION) == []


def test_segments_under_a_short_name_are_zero_where_they_are_left_out():
    made, ids = module(lambda self, x, seg: seg), torch.tensor([[3, 1]])
    pairs = forward_arguments.adapt_forward(made, due("input_ids", "token_type_ids"))
    assert pairs["seg (left out)"] == "0"
    assert made(ids).tolist() == [[0, 0]]
    assert made(ids, None).tolist() == [[0, 0]]
    assert made(ids, ids) is ids


def test_states_that_must_be_given_are_zero_where_they_are_left_out():
    made, x = module(lambda self, x, hidden: hidden), torch.ones(3, 5)
    pairs = forward_arguments.adapt_forward(made, due("x", "h0"), hidden=2)
    assert pairs["hidden (left out)"] == "0"
    assert made(x).tolist() == made(x, None).tolist() == [[0, 0]] * 3
    assert made(x, x) is x


def test_a_pair_of_states_that_must_be_given_is_two_of_zeros():
    made = module(lambda self, x, state: state)
    forward_arguments.adapt_forward(made, due("x", "h", "c"), hidden=2)
    assert [part.tolist() for part in made(torch.ones(1, 5))] == [[[0, 0]], [[0, 0]]]


def test_a_state_with_a_default_keeps_it():
    made = module(lambda self, x, h=None: h)
    assert forward_arguments.adapt_forward(made, due("x", "h"), hidden=2) == {}
    assert made(torch.ones(1, 5)) is None


def test_a_cache_is_no_mask():
    forward = lambda self, x, layer_past=None, mask=None: (layer_past, mask)  # noqa: E731
    assert answer_and_pairs(forward, ["x", "mask"], 1, 2)[0] == (None, 2)


def test_what_the_contract_does_not_have_is_no_role():
    for name in ("y", "target", "past", "z", "k"):
        function = eval(f"lambda self, x, {name}, mask=None: (x, {name}, mask)")
        assert answer_and_pairs(function, ["x", "memory", "mask"], 1, 2, 3)[0] == (1, 2, 3)
        assert answer_and_pairs(function, ["x", "memory", "mask"], 1, 2)[0] == (1, 2, None)


def test_of_two_masks_each_goes_where_its_name_says():
    def forward(self, x, enc_out, src_mask=None, tgt_mask=None):
        return enc_out, src_mask, tgt_mask

    order = ["x", "memory", "mask", "memory_mask"]
    assert answer_and_pairs(forward, order, 1, 2, 3, 4)[0] == (2, 4, 3)
    assert answer_and_pairs(forward, order, 1, 2, 3)[0] == (2, None, 3)


def test_keys_and_values_are_the_memory_where_there_is_one_and_the_input_elsewhere():
    def forward(self, query, key, value, mask=None):
        return query, key, value, mask

    assert answer_and_pairs(forward, ["x", "memory", "mask"], 1, 2, 3)[0] == (1, 2, 2, 3)
    answer, pairs = answer_and_pairs(forward, ["x", "mask"], 1, 3)
    assert answer == (1, 1, 1, 3)
    assert pairs == {"query": "x", "key": "x", "value": "x"}


def test_data_of_training_and_of_validation_are_both_the_data():
    order = [Argument(name) for name in ("model", "data", "block_size", "batch_size")]
    function = adapted(lambda model, train_data, val_data, bs, block_size: (train_data, val_data, bs), order)
    assert function(1, 2, 3, 4) == (2, 2, 4)


def test_the_input_beside_the_output_is_the_memory_and_so_are_their_masks():
    def forward(self, input_states, input_mask, output_states, output_mask):
        return input_states, input_mask, output_states, output_mask

    order = ["x", "memory", "mask", "memory_mask"]
    assert answer_and_pairs(forward, order, 1, 2, 3, 4)[0] == (2, 4, 1, 3)
    assert answer_and_pairs(lambda self, dec_input, enc_output: (dec_input, enc_output), order[:2], 1, 2)[
        0
    ] == (1, 2)


def test_queries_and_a_memory_are_both_the_input_where_the_contract_has_that_alone():
    assert answer_and_pairs(lambda self, q, kv: (q, kv), ["x", "mask"], 1, None)[0] == (1, 1)


def test_keys_and_values_are_the_input_where_it_is_the_contracts_only_argument():
    def forward(self, query, key, value, mask=None):
        return query, key, value, mask

    assert answer_and_pairs(forward, ["x"], 1)[0] == (1, 1, 1, None)


def test_keys_and_values_beside_the_input_are_the_memory():
    def forward(self, x, value, key, src_mask, trg_mask):
        return x, value, key, src_mask, trg_mask

    order = ["x", "memory", "mask", "memory_mask"]
    assert answer_and_pairs(forward, order, 1, 2, 3, 4)[0] == (1, 2, 2, 4, 3)


def test_lengths_of_a_memory_are_none_and_a_mask_of_padding_is_not_that_of_the_attention():
    def forward(self, targets, enc_output, enc_lengths, dec_enc_attn_mask, pad_mask, slf_attn_mask):
        return targets, enc_output, enc_lengths, dec_enc_attn_mask, pad_mask, slf_attn_mask

    order = ["x", "memory", "mask", "memory_mask"]
    assert answer_and_pairs(forward, order, 1, 2, 3, 4)[0] == (1, 2, None, 4, None, 3)


def test_queries_keys_and_values_may_stand_in_any_order_and_the_mask_has_any_name():
    def forward(self, values, keys, query, attn_mask):
        return values, keys, query, attn_mask

    assert answer_and_pairs(forward, ["x", "mask"], 1)[0] == (1, 1, 1, None)
    assert answer_and_pairs(forward, ["x", "mask"], 1, 2)[0] == (1, 1, 1, 2)


def test_optional_keys_keep_their_default_and_the_mask_finds_its_place():
    def forward(self, query, key=None, value=None, mask=None):
        return query, key, value, mask

    assert answer_and_pairs(forward, ["x", "mask"], 1, 2)[0] == (1, None, None, 2)


def test_an_option_is_no_mask():
    forward = lambda self, x, output_attentions=False: output_attentions  # noqa: E731
    assert answer_and_pairs(forward, ["x", "mask"], 1, 2)[0] is False


def test_a_forward_without_a_mask_is_called_without_it():
    assert answer_and_pairs(lambda self, x: x, ["x", "mask"], 1, 2) == (1, {"mask": ""})


def test_segments_that_must_be_given_are_zero_where_the_contract_leaves_them_out():
    def forward(self, input_ids, segment_ids):
        return segment_ids

    ids, order = torch.tensor([[3, 1]]), ["input_ids", "token_type_ids"]
    assert answer_and_pairs(forward, order, ids)[0].tolist() == [[0, 0]]
    assert answer_and_pairs(forward, order, ids, ids)[0] is ids


def test_a_context_is_x_too_where_there_is_a_mask_alone():
    assert answer_and_pairs(lambda self, x, context: (x, context), ["x", "mask"], 1)[0] == (1, 1)


def test_arguments_in_another_order_are_passed_by_their_names():
    def forward(self, input_ids, attention_mask=None, token_type_ids=None):
        return input_ids, attention_mask, token_type_ids

    order = ["input_ids", "token_type_ids", "attention_mask"]
    assert answer_and_pairs(forward, order, 1, 2, 3) == ((1, 3, 2), {})
    assert answer_and_pairs(forward, order, 1, None, 3)[0] == (1, 3, None)


def test_the_first_argument_may_stand_behind_others():
    forward = lambda self, mask=None, x=None: (x, mask)  # noqa: E731
    assert answer_and_pairs(forward, ["x", "mask"], 1, 2)[0] == (1, 2)
    assert answer_and_pairs(forward, ["x", "mask"], 1)[0] == (1, None)


def test_a_forward_as_the_contract_says_is_left_as_it_is():
    made = module(lambda self, x, attn_mask=None: x)
    assert forward_arguments.adapt_forward(made, due("x", "mask")) == {}
    assert "forward" not in vars(made)


def test_any_kind_of_argument_gets_its_value():
    def by_place(q, k, v, mask=None, /):
        return q, k, v, mask

    def by_name(*, Q, K, V, mask=None):
        return Q, K, V, mask

    def mixed(Q, K, V, **options):
        return Q, K, V, options.get("mask")

    def all_of_them(*given):
        return given

    for function in (by_place, by_name, mixed, all_of_them):
        assert adapted(function, ATTENTION)(1, 2, 3, 4) == (1, 2, 3, 4)
    assert adapted(by_name, ATTENTION)(1, 2, 3) == (1, 2, 3, None)


def test_what_is_left_out_but_must_be_given_has_the_contracts_default():
    sense = [Argument("mask"), Argument("sense", has_default=True, default="hides")]
    assert adapted(lambda attention_mask, convention: (attention_mask, convention), sense)(1) == (1, "hides")


def test_a_function_may_ask_for_the_width_of_a_head_and_for_dropout():
    def attention(q, k, v, d_k, mask=None, dropout=None):
        return q, k, v, d_k, mask, dropout

    def with_dropout_first(query, key, value, dropout, attn_mask):
        return query, key, value, dropout, attn_mask

    q = torch.zeros(2, 6)
    assert adapted(attention, ATTENTION)(q, 1, 2) == (q, 1, 2, 6, None, None)
    assert adapted(attention, ATTENTION)(q, 1, 2, 3) == (q, 1, 2, 6, 3, None)
    *others, dropout, mask = adapted(with_dropout_first, ATTENTION)(q, 1, 2, 3)
    assert (*others, mask) == (q, 1, 2, 3)
    assert dropout == 0
    assert dropout(q) is q  # a rate for some, a layer for others


def test_a_function_may_ask_for_sizes_that_its_input_has():
    def concat(x, batch_size, seq_len, embed_dim):
        return batch_size, seq_len, embed_dim

    def split(x, num_heads, head_dim):
        return num_heads, head_dim

    assert adapted(concat, [Argument("x")])(torch.zeros(2, 3, 5, 4)) == (2, 5, 12)
    assert adapted(split, [Argument("x"), Argument("num_heads")])(torch.zeros(2, 5, 12), 3) == (3, 4)


def test_a_function_with_the_contracts_arguments_is_left_as_it_is():
    def attention(q, k, v, mask=None, dropout=None):
        return q

    assert adapted(attention, ATTENTION) is attention


BATCH = [Argument("data"), Argument("block_size"), Argument("batch_size")]
train_data, block_size, batch_size = [1, 2], 3, 4


def get_batch(split):
    return split, _cut()


def _cut():
    return train_data, block_size, batch_size


def test_a_function_that_reads_global_variables_finds_the_arguments_there():
    called, taken = forward_arguments.adapt_function(get_batch, BATCH)
    assert called([7], 8, 9) == ("train", ([7], 8, 9))
    assert taken["train_data (global)"] == "data"
    assert taken["split"] == "'train'"


def test_what_nothing_is_due_to_is_told_with_both_signatures():
    def concat(x, mystery):
        return x + mystery

    with pytest.raises(TypeError) as raised:
        adapted(concat, [Argument("x")])(torch.zeros(2))
    assert raised.value.args[0] == {
        "says": "cannot_call",
        "symbol": concat.__qualname__,
        "found": "x, mystery",
        "wanted": "x",
    }


def test_an_error_of_the_code_itself_stays_its_own():
    def split(tensor, n_heads):
        raise TypeError("mine")

    with pytest.raises(TypeError, match="mine"):
        adapted(split, [Argument("x"), Argument("num_heads")])(1, 2)


def test_a_forward_of_keywords_gets_the_contracts_names():
    def forward(self, **kwargs):
        return kwargs

    answer, _ = answer_and_pairs(forward, ["input_ids", "token_type_ids"], 1, 2)
    assert answer == {"input_ids": 1, "token_type_ids": 2}


def test_a_function_may_take_and_give_arrays_of_numpy():
    def takes(dataset, batch_size):
        return torch.from_numpy(dataset[:batch_size].astype(np.int64))

    def gives(seq_len):
        return np.ones(seq_len)

    assert adapted(takes, due("data", "batch_size"), 1)(torch.tensor([1, 2, 3]), 2).tolist() == [1, 2]
    assert adapted(gives, due("seq_len"), 1)(2).dtype == torch.float32


def test_a_function_of_arrays_alone_answers_in_the_precision_of_what_it_is_given():
    def halves(x, mask):
        assert type(x) is np.ndarray
        return x / np.sqrt(4), np.asarray(mask)

    order = [Argument("x"), Argument("mask")]
    numbers = {way.kind: number for number, way in enumerate(find_ways(halves, order))}
    function, taken = forward_arguments.adapt_function(halves, order, numbers["numpy"])
    half, mask = function(torch.ones(2), torch.tensor([True, False]))
    assert (half.dtype, half.tolist()) == (torch.float32, [0.5, 0.5])
    assert mask.tolist() == [True, False]
    assert function(torch.ones(2).double(), torch.ones(2))[0].dtype == torch.float64
    assert taken["answer"] == "torch.from_numpy(answer)"


def of_numpy(rows):
    return np.ones(rows)


class Table:
    def rows(self, count):
        return np.ones(count)


def of_torch(rows):
    return torch.ones(rows)


def test_a_helper_tells_that_a_function_answers_with_an_array():
    order = [Argument("seq_len")]
    for makes_an_array in (lambda seq_len: of_numpy(seq_len), lambda seq_len: Table().rows(seq_len)):
        assert "answer" in [way.kind for way in find_ways(makes_an_array, order)]
    assert "answer" not in [way.kind for way in find_ways(lambda seq_len: of_torch(seq_len), order)]


def test_a_function_may_ask_for_a_tensor_where_a_length_is_due():
    def mask(x):
        return torch.ones(x.shape[1], x.size(-1))

    assert adapted(mask, due("seq_len"), 1)(3).shape == (3, 3)
    assert forward_arguments.adapt_function(mask, due("seq_len"), 1)[1] == {"x": "torch.zeros(1, seq_len)"}


@pytest.mark.parametrize(
    "function", [lambda seq, pad_idx: seq == pad_idx, lambda x, pad_idx=None: x == pad_idx]
)
def test_the_id_of_padding_is_0(function):
    called, taken = forward_arguments.adapt_function(function, due("attention_mask"))
    assert called(torch.tensor([[1, 0]])).tolist() == [[False, True]]
    assert taken["pad_idx"] == "0"


def test_rotations_that_must_be_given_turn_nothing_and_positions_begin_at_0():
    def forward(self, x, start_pos, freqs_cis, cos, sin, position_ids, mask):
        return start_pos, freqs_cis, cos, sin, position_ids, mask

    made, x = module(forward), torch.zeros(2, 3, 8)
    made.head_dim = 4
    forward_arguments.adapt_forward(made, due("hidden_states", "attention_mask"))
    start, rotations, cos, sin, positions, mask = made(x, "a mask")
    assert (start, mask) == (0, "a mask")
    assert torch.equal(rotations, torch.ones(3, 2, dtype=torch.complex64))
    assert torch.equal(cos, torch.ones(3, 4))
    assert torch.equal(sin, torch.zeros(3, 4))
    assert positions.tolist() == [[0, 1, 2]] * 2


def test_an_input_before_queries_and_keys_is_the_input():
    forward = lambda self, x, q, k, causalMask: (x, q, k, causalMask)  # noqa: E731
    assert answer_and_pairs(forward, ["hidden_states", "attention_mask"], 1, 2)[0] == (1, 1, 1, 2)


def test_positions_are_one_row_for_each_sequence_or_one_row_in_a_further_way():
    def forward(self, ids, position_ids):
        return position_ids

    ids = torch.tensor([[3, 1], [2, 2]])
    made = [module(forward) for _ in range(2)]
    for way, each in enumerate(made):
        forward_arguments.adapt_forward(each, due("input_ids"), way)
    assert [each(ids).tolist() for each in made] == [[[0, 1], [0, 1]], [0, 1]]


def test_positions_are_left_out_where_the_code_makes_them_itself():
    def forward(self, ids, position_ids):
        if position_ids is None:
            return "its own"
        return position_ids

    answer, pairs = answer_and_pairs(forward, ["input_ids"], torch.tensor([[3, 1]]))
    assert (answer, pairs["position_ids"]) == ("its own", "None")


def test_a_configuration_that_must_be_given_is_told_with_both_signatures():
    called = adapted(lambda model, src, cfg: cfg.max_len, due("model", "src"))
    with pytest.raises(TypeError, match="cannot_call"):
        called(1, torch.tensor([[3]]))


def test_a_length_that_is_read_of_a_lent_model_is_that_of_the_call():
    def generate(model, idx, temperature=1.0):
        return idx[:, -model.config.block_size :] / temperature

    lent = LentModel(0, lambda *_: [True, None])
    called, taken = forward_arguments.adapt_function(
        generate, [Argument(name) for name in ("model", "idx", "block_size")]
    )
    assert called(lent, torch.tensor([[1, 2, 3]]), 2).tolist() == [[2, 3]]
    assert called(lent, torch.tensor([[1, 2, 3]]), 1).tolist() == [[3]]
    assert taken["model.config.block_size (model)"] == "block_size"


def test_an_answer_that_may_be_an_array_is_tried_before_unlikely_orders_of_arguments():
    def shift(input_ids, pad_token_id, decoder_start_token_id):
        return np.where(input_ids == decoder_start_token_id, pad_token_id, input_ids)

    ways = find_ways(shift, [Argument(name) for name in ("labels", "start_id", "pad_id")])
    assert len(ways) > MOST_WAYS
    assert "answer" in [way.kind for way in ways[:MOST_WAYS]]


def test_rows_are_given_as_a_batch_of_them_to_a_loss_that_unpacks_three_sizes():
    def loss(logits, targets):
        batch, length, vocabulary = logits.shape
        return nn.functional.cross_entropy(logits.view(batch * length, vocabulary), targets.view(-1))

    order = [Argument("logits"), Argument("targets"), Argument("ignore_index", has_default=True)]
    numbers = {way.kind: number for number, way in enumerate(find_ways(loss, order))}
    function, taken = forward_arguments.adapt_function(loss, order, numbers["batch"])
    logits, targets = torch.randn(5, 3), torch.tensor([0, 1, 2, 0, 1])
    assert torch.equal(function(logits, targets), nn.functional.cross_entropy(logits, targets))
    assert taken["logits"] == "logits[None]"


def mean_loss():
    return model(data_of_a_split("train")) * eval_iters  # noqa: F821 (global variables of a student's)


def data_of_a_split(split):
    return train_data if split == "train" else val_data  # noqa: F821


def test_a_function_without_arguments_reads_them_all_from_global_variables():
    order = [Argument(name) for name in ("model", "data", "eval_iters")]
    function, taken = forward_arguments.adapt_function(mean_loss, order)
    assert function(lambda data: data + 1, 4, 10) == 50
    assert taken == {"train_data (global)": "data", "val_data (global)": "data"} | {
        f"{name} (global)": name for name in ("model", "eval_iters")
    }


def test_a_function_without_arguments_that_reads_nothing_is_called_as_it_is():
    assert find_ways(lambda: 0, [Argument("model")]) == []


STEP = [*(Argument(name) for name in ("p", "g", "m", "v", "t", "lr")), Argument("betas", True, (0.9, 0.999))]


def test_a_pair_of_the_contract_may_be_two_arguments():
    def step(param, grad, m, v, t, lr=0.1, beta_1=0.8, beta_2=0.99):
        return param, grad, m, v, t, lr, beta_1, beta_2

    function, _ = forward_arguments.adapt_function(step, STEP)
    assert function(1, 2, 3, 4, 5, 6, (0.5, 0.7)) == (1, 2, 3, 4, 5, 6, 0.5, 0.7)
    assert function(1, 2, 3, 4, 5, 6) == (1, 2, 3, 4, 5, 6, 0.8, 0.99)


def test_a_gradient_is_known_by_its_name_where_a_step_has_no_number():
    def step(w, m, v, grad, lr=0.1, beta1=0.9, beta2=0.999):
        return w, m, v, grad, lr, beta1, beta2

    function, taken = forward_arguments.adapt_function(step, STEP)
    assert function(1, 2, 3, 4, 5, 6, (0.5, 0.7)) == (1, 3, 4, 2, 6, 0.5, 0.7)
    assert taken["t"] == ""


def test_several_arrays_are_an_answer_of_another_kind_too():
    def halves(x):
        x = np.asarray(x)
        return x / 2, x.sum()

    numbers = {way.kind: number for number, way in enumerate(find_ways(halves, [Argument("x")]))}
    function, _ = forward_arguments.adapt_function(halves, [Argument("x")], numbers["answer"])
    half, total = function(torch.ones(3))
    assert half.tolist() == [0.5, 0.5, 0.5]
    assert total.item() == 3
    assert {half.dtype, total.dtype} == {torch.float32}
