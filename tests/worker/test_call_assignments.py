"""Which argument each parameter is taken for, by how people write functions and forwards."""

import ast
import inspect
import itertools
from pathlib import Path

import pytest

from softmark_worker.call_assignments import NAMED, Argument, find_assignments

# An exercise, the parameters in an author's own words, and the contract's arguments by these.
SPELLINGS = """
scaled_dot_product_attention: query, key, value, mask=None -> query, key, value, mask
scaled_dot_product_attention: q, k, v, attn_mask=None, dropout_p=0.0 -> q, k, v, attn_mask
scaled_dot_product_attention: a, b, c, m=None -> a, b, c, m
scaled_dot_product_attention: x, y, z, t=None -> x, y, z, t
scaled_dot_product_attention: mask, Q, K, V -> Q, K, V, mask
scaled_dot_product_attention: requetes, cles, valeurs, masque=None -> requetes, cles, valeurs, masque
scaled_dot_product_attention: Q, K, V, scale=None, mask=None -> Q, K, V, mask
split_heads: num_heads, x -> x, num_heads
split_heads: h, n -> h, n
split_heads: x, batch_size, num_heads, d_k -> x, num_heads
count_parameters: d_model, n_heads, d_ff -> d_model, n_heads, d_ff
count_parameters: num_heads, embed_dim, ff_dim -> embed_dim, num_heads, ff_dim
count_parameters: a, b, c -> a, b, c
count_parameters: E, H, F -> E, H, F
causal_mask: batch_size, seq_len -> seq_len
gradient_by_lag: q, v -> q, v
token_classifier: sequence_output, pooled_output, labels=None, attention_mask=None -> sequence_output, labels
best_span: start, end, context_length, max_length -> start, end, max_length
learning_rate: it, lr_min, lr_max, warmup_iters, total_iters -> it, total_iters, warmup_iters, lr_max, lr_min
additive_mask: sense, mask -> mask, sense
additive_mask: m, kind='hides' -> m, kind
cross_entropy: targets, logits, ignore_index=-100 -> logits, targets, ignore_index
cross_entropy: y, z, i=-100 -> y, z, i
cross_entropy: y_pred, y_true, pad=-100 -> y_pred, y_true, pad
causal_conv1d: weight, x, bias=None -> x, weight, bias
causal_conv1d: seq, filters, offset=None, stride=1 -> seq, filters, offset
strongest_head: kind, attentions -> attentions, kind
plot_heads: tokens, attentions, layer, heads -> attentions, tokens, layer, heads
plot_heads: attn, words, l, hs -> attn, words, l, hs
from_torch: mine, theirs -> theirs, mine
from_torch: source, target -> source, target
count_model: V, d, L, f, n, t=0, tied=True -> V, d, L, f, n, t, tied
count_model: a, b, c, d, e, f=0, g=True -> a, b, c, d, e, f, g
combine_masks: pad_mask, look_ahead_mask -> look_ahead_mask, pad_mask
combine_masks: a, b -> a, b
shift_right: x, pad_token_id, decoder_start_token_id -> x, decoder_start_token_id, pad_token_id
shift_right: labels, pad_token, bos_token -> labels, bos_token, pad_token
shift_right: y, s, p -> y, s, p
corrupt_spans: ids, sentinel, spans -> ids, spans, sentinel
greedy_decode: model, src, max_len, sos, end_id, pad_id -> model, src, sos, end_id, pad_id, max_len
greedy_decode: net, x, a, b, c, n -> net, x, a, b, c, n
local_mask: window_size, n -> n, window_size
local_mask: L, half_window -> L, half_window
local_attention: window, Q, K, V -> Q, K, V, window
receptive_field: w, n_layers -> n_layers, w
attention_cost: d_model, n_heads, n -> n, d_model, n_heads
attention_cost: T, C, n_head -> T, C, n_head
lsh_buckets: x, random_rotations, n_buckets -> x, random_rotations
lsh_attention: buckets, qk, v, causal=False -> qk, v, buckets, causal
sinusoidal_positions: d_model, max_len -> max_len, d_model
sinusoidal_positions: n, d -> n, d
get_batch: data, batch_size, block_size -> data, block_size, batch_size
get_batch: dataset, batch_size, context_length, device -> dataset, context_length, batch_size
get_batch: x, B, T -> x, T, B
get_batch: tokens, seq_len, n -> tokens, seq_len, n
estimate_loss: model, iters, data, bs, block_size -> model, data, block_size, bs, iters
generate: idx, model, max_new_tokens, block_size -> model, idx, max_new_tokens, block_size
generate: model, prompt, length, context_length -> model, prompt, length, context_length
generate: model, x, n, T -> model, x, n, T
multi_head_attention: mask=None, x=None -> x, mask
multi_head_attention: x, past=None, mask=None -> x, mask
multi_head_attention: y, k=None -> y, k
multi_head_attention: x, head_mask=None, attention_mask=None -> x, attention_mask
transformer_block: x, pad_mask_self=None, mask_self=None -> x, mask_self
transformer_block: src, src_mask=None, src_key_padding_mask=None -> src, src_mask
gpt_model: idx, targets=None, attention_mask=None -> idx, attention_mask
gpt_block: sequence, encoder_output=None -> sequence, encoder_output
bert_embeddings: input_ids, position_ids=None, token_type_ids=None -> input_ids, token_type_ids
bert_model: tokens, mask=None, segments=None -> tokens, segments, mask
bert_model: x, a=None, b=None -> x, a, b
cross_attention: x, y, mask=None -> x, y, mask
cross_attention: encoder_output, decoder_input, mask=None -> decoder_input, encoder_output, mask
cross_attention: tgt, src, src_mask=None -> tgt, src, src_mask
cross_attention: x_q, x_kv, attn_mask=None -> x_q, x_kv, attn_mask
cross_attention: a, b, c=None -> a, b, c
decoder_layer: x, target, mask=None, target_mask=None -> x, target, mask, target_mask
decoder_layer: encoder_output, x, memory_mask=None, mask=None -> x, encoder_output, mask, memory_mask
decoder_layer: x, y, m1=None, m2=None -> x, y, m1, m2
seq2seq_model: tgt, src, src_mask=None -> src, tgt, src_mask
seq2seq_model: x, y, m=None -> x, y, m
minigpt_model: idx, mask=None, targets=None -> idx, targets
axial_positions: length, device=None -> length
rnn: inputs, state=None -> inputs, state
lstm_cell: token, hidden=None, memory=None -> token, hidden, memory
lstm_cell: x, c=None, h=None -> x, h, c
lstm_cell: x, h_prev, c_prev -> x, h_prev, c_prev
lstm_cell: X, H=None, C=None -> X, H, C
lstm_cell: inp, cx=None, hx=None -> inp, hx, cx
gru_cell: h, x -> x, h
gru_cell: xt, hprev=None -> xt, hprev
"""


