"""What the names of parameters say: a hint that breaks ties, never a proof."""

import re
from collections.abc import Sequence

_MEANS = {
    "q": "q query queries wq qproj",
    "k": "k key keys wk kproj",
    "v": "v value values val wv vproj",
    "o": "o out output wo proj projection dense oproj",
    "1": "1 first up expand in inner intermediate",
    "2": "2 second down contract",
    "attention": "attention attn att mha sa self msa attentions",
    "ff": "ff ffn feed forward mlp feedforward fc",
    "norm": "norm ln layernorm norms",
    "word": "word words token tokens tok wte vocab",
    "position": "position positions positional pos wpe pe",
    "segment": "segment segments seg type types sentence",
    "head": "head lm decoder logits unembed",
    "weight": "weight w gamma gain scale g",
    "bias": "bias b beta shift offset",
}
_WORD = {word: meaning for meaning, words in _MEANS.items() for word in words.split()}
_GAIN = frozenset(["weight", "w", "gamma", "gain", "scale", "g", "alpha", "a"])
_BIAS = frozenset(["bias", "biases", "b", "beta", "shift", "offset"])
# A fused layer's `in_proj` or `qkv_proj` is neither a first layer nor the output's projection.
_FUSED = re.compile(r"in_proj|(?<=qkv)_?proj|(?<=kv)_?proj|(?<=qk)_?proj", re.IGNORECASE)


def similarity(name: str, source: str) -> float:
    """The share of the words in a reference's name that a student's name has too, 0 to 1."""
    ours = _meanings(source)
    return len(_meanings(name) & ours) / len(ours)


def says_bias(name: str) -> bool:
    """Whether a name means a bias: `fc.bias`, `b_q`, `beta`."""
    return _last_word(name) in _BIAS or bool(re.fullmatch(r"b_?[qkvo12]?", name.rsplit(".", 1)[-1]))


def says_gain(name: str) -> bool:
    """Whether the name of a vector means the gain of a norm: `ln.weight`, `gamma`."""
    return _last_word(name) in _GAIN


def is_bias(name: str, shape: Sequence[int]) -> bool:
    """Whether a parameter of the reference is a bias: a vector that is no norm's gain."""
    return len(shape) == 1 and not name.endswith(("weight", "gamma"))


def name_of_layer(name: str) -> str:
    """The name without `weight` or `bias`: the same for the two parameters of a layer."""
    return re.sub(r"[._]?(weight|bias)$", "", name)


def _last_word(name: str) -> str:
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name.rsplit(".", 1)[-1])
    return words[-1].lower() if words else ""


def _meanings(name: str) -> frozenset[str]:
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+|\d", _FUSED.sub("", name))
    return frozenset(_WORD.get(word.lower(), word.lower()) for word in words)
