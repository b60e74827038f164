"""A pretrained model's attention on a sentence: its folder's files come as bytes, and plain values go out.

The library `transformers` builds the model by its own classes: nothing here runs code of the folder, and
weights are read as safetensors alone.
"""

import json
import os
import tempfile
from typing import Any

import torch

WEIGHTS = ".safetensors"


def attend(files: dict[str, list[torch.Tensor]], sentence: str) -> dict[str, Any]:
    """The attention of all layers on a sentence.

    Args:
        files: `config.json`, `tokenizer.json` and files of weights, each as pieces in order.
        sentence: in plain text.

    Returns:
        `attentions`, a list with the weights (H, S, S) of each layer; `tokens`, their texts; `offsets`, pairs
            of where each begins and ends in the sentence, both 0 for tokens that are not of it.

    Raises:
        Exception: whatever a file's content makes its reader raise.
    """
    os.environ["HF_HUB_OFFLINE"] = "1"  # there is no network in the box: say so at once
    # What is imported asks for folders to write to; some boxes have none, and nothing is written.
    tempfile.tempdir = os.environ["TORCHINDUCTOR_CACHE_DIR"] = "/tmp"  # noqa: S108 (the box's)
    from safetensors.torch import load
    from tokenizers import Tokenizer
    from transformers import MODEL_MAPPING, AutoConfig

    about = json.loads(_whole(files["config.json"]))
    kind = about.pop("model_type")
    config = AutoConfig.for_model(kind, **about)
    config._attn_implementation = "eager"  # others do not give the weights
    state: dict[str, torch.Tensor] = {}
    for name, pieces in files.items():
        if name.endswith(WEIGHTS):
            state |= load(_whole(pieces))
            pieces.clear()
    layers = getattr(config, "num_hidden_layers", 0)
    if type(layers) is int and layers > len(state):  # each would be built first, which takes without end
        raise ValueError(f"config.json has {layers} layers, and the weights are {len(state)} tensors")
    model_class: Any = MODEL_MAPPING[type(config)]
    model, loaded = model_class.from_pretrained(
        None, config=config, state_dict=state, output_loading_info=True
    )
    missing = [name for name in loaded["missing_keys"] if not name.startswith("pooler")]
    if missing:  # they would be random, and so would the picture
        raise ValueError(f"the folder has no weights {missing[0]}")
    model = model.float().eval()
    encoded = Tokenizer.from_str(_whole(files["tokenizer.json"]).decode()).encode(sentence)
    with torch.no_grad():
        answer = model(input_ids=torch.tensor([encoded.ids]), output_attentions=True)
    return {
        "attentions": [layer[0].contiguous() for layer in answer.attentions],
        "tokens": list(encoded.tokens),
        "offsets": [list(pair) for pair in encoded.offsets],
    }


def _whole(pieces: list[torch.Tensor]) -> bytes:
    data: bytes = torch.cat(pieces).numpy().tobytes()
    return data
