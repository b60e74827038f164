"""Constructors and forwards of students are called by what their arguments mean."""

import dis

import pytest
import torch
from torch import nn

from softmark_worker import argument_roles as roles
from softmark_worker import bind_arguments, contract_values, forward_arguments

HEADS = {"embed_dim": 12, "num_heads": 3}
BLOCK = {"embed_dim": 12, "num_heads": 3, "ff_dim": 20}
BLOCK_NAMES = ["embed_dim", "num_heads", "ff_dim", "dropout"]
GPT = {"vocab_size": 7, "block_size": 5, "n_embd": 12, "n_head": 3, "n_layer": 2}


def bound(function, given, order=()):
    """What a constructor gets, by its own names; its signature is the function's."""
    made, _ = bind_arguments.construct(function, [], dict(given), list(order) or list(given))
    return made


@pytest.mark.parametrize(
    ("meaning", "names"),
    {
        "width": "embed_dim d_model n_embd hidden dim emb_size d_in d_out embed_size num_hiddens width "
        "input_dim dModel model_dim hidden_size key_size dim_model n_embed in_features",
        "heads": "num_heads n_heads h n_head nhead heads num_attention_heads numHeads attn_heads H",
        "head_width": "d_k d_v k_dim v_dim d_query d_key d_value head_dim head_size dim_head d_head "
        "attention_head_size",
        "feed_forward": "ff_dim d_ff dim_feedforward intermediate_size mlp_dim ffn_num_hiddens d_inner "
        "feed_forward_hidden dff ffn_dim n_inner pf_dim",
        "vocabulary": "vocab_size n_vocab ntoken num_tokens src_vocab_size num_embeddings",
        "dropout": "dropout drop_prob p attn_pdrop drop_rate hidden_dropout_prob emb_dropout dropout_rate "
        "pd p_d",
        "length": "max_len block_size context_length n_positions max_position_embeddings seq_len n_ctx "
        "max_positional_embeddings sentence_size bptt",
        "layers": "num_layers n_layer depth N num_blocks num_hidden_layers n_layers num_encoder_layers",
        "types": "type_vocab_size n_segments num_token_types",
        "bias": "bias qkv_bias",
        "flag": "log_attention_weights vis return_attention verbose",
    }.items(),
)
def test_a_name_means_what_its_words_say(meaning, names):
    hidden = {"hidden"} if meaning == "width" else set()
    assert {
        name: roles.role_of(name) for name in names.split() if roles.role_of(name) not in {meaning, *hidden}
    } == {}


def test_the_contracts_own_names_are_called_as_they_are():
    made, pairs = bind_arguments.construct(
        lambda embed_dim, num_heads: (embed_dim, num_heads), [], HEADS, [*HEADS]
    )
    assert (made, pairs) == ((12, 3), {})


def test_other_names_are_bound_by_what_they_mean_in_any_order():
    made, pairs = bind_arguments.construct(lambda h, d_model: (d_model, h), [], HEADS, [*HEADS])
    assert made == (12, 3)
    assert pairs == {"h": "num_heads", "d_model": "embed_dim"}


def test_a_name_without_a_meaning_is_bound_by_its_place_and_not_by_another_without_one():
    given, order = {"layer": "a layer", "dim": 12, "pre": False}, ["layer", "dim", "dropout", "pre"]
    made = bound(lambda sublayer, size, dropout=0.0, pre=True: (sublayer, size, dropout, pre), given, order)
    assert made == ("a layer", 12, 0.0, False)


def test_a_parameter_with_a_default_gets_the_contracts_value_if_it_means_one():
    assert bound(lambda dim, heads=8, groups=4: (dim, heads, groups), HEADS) == (12, 3, 4)