def arguments_of(exercise):
    """The arguments of a call in the contract."""
    tree = ast.parse((Path("assignments") / f"{exercise}.py").read_text())
    node = [part for part in tree.body if isinstance(part, ast.FunctionDef | ast.ClassDef)][-1]
    if isinstance(node, ast.ClassDef):
        [node] = (part for part in node.body if isinstance(part, ast.FunctionDef) and part.name == "forward")
    given = [argument.arg for argument in node.args.args if argument.arg != "self"]
    required = len(given) - len(node.args.defaults)
    defaults = [None] * required + [ast.literal_eval(value) for value in node.args.defaults]
    return [Argument(name, at >= required, defaults[at]) for at, name in enumerate(given)]


def parameters_of(signature):
    """The parameters of a signature, as text."""
    function = eval(f"lambda {signature}: None")
    return [p for p in inspect.signature(function).parameters.values() if p.kind in NAMED]


@pytest.mark.parametrize("spelling", SPELLINGS.strip().splitlines())
def test_each_spelling_is_taken_as_its_author_means_it(spelling):
    exercise, rest = spelling.split(": ")
    signature, meant = rest.split(" -> ")
    likeliest = find_assignments(parameters_of(signature), arguments_of(exercise))[0]
    found = {name: place for name, place in likeliest.items() if place is not None}
    assert found == {name: place for place, name in enumerate(meant.split(", "))}


def ways(signature, exercise):
    """The ways in which a signature may take the contract's arguments."""
    return find_assignments(parameters_of(signature), arguments_of(exercise))


def test_names_of_the_contract_leave_nothing_open():
    assert ways("window, seq_len", "local_mask") == [{"window": 1, "seq_len": 0}]
    assert ways("K, Q, V, mask=None", "scaled_dot_product_attention") == [{"K": 1, "Q": 0, "V": 2, "mask": 3}]


def test_a_configuration_and_a_device_are_none_of_the_arguments_that_are_left():
    assert ways("model, source, *, config=None, device=None", "greedy_decode")[0] == {"model": 0, "source": 1}
    taken = ways("model, src, args, max_tokens=64", "greedy_decode")[0]
    assert taken == {"model": 0, "src": 1, "args": None, "max_tokens": 5}


def test_a_threshold_of_probability_is_that_of_the_likeliest_ids():
    assert ways("logits, thres=0.9", "adjust_logits")[0] == {"logits": 0, "thres": 3}


def test_a_temperature_is_no_length():
    [taken] = ways("model, idx, max_new_tokens, temperature=1.0, top_k=None", "generate")[:1]
    assert taken == {"model": 0, "idx": 1, "max_new_tokens": 2}


def test_where_names_say_nothing_every_order_is_tried_and_that_of_the_contract_first():
    found = [list(way.values()) for way in ways("a, b, c", "count_parameters")]
    assert found[0] == [0, 1, 2]
    assert sorted(found) == [list(order) for order in itertools.permutations(range(3))]


def test_names_that_mislead_leave_the_place_as_the_second_way():
    first, second, *_ = ways("y, k, mask, q=None", "scaled_dot_product_attention")
    assert first["mask"] == 3
    assert second == {"y": 0, "k": 1, "mask": 2, "q": 3}


def test_x_may_be_the_memory_where_y_is_the_target():
    def forward(x, y, y_mask=None, x_mask=None):
        return x, y, y_mask, x_mask

    arguments = [Argument("x"), Argument("memory"), Argument("mask", True), Argument("memory_mask", True)]
    ways = find_assignments([*inspect.signature(forward).parameters.values()], arguments)
    assert ways[0]["x"] == 0
    assert {"x": 1, "y": 0, "y_mask": 2, "x_mask": 3} in ways


def test_where_the_target_has_its_own_name_each_mask_goes_with_its_input():
    def forward(y, x, y_mask=None, x_mask=None):
        return y, x, y_mask, x_mask

    arguments = [Argument("x"), Argument("memory"), Argument("mask", True), Argument("memory_mask", True)]
    first, *_ = find_assignments([*inspect.signature(forward).parameters.values()], arguments)
    assert first == {"y": 1, "x": 0, "y_mask": 3, "x_mask": 2}
