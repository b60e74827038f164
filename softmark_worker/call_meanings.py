"""What an argument of a function or of forward means by its name: `pad_token_id` is the id of padding.

A table of words, as data; sizes have theirs in `argument_roles.py`. A name may have several meanings: it is a
hint, and where names leave something open a call decides.
"""

import functools
import re

from softmark_worker.argument_roles import role_of

_TABLE = (
    ("query", "q query queries xq requete requetes"),
    ("key", "k key keys xk cle cles"),
    ("value", "v value values val vals xv valeur valeurs"),
    ("memory", "context ctx memory mem kv encoder enc encoded cond cross src source"),
    ("source", "src source encoder enc inp input inputs"),
    ("targets", "target targets tgt trg label labels y dec decoder"),
    ("types", "type types segment segments seg"),
    ("model", "model net network lm modele"),
    ("data", "data dataset text corpus tokens donnees"),
    ("ids", "ids idx input prompt tokens"),
    ("words", "tokens words mots"),
    ("start", "start bos sos begin go"),
    ("stop", "stop eos end"),
    ("pad", "pad padding"),
    ("weight", "weight weights w kernel filters filter"),
    ("bias", "bias biais offset"),
    ("parameter", "param params parameter parameters theta w"),
    ("gradient", "g grad grads gradient gradients"),
    ("window", "window radius fenetre"),
    ("batch", "batch bs b"),
    ("new", "new steps"),
    ("iterations", "iters iterations iter batches"),
    ("spans", "span spans intervals"),
    ("sentinel", "sentinel"),
    ("buckets", "bucket buckets hashes hash"),
    ("rotations", "rotation rotations rot projections"),
    ("causal", "causal autoregressive unidirectional future ahead"),
    ("local", "local"),
    ("global", "global"),
    ("kind", "kind sense mode convention sens"),
    ("attentions", "attention attentions attn maps"),
    ("theirs", "theirs torch mha pytorch"),
    ("mine", "mine ours own"),
    ("tied", "tied tie"),
    ("ignored", "ignore ignored"),
    ("split", "split"),
    ("past", "past cache cached"),
    ("lengths", "lengths lens"),
    ("offset", "offset offsets decalage"),
    ("part", "train training val valid validation test"),
    ("state", "h hx hidden state prev previous"),
    ("cell", "c cx cell memory mem carry"),
)
# What the contract has nowhere: a default stays, and what must be given is off.
_EXTRA_MEANINGS = {
    "split",
    "past",
    "lengths",
    "flag",
    "dropout",
    "device",
    "dtype",
    "head_width",
    "epsilon",
    "ratio",
    "offset",
    "rotations of pairs",
    "cosines",
    "sines",
    "positions",
}
_EXTRA_MEANINGS |= {
    "activation",
    "layer_index",
    "norm_first",
    "batch_first",
    "padding_index",
    "configuration",
}
# What none of the contract's arguments of a call is, whatever else is left for it.
_NO_ARGUMENT = {"configuration", "device", "dtype"}
_OF_CONSTRUCTORS = {"start_index", "batch_axis"}  # what these mean has names of its own in calls
_EXTRA_WORDS = "scale temperature top generator training use need with reduction base seed head self stride"
_EXTRA_FIRST = "output"  # as in `output_attentions`; what ends so is a value: `sequence_output`
_CONFIGURATIONS = {"config", "cfg", "conf", "configuration", "settings", "args", "hparams"}
_MASK = {"mask", "masks", "masked", "masque", "msk", "attnmask", "srcmask"}
_OF_MEMORY = {"memory", "mem", "src", "source", "encoder", "enc", "cross", "context", "srcmask"}
# By these words `role_of` finds a width or a length: so it is in constructors, not in calls.
_TENSORS = {"input", "inputs", "output", "outputs", "in", "out", "context", "mask", "key", "query", "value"}
_SIZES = {"len", "length", "size", "dim", "max", "num"}
MASK, MASK_OF_MEMORY = "mask", "mask of memory"


@functools.lru_cache(1024)
def meanings_of(name: str) -> frozenset[str]:
    """What a name may mean; nothing for a name without a meaning here, as `x`."""
    words = _words(name)
    if words & _CONFIGURATIONS:
        return frozenset({"configuration"})
    found = {meaning for meaning, line in _TABLE if words & set(line.split())}
    if (own := _meaning_of_positions(words)) is not None:
        return frozenset({own})
    if words & {"nucleus", "thres", "thresh", "threshold"} or words == {"top", "p"}:
        return frozenset({"nucleus"})
    if rate := _meaning_of_rates(words):
        return frozenset({rate})
    if words & _MASK:
        return frozenset({MASK_OF_MEMORY if words & _OF_MEMORY else MASK, *(found & {"causal", "pad"})})
    if "max" in words and words & {"tokens", "steps"}:
        return frozenset({"new", "length", "iterations"})  # a number of them, and none of them
    if "lengths" in found:
        return frozenset({"lengths"})  # of sequences, whatever these are
    no_size = words & _TENSORS and not words & _SIZES
    no_size = no_size or "window" in words or name.lower() in ("q", "k", "v", "h", "c")
    size = None if no_size or role_of(name) in _OF_CONSTRUCTORS else role_of(name)
    return frozenset(found | ({"width" if size == "hidden" else size} if size else set()))


def _meaning_of_rates(words: set[str]) -> str | None:
    """What a name means that speaks of learning rates, or of the steps in which they change."""
    if words & {"warmup", "warm"}:
        return "warmup"
    if words & {"lr", "rate", "alpha", "eta"} and words & {"max", "peak", "min", "least"}:
        return "peak" if words & {"max", "peak"} else "least"
    if words <= {"peak", "least"} and len(words) == 1:
        return next(iter(words))
    if words & {"step", "it", "cur", "current"}:
        return "step"
    if words & {"total", "decay"} and words & {"steps", "iters", "iterations"}:
        return "iterations"
    return None


def _meaning_of_positions(words: set[str]) -> str | None:
    """What a name means that speaks of positions which no contract gives to a call."""
    if words & {"freqs", "freq", "cis", "rope", "rotary"}:
        found = {"cos": "cosines", "sin": "sines"}
        return next((found[word] for word in sorted(words & found.keys())), "rotations of pairs")
    if words <= {"cos", "sin", "cosine", "sine", "cosines", "sines"} and words:
        return "cosines" if words & {"cos", "cosine", "cosines"} else "sines"
    if words & {"pos", "position", "positions"}:
        if words & {"start", "offset", "past"}:
            return "offset"
        if words & {"ids", "input", "token", "idx"} or words == {"positions"}:
            return "positions"
    return None


@functools.lru_cache(1024)
def is_extra(name: str) -> bool:
    """Whether a name means what no contract has: an option, a rate of dropout, a device."""
    if len(name) == 1:
        return False
    if name.lower().partition("_")[0] == _EXTRA_FIRST:
        return True
    return bool(_words(name) & set(_EXTRA_WORDS.split()) or meanings_of(name) & _EXTRA_MEANINGS)


def is_no_argument(name: str) -> bool:
    """Whether a name says what no contract gives to a call: a configuration, a device, a temperature."""
    return bool(meanings_of(name) & _NO_ARGUMENT or _words(name) & {"temperature", "top"})


def _words(name: str) -> set[str]:
    """`pad_token_id` and `padTokenId` as sets of lower-case words."""
    return {word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)}