def test_d_in_and_d_out_are_both_the_width_and_what_is_missing_is_filled_in():
    def constructor(d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        return d_in, d_out, context_length >= 130, dropout, num_heads, qkv_bias

    assert bound(constructor, HEADS) == (12, 12, True, 0.1, 3, False)


def test_widths_of_a_head_follow_from_the_width_and_the_heads():
    assert bound(lambda n_head, d_model, d_k, d_v: (n_head, d_model, d_k, d_v), HEADS) == (3, 12, 4, 4)


def test_where_the_contract_has_one_head_it_is_as_wide_as_the_model():
    assert bound(lambda d_model, d_k, d_v, drop_prob: (d_model, d_k, d_v), {"embed_dim": 12}) == (12,) * 3


def test_a_flag_that_the_contract_does_not_have_is_tried_off_then_on():
    def attention(d_model, h, loud: bool):
        return loud

    count = bind_arguments.count_assignments(attention, HEADS, [*HEADS])
    tried = [bind_arguments.construct(attention, [], HEADS, [*HEADS], number=n)[0] for n in range(count)]
    assert tried[0] is False and True in tried


def test_a_flag_that_must_be_given_is_on_where_it_speaks_of_what_attention_does():
    def attention(d_model, h, use_dot_product: bool, scaled: bool, alibi: bool):
        return use_dot_product, scaled, alibi

    assert bound(attention, HEADS) == (True, True, False)


@pytest.mark.parametrize(("name", "is_on"), [("SimpleGPTAttention", True), ("MultiHeadAttention", False)])
def test_a_flag_about_a_mask_is_on_where_the_contract_looks_back_alone(name, is_on):
    def attention(d_model, h, mask_back: bool):
        return mask_back

    assert bind_arguments.construct(attention, [], HEADS, [*HEADS], name=name)[0] is is_on


def test_a_number_as_the_default_width_of_a_head_gives_way_to_the_width_over_the_heads():
    assert bound(lambda dim, heads=8, dim_head=64: (dim, heads, dim_head), HEADS) == (12, 3, 4)
    assert bound(lambda dim, heads=8, dim_head=None: (dim, heads, dim_head), HEADS) == (12, 3, None)


def test_hidden_is_the_width_of_the_feed_forward_network_beside_another_width():
    both = {"embed_dim": 12, "ff_dim": 20}
    assert bound(lambda dim, hidden_dim: (dim, hidden_dim), both) == (12, 20)
    assert bound(lambda hidden_size, d_ff: (hidden_size, d_ff), both) == (12, 20)
    assert bound(lambda ffn_num_hiddens, ffn_num_outputs: (ffn_num_outputs, ffn_num_hiddens), both) == (
        12,
        20,
    )


def test_hidden_is_the_width_beside_the_width_of_the_feed_forward_network():
    assert bound(lambda hid_dim, pf_dim, dropout: (hid_dim, pf_dim), {"embed_dim": 12, "ff_dim": 20}) == (
        12,
        20,
    )


def test_the_width_of_a_head_tells_the_number_of_heads():
    assert bound(lambda d_model, d_head: (d_model, d_head), HEADS) == (12, 4)


def test_a_ratio_gives_the_width_of_the_feed_forward_network():
    def constructor(embed_size, heads, dropout, forward_expansion):
        return heads, dropout, forward_expansion * embed_size, type(forward_expansion * embed_size)

    assert bound(constructor, BLOCK, BLOCK_NAMES) == (3, 0.0, 20, int)


def test_names_without_a_meaning_are_bound_by_their_place_in_the_contract():
    given = {"ff_dim": 20, "num_heads": 3, "embed_dim": 12}
    assert bound(lambda a, b, w: (a, b, w), given, BLOCK_NAMES) == (12, 3, 20)


def test_what_no_name_takes_goes_by_name_beside_one_that_is_left_out_and_else_by_place():
    given = {"embed_dim": 12, "ff_dim": 20, "dropout": 0.5}
    left_out = bound(lambda embed_dim=1, num_heads=4, *others, **more: (others, more), given, BLOCK_NAMES)
    assert left_out == ((), {"ff_dim": 20, "dropout": 0.5})
    by_place = bound(
        lambda embed_dim=1, num_heads=4, *others: (embed_dim, num_heads, others), given, BLOCK_NAMES
    )
    assert by_place == (12, 4, (20, 0.5))


@pytest.mark.parametrize("name", ["config", "cfg", "args"])
def test_a_configuration_answers_to_the_names_that_are_read_of_it(name):
    code = f"""def constructor({name}):
        return ({name}.n_embd, {name}.n_head, {name}.dropout, {name}.bias, {name}["emb_dim"],
                {name}.get("nothing", 5), getattr({name}, "flash", None), hasattr({name}, "hidden_size"))"""
    namespace: dict[str, object] = {}
    exec(code, namespace)
    made, pairs = bind_arguments.construct(namespace["constructor"], [], HEADS, [*HEADS])
    assert made == (12, 3, 0.1, True, 12, 5, None, True)
    assert pairs[f"{name}.n_embd"] == pairs[f"{name}['emb_dim']"] == "embed_dim"


def test_sizes_may_stand_beside_a_configuration():
    def attention(nx, n_ctx, config, scale=False):
        return nx, config.n_head, n_ctx >= 128, scale

    def network(n_state, config):
        return n_state, config.n_embd

    assert bound(attention, HEADS) == (12, 3, True, False)
    assert bound(network, {"embed_dim": 12, "ff_dim": 20}, ["embed_dim", "ff_dim", "dropout"]) == (20, 12)


def test_a_flag_that_the_contract_does_not_have_is_off():
    assert bound(lambda dim, heads, log_attention_weights: log_attention_weights, HEADS) is False


@pytest.mark.parametrize("read", [lambda config: config.colour + 1, lambda config: config["colour"] + 1])
def test_what_a_configuration_lacks_is_named(read):
    with pytest.raises((AttributeError, KeyError)) as raised:
        bound(read, HEADS)
    assert raised.value.args[0]["says"] == "configuration_lacks"
    assert "colour" in raised.value.args[0]["name"]


def test_an_option_of_a_configuration_that_means_nothing_here_is_none():
    def constructor(config):
        return config.n_embd, config.model_type, config["flash"]

    made, pairs = bind_arguments.construct(constructor, [], HEADS, [*HEADS])
    assert made == (12, None, None)
    assert pairs["config.model_type"] == pairs["config['flash']"] == "None"


def test_a_size_that_is_left_out_is_not_made_up():
    with pytest.raises(AttributeError) as raised:
        bind_arguments.construct(lambda config: config.n_head, [], {"embed_dim": 12}, [*HEADS])
    assert raised.value.args[0] == {"says": "configuration_leaves_out", "name": "config.n_head"}


@pytest.mark.parametrize(("order", "rate"), [(BLOCK_NAMES, 0.3), (list(HEADS), 0.1)])
def test_a_rate_that_is_left_out_is_the_contracts_default(order, rate):
    made, _ = bind_arguments.construct(lambda config: config.dropout, [], HEADS, order, {"dropout": 0.3})
    assert made == rate


def test_a_whole_model_takes_a_configuration():
    def constructor(config):
        return config.vocab_size, config.context_length, config.emb_dim, config.n_heads, config.n_layers

    assert bound(constructor, GPT) == (7, 5, 12, 3, 2)


def test_a_constructor_that_cannot_take_the_contracts_arguments_is_told_so():
    with pytest.raises(TypeError) as raised:
        bound(lambda dim, heads, colour: dim, HEADS)
    assert raised.value.args[0]["says"] in ("cannot_bind", "not_given")


@pytest.mark.parametrize(
    ("constructor", "not_taken"),
    [(lambda: 0, {"embed_dim", "num_heads", "ff_dim"}), (lambda dim: dim, {"num_heads", "ff_dim"})],
)
def test_sizes_without_an_argument_are_fixed_in_the_body_and_told(constructor, not_taken):
    _, pairs = bind_arguments.construct(constructor, [], BLOCK, BLOCK_NAMES)
    assert {name for name, source in pairs.items() if source == ""} == not_taken


def test_a_constructor_without_dropout_or_a_maximum_length_is_called_without_them():
    assert bound(lambda dim: dim, {"embed_dim": 12, "dropout": 0.5, "max_len": 9}) == 12


def test_a_default_width_of_the_feed_forward_network_gives_way_also_to_four_times_the_width():
    given = {"embed_dim": 12, "ff_dim": 48}
    assert bound(lambda dim, dim_feedforward=2048, dropout=0.1: (dim, dim_feedforward), given) == (12, 48)


def test_what_is_not_taken_is_told():
    _, pairs = bind_arguments.construct(lambda dim, heads: dim, [], BLOCK, BLOCK_NAMES)
    assert pairs == {"dim": "embed_dim", "heads": "num_heads", "ff_dim": ""}


def test_an_error_of_the_constructor_itself_stays_its_own():
    def constructor(dim, heads):
        raise TypeError("mine")

    with pytest.raises(TypeError, match="mine"):
        bound(constructor, HEADS)


@pytest.mark.parametrize("given", [{"embed_dim": 6, "num_heads": 2}, {"hidden_size": 6}])
def test_lazy_layers_get_their_sizes_by_a_first_call(given):
    layer = nn.LazyLinear(4)
    forward_arguments.materialise(layer, layer.parameters(), given)
    assert layer.weight.shape == (4, 6)


def test_lazy_layers_behind_an_embedding_get_their_sizes_from_ids():
    model = nn.Sequential(nn.Embedding(5, 3), nn.LazyLinear(4))
    forward_arguments.materialise(model, model.parameters(), {"vocab_size": 5, "n_embd": 3})
    assert model[1].weight.shape == (4, 3)
    assert model(torch.zeros(1, 2, dtype=torch.int64)).shape == (1, 2, 4)


class HeadsCalledHeadSize:
    def __init__(self, hidden_size, dropout_rate, head_size=8):
        self.att_size = att_size = hidden_size // head_size
        self.taken = hidden_size, head_size, att_size


class WidthOfAHead:
    def __init__(self, dim, head_size):
        self.n_heads = dim // head_size
        self.taken = dim, head_size, self.n_heads


def test_a_width_of_a_head_that_divides_the_width_is_a_number_of_heads():
    assert bound(HeadsCalledHeadSize, HEADS).taken == (12, 3, 4)
    assert bound(WidthOfAHead, HEADS).taken == (12, 4, 3)


@pytest.mark.parametrize(("name", "causal"), [("MultiHeadAttention", False), ("SimpleGPTModel", True)])
def test_a_flag_for_the_causal_mask_is_as_the_contract_says(name, causal):
    def construct(function):
        return bind_arguments.construct(function, [], HEADS, [*HEADS], {}, name)[0]

    assert construct(lambda emb, heads, mask: mask) is causal
    assert construct(lambda dim, heads, use_mask=False: use_mask) is causal
    assert construct(lambda config: (config.d_model, config.causal)) == (12, causal)


def test_embeddings_may_have_their_own_number_of_types_and_positions():
    given = {"vocab_size": 7, "hidden_size": 12, "max_position_embeddings": 9, "type_vocab_size": 2}
    assert bound(lambda vocab_size, embed_size, dropout=0.1: (vocab_size, embed_size), given) == (7, 12)


def test_sizes_may_lie_in_groups_of_a_configuration():
    def constructor(config):
        inner = config.transformer["mlp_dim"] if config.transformer["gated"] else config.transformer.num_heads
        return config.hidden_size, inner

    assert bound(constructor, HEADS) == (12, 3)


def test_an_option_without_which_the_code_raises_is_the_first_text_that_it_is_compared_with():
    def network(config):
        if config.mlp_type == "plain":
            return config.n_embd
        raise ValueError(config.mlp_type)

    made, pairs = bind_arguments.construct(network, [], HEADS, [*HEADS])
    assert made == 12 and pairs["config.mlp_type"] == "'plain'"


def test_an_option_beside_one_that_needs_a_text_stays_none():
    def network(config):
        width = config.n_embd * (10 if config.norm_type == "rms" else 1)
        if config.mlp_type == "plain":
            return width
        raise ValueError(config.mlp_type)

    made, pairs = bind_arguments.construct(network, [], HEADS, [*HEADS])
    assert made == 12 and pairs["config.norm_type"] == "None"


class AnyFields:
    def __init__(self, **fields):
        self.__dict__.update(fields)


def test_a_configuration_that_takes_any_fields_answers_to_what_is_read_of_it():
    def model(config: AnyFields):
        return config.vocab_size, config.n_layer

    assert bound(model, GPT) == (7, 2)


def groups(hp):
    return hp.model.d_ff, hp.model.d_model, hp["data"]["vocab_size"]


def test_what_has_fields_is_a_group_whatever_its_name_means():
    given = {"hidden_size": 12, "intermediate_size": 20, "vocab_size": 7}
    assert bound(groups, given) == (20, 12, 7)


def test_a_given_network_has_the_usual_width_where_none_is_given():
    def layer(size, feed_forward):
        return feed_forward

    def network(d_model, d_ff=2048):
        return d_ff

    made, _ = bind_arguments.construct(
        layer, [], HEADS, BLOCK_NAMES, {"ff_dim": None}, parts={"feed_forward": network}
    )
    assert made == 4 * HEADS["embed_dim"]


def test_a_configuration_names_the_activation():
    assert bound(lambda cfg: {"gelu": cfg.n_embd}[cfg.afn], HEADS) == 12


def test_what_must_be_given_but_is_left_out_has_the_contracts_default():
    def construct(given):
        made, _ = bind_arguments.construct(
            lambda dim, heads: (dim, heads), [], given, [*HEADS], {"num_heads": 4}
        )
        return made

    assert construct({"embed_dim": 12}) == (12, 4)
    with pytest.raises(TypeError):
        construct({})


class Attention:
    def __init__(self, h, d_model, dropout=0.1):
        self.taken = h, d_model


class Network:
    def __init__(self, d_model, d_ff):
        self.taken = d_model, d_ff


def test_a_constructor_may_be_given_its_parts():
    def layer(size, self_attn, feed_forward, dropout):
        return size, self_attn.taken, feed_forward.taken, dropout

    parts = {"self_attn": Attention, "feed_forward": Network}
    made, pairs = bind_arguments.construct(layer, [], BLOCK, BLOCK_NAMES, {"dropout": 0.3}, "", parts)
    assert made == (12, (3, 12), (12, 20), 0.3)
    assert pairs["self_attn"] == "Attention(embed_dim, num_heads)"
    assert "num_heads" not in pairs
    made, _ = bind_arguments.construct(layer, [], HEADS, BLOCK_NAMES, {}, "", parts)
    assert made[2] == (12, 48)


d_model, n_heads, d_k, max_len = 512, 8, 64, 8


class ReadsGlobals(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(d_model, d_k * n_heads)

    def forward(self, x):
        return n_heads, d_k, max_len


def test_sizes_may_be_global_variables_also_while_a_module_is_called():
    first, pairs = bind_arguments.construct(ReadsGlobals, [], HEADS, [*HEADS])
    second, _ = bind_arguments.construct(ReadsGlobals, [], {"embed_dim": 8, "num_heads": 2}, [*HEADS])
    assert (first.linear.in_features, second.linear.in_features) == (12, 8)
    assert (first(0), second(0)) == ((3, 4, 8), (2, 4, 8))
    assert pairs["d_model (global)"] == "embed_dim"


def test_a_global_variable_does_not_take_the_place_of_an_argument():
    class TakesTheWidth(nn.Module):
        def __init__(self, width, heads):
            super().__init__()
            self.taken = d_model

    globals()["d_model"] = 512
    made, _ = bind_arguments.construct(TakesTheWidth, [], HEADS, [*HEADS])
    assert made.taken == 512


def test_a_state_is_the_width_or_beside_another_width_that_of_the_network():
    both = {"embed_dim": 12, "ff_dim": 20}
    assert bound(lambda n_state, n_head: (n_state, n_head), HEADS) == (12, 3)
    assert bound(lambda n_state, n_embd: (n_state, n_embd), both) == (20, 12)
    assert bound(lambda n_state, config: (n_state, config.n_embd), both) == (20, 12)


class ReadsOtherNamesElsewhere(nn.Module):
    def __init__(self):
        super().__init__()
        self.width = self.find_width()

    def find_width(self):
        return d_model

    def load_from(self, weights):
        return weights[embedding_out] + n_heads  # noqa: F821


def test_only_what_is_read_while_a_module_is_made_and_called_is_a_size():
    made, pairs = bind_arguments.construct(
        ReadsOtherNamesElsewhere, [], {"embed_dim": 12}, ["embed_dim", "num_heads"]
    )
    assert made.width == 12
    assert [name for name in pairs if "global" in name] == ["d_model (global)"]


def test_code_is_read_once_however_often_its_class_is_constructed(monkeypatch):
    class Attention:
        def __init__(self, d_model, n_heads):
            self.width, self.layer = d_model, nn.Linear

    read, instructions = [], dis.get_instructions
    monkeypatch.setattr(dis, "get_instructions", lambda code: read.append(code) or instructions(code))
    made = [bound(Attention, {"embed_dim": width, "num_heads": 3}) for width in (12, 24)]
    assert [one.width for one in made] == [12, 24]
    once = len(read)
    bound(Attention, HEADS)
    assert 0 < once == len(read)


def test_what_the_contract_leaves_out_is_none_where_the_code_takes_that():
    order, defaults = ["embed_dim", "ff_dim"], {"ff_dim": None}

    def construct(read):
        return bind_arguments.construct(read, [], {"embed_dim": 12}, order, defaults)[0]

    assert construct(lambda cfg: (cfg.d_model, cfg.d_ff or 4 * cfg.d_model)) == (12, 48)
    assert construct(lambda dim, ff: (dim, ff or 4 * dim)) == (12, 48)
    with pytest.raises(AttributeError) as raised:
        construct(lambda cfg: cfg.d_model + cfg.d_ff)
    assert raised.value.args[0]["says"] == "configuration_leaves_out"
    with pytest.raises(TypeError) as refused:
        construct(lambda dim, ff: dim + ff)
    assert refused.value.args[0]["says"] == "not_given"


class Head(nn.Module):
    def __init__(self, width, dropout):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.width = width

    def forward(self, x):
        return x * self.dropout.p


class Heads(nn.Module):
    def __init__(self, d_model, n_head, dropout):
        super().__init__()
        self.head = Head(d_model // n_head, dropout)


def test_what_is_read_of_a_layer_is_no_field_of_the_argument_that_it_is_made_from():
    assert bound(Heads, HEADS).head.dropout.p == contract_values.RATE


def test_a_name_that_says_a_rate_gets_no_number_of_another_role():
    def constructor(vocab_size, d_model, n_layers, n_heads, dropout, max_len, pad_idx, device):
        return dropout, pad_idx, device

    given = {"vocab_size": 7, "hidden_size": 8, "num_heads": 2, "num_layers": 3, "type_vocab_size": 5}
    assert bound(constructor, given) == (contract_values.RATE, 0, "cpu")


def test_keywords_that_the_constructor_only_hands_on_are_left_out_where_nothing_takes_them():
    class Network(nn.Module):
        def __init__(self, wide, wider, **kwargs):
            super().__init__(**kwargs)
            self.sizes = wide, wider

    given = {"embed_dim": 4, "ff_dim": 8, "dropout": 0.1}
    made, _ = bind_arguments.construct(Network, [], given, ["embed_dim", "ff_dim", "dropout"])
    assert made.sizes == (4, 8)


ACTIVATIONS = {"Linear": nn.Identity, "ReLU": nn.ReLU, "GELU": nn.GELU}


class TwoLayers(nn.Module):
    def __init__(self, kind, act, masked):
        super().__init__()
        if kind.lower() not in ("plain", "gated"):
            raise ValueError(kind)
        self.kind, self.act, self.is_masked = kind, ACTIVATIONS[act](), "yes" if masked else "no"


class OptionalBlock(nn.Module):
    def __init__(self, d_model, h, kind, act, masked):
        super().__init__()
        self.layers = TwoLayers(kind, act, masked)


def test_an_option_that_must_be_given_is_a_text_that_the_code_expects_or_a_flag_that_it_asks():
    layers = bound(OptionalBlock, HEADS).layers
    assert (layers.kind, type(layers.act), layers.is_masked) == ("plain", nn.GELU, "no")


class MaskedHeads(nn.Module):
    def __init__(self, num_heads, emb_dim, mask_input, max_seq_len, looks):
        super().__init__()
        self.taken = (
            num_heads,
            emb_dim,
            "on" if mask_input else "off",
            max_seq_len,
            "on" if looks else "off",
        )


def test_a_condition_is_a_flag_and_no_size_although_a_size_is_left():
    given = {"num_heads": 3, "head_size": 5, "n_embd": 12, "block_size": 7}
    made, _ = bind_arguments.construct(MaskedHeads, [], given, list(given), {}, "MultiHead")
    assert made.taken == (3, 12, "on", 7, "off")


def test_an_axis_of_the_batch_is_no_width_and_comes_first():
    given = {"embed_dim": 12, "num_heads": 3, "kv_dim": 5}
    taken = bound(lambda size, num_heads, dropout=0.2, batch_dim=1: (size, num_heads, batch_dim), given)
    assert taken == (12, 3, 0)


def test_ids_that_a_whole_model_must_be_given_are_no_sizes():
    def constructor(src_pad_idx, trg_pad_idx, trg_sos_idx, enc_voc_size, dec_voc_size, d_model):
        return src_pad_idx, trg_pad_idx, trg_sos_idx, enc_voc_size, dec_voc_size, d_model

    assert bound(constructor, {"src_vocab": 9, "tgt_vocab": 8, "embed_dim": 12}) == (0, 0, 1, 9, 8, 12)


GROUPED = {"dim": 12, "num_heads": 4, "num_kv_heads": 2, "hidden_dim": 20}


def test_a_constructor_may_do_without_a_number_of_heads_of_keys():
    made, pairs = bind_arguments.construct(
        lambda d_model, n_heads, d_ff, max_seq_len, theta: (d_model, n_heads, d_ff), [], GROUPED, [*GROUPED]
    )
    assert made == (12, 4, 20)
    assert pairs["num_kv_heads"] == ""


def test_a_hidden_width_alone_is_the_models_though_the_contract_has_an_inner_one_of_that_name():
    made, pairs = bind_arguments.construct(
        lambda hidden_dim, num_heads, max_len=64, dropout=0.1: (hidden_dim, num_heads),
        [],
        GROUPED,
        [*GROUPED],
    )
    assert made == (12, 4)
    assert (pairs["num_kv_heads"], pairs["hidden_dim"]) == ("", "dim")


@pytest.mark.parametrize("name", ["embedding_weight", "word_embeddings", "weights", "tied_table"])
def test_a_table_that_the_contract_gives_to_calls_is_none_of_the_sizes(name: str):
    made = eval(f"lambda hidden_size, {name}: (hidden_size, {name})")
    given = {"vocab_size": 9, "hidden_size": 4}
    with pytest.raises(TypeError) as refused:
        bind_arguments.construct(made, [], given, [*given])
    assert refused.value.args[0]["says"] == "not_given"
