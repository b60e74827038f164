"""What an argument means by its name: `n_embd`, `d_model` and `hidden_size` are all a width.

A table of words, as data. Imports nothing but the standard library.
"""

import functools
import re

# The first line that fits counts. Alternatives are separated by "|"; all words of one must be in the name; an
# alternative that begins with "=" is the whole name.
_TABLE = (
    ("flag", "log|verbose|debug|return|=vis|visualize|visualise"),
    ("rotary_base", "theta|=base|rope base|rotary base"),
    ("multiple", "multiple of"),
    ("factor", "dim multiplier"),
    (
        "labels",
        "num labels|n labels|num classes|n classes|numlabels|numclasses|nlabels|nclasses|num class|n class",
    ),
    ("batch_axis", "batch dim|batch axis"),
    ("batch", "batch size|batchsize|max batch|cache batch|=bs|=batch"),
    ("causal", "causal|autoregressive|unidirectional|=mask|=masked|=use_mask|=is_decoder"),
    ("activation", "act|activation|afn|actfn|activationfn|nonlinearity"),
    ("batch_first", "batch first|batchfirst"),
    ("dropout", "drop|dropout|pdrop|attndrop|droprate|dropoutp|=p|=p_drop|=prob|=pd|=p_d"),
    ("ratio", "expansion|ratio|mult|mul|multiplier|factor"),
    ("bias", "bias|biases|qkvbias"),
    ("device", "device"),
    ("dtype", "dtype"),
    ("epsilon", "eps|epsilon"),
    ("padding_index", "pad idx|padding idx|pad id|pad token|pad index|padding index|=i_pad"),
    (
        "start_index",
        "sos idx|bos idx|eos idx|sos id|bos id|eos id|sos token|bos token|eos token|sos index|eos index",
    ),
    ("types", "type|types|segment|segments|ntypes"),
    (
        "target_vocabulary",
        "tgt vocab|trg vocab|target vocab|output vocab|out vocab|dec vocab|decoder vocab|tgtvocab|vocab out|"
        "dec voc|tgt voc|trg voc",
    ),
    ("vocabulary", "vocab|vocabulary|nvocab|vocabsize|ntoken|ntokens|num tokens|n tokens|num embeddings|voc"),
    ("feed_forward", "ffn embed|ffn dim|ffn size|ffn width|ffn hidden"),
    (
        "memory_width",
        "kv dim|kvdim|kdim|dkv|d kv|kv size|memory dim|memory size|memory width|d memory|context dim|"
        "encoder dim|enc dim|cross dim|=vdim",
    ),
    (
        "length",
        "len|length|maxlen|seqlen|ctx|context|position|positions|block size|blocksize|window|sequence size|"
        "sentence size|bptt|"
        "max positional|num positional|"
        "num pos|max pos|seq|=t|=block|=max_seq",
    ),
    ("width", "outputs|inputs|output|input|out|in"),
    (
        "feed_forward",
        "pf|ff|ffn|ffd|dff|dffn|ffdim|ffwd|feedforward|forward|intermediate|mlp|inner|filter",
    ),
    ("norm_first", "=pre|pre norm|prenorm|norm first|normalize before|normalise before|norm before"),
    ("layer_index", "layer id|layer idx|layer index|layer number"),
    ("layers", "layers|nlayer|nlayers|n layer|num layer"),
    (
        "hidden",
        "d hidden|dim hidden|hidden dim|hidden size|hidden features|hidden layer|num hiddens|num hidden|"
        "dhidden|hid|=hidden|=n_state",
    ),
    (
        "head_width",
        "head dim|head size|head width|dim head|d head|head d|headdim|dhead|headsize|per head|"
        "dk|dv|dq|d k|d v|d q|d queries|d keys|d values|d query|d key|d value|dim keys|dim values|dim key|"
        "dim value|key dim|value dim|k dim|q dim|v dim|k size|v size|=q|=k|=v",
    ),
    ("heads", "heads|nhead|nheads|numheads|n head|num head|number head|head count|head num|head n|=h|=head"),
    ("layers", "layer|depth|blocks|nblocks|blks|=l|=n|=num_block|=n_block"),
    (
        "width",
        "width|embed|embd|embedding|emb|nembd|nembed|embeddim|embdim|dmodel|model|dim|hidden|hiddens|dims|"
        "hiddensize|features|channels|units|embedsize|key size|query size|value size|"
        "hidn|dhidn|=nx|=d|=c|=e|=size|=h_dim",
    ),
)
_ALTERNATIVES = [
    (role, alternative[1:] if alternative[0] == "=" else "", set(alternative.split()))
    for role, line in _TABLE
    for alternative in line.split("|")
]
_CONFIGURATIONS = {
    *("config", "cfg", "conf", "configuration", "settings"),
    *("args", "params", "opt", "options", "hp", "hparams", "hyperparams", "hyperparameters"),
}


def is_of_output(name: str) -> bool:
    """Whether a width is that of what goes out: `d_out`."""
    return bool(_words(name) & {"out", "output", "outputs"})


def is_of_ends(name: str) -> bool:
    """Whether a width is that of what goes in or out: `input_size`."""
    return is_of_output(name) or bool(_words(name) & {"in", "input", "inputs"})


def is_of_keys(name: str) -> bool:
    """Whether a number of heads is that of keys and values: `n_kv_heads`."""
    return role_of(name) == "heads" and "kv" in _words(name)


def is_called_a_configuration(name: str) -> bool:
    """Whether an argument has the name of a configuration: `cfg`, `encoder_config`."""
    return bool(_words(name) & _CONFIGURATIONS)


def is_causal(symbol: str) -> bool:
    """Whether a class with this name in the contract looks at earlier positions alone."""
    return bool(_words(symbol) & {"causal", "gpt"}) or has_bare_heads(symbol)


def has_norm_first(symbol: str) -> bool:
    """Whether a class with this name in the contract normalises before its parts, not behind them."""
    words = _words(symbol)
    return "bert" not in words and ("gpt" not in words or "mini" in words)


def has_bare_heads(symbol: str) -> bool:
    """Whether a class with this name in the contract projects without biases: `Head`, `MultiHead`."""
    return _words(symbol) in ({"head"}, {"multi", "head"})


def says_usual(name: str) -> bool:
    """Whether a flag's name speaks of what attention does by itself: `use_dot_product`, `scaled`."""
    return bool(_words(name) & {"dot", "scale", "scaled", "softmax", "standard", "vanilla", "residual"})


def says_mask(name: str) -> bool:
    """Whether the name speaks of a mask: `mask_future`."""
    return bool(_words(name) & {"mask", "masks", "masked", "future"})


def says_shape(name: str) -> bool:
    """Whether the name speaks of a shape, which may be a list of sizes: `normalized_shape`."""
    return bool(_words(name) & {"shape", "shapes"})


@functools.lru_cache(1024)
def role_of(name: str) -> str | None:
    """What a constructor's argument means; None for a name without meaning here.

    `hidden` is the width of the feed-forward network beside another width, else the model's.
    """
    words, lower = _words(name), name.lower().strip("_")
    if lower.endswith("_type") and not words & {"n", "num"}:
        return None  # position_embedding_type = "absolute" is of what kind, not how many
    for role, whole, alternative in _ALTERNATIVES:
        if lower == whole if whole else alternative <= words:
            return None if role == "layers" and "norm" in words else role  # pre_layer_norm = False
    return None


def _words(name: str) -> set[str]:
    """`n_embd`, `numHeads` and `DModel` as sets of lower-case words."""
    return {word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)}
