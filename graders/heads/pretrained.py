"""The attention of a pretrained model in a folder, such as CamemBERT's: read in a box, never here.

The folder may be anything. Of its files the host sends bytes; `softmark_worker/pretrained_heads.py` reads
them, in a box of its own in which no student's code ever runs. Weights are read as safetensors alone: a
pickle can run code.
"""

import hashlib
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy
import torch
from torch import Tensor

from graders.heads.check_maps import NotDrawn, check_returned, describe
from graders.heads.request import PretrainedModel
from graders.language import tr
from graders.results.heads import TOKENS, Drawing, layer_of
from graders.safe_text import safe_text
from graders.sandbox.box import Box
from graders.sandbox.interpreter import BoxBroken
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import GB, MB, Limits, format_size
from graders.sandbox.process import Answer
from graders.sandbox.process_lost import ProcessLost
from graders.sandbox.session import BoxSession
from graders.sandbox.worker_messages import find_sentence

NEEDED = ("transformers", "tokenizers", "safetensors")
TEXTS = {"config.json": MB, "tokenizer.json": 48 * MB}
WEIGHTS = ".safetensors"
WEIGHTS_BYTES = 2 * GB
PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".h5", ".msgpack")
PIECE = 32 * MB
LAYERS, HEADS = 96, 128  # of a model, at most
# Texts of tokens that are no part of the sentence. Others are shown as a dot: what is shown is our own text.
SPECIAL = ("<s>", "</s>", "<cls>", "<sep>", "[CLS]", "[SEP]", "<|endoftext|>", "<bos>", "<eos>")
ALLOWED = Limits(
    call_s=120.0,
    load_s=60.0,
    submission_s=300.0,
    cpu_s=600,
    memory_bytes=8 * GB,
    open_files=256,
    reply_bytes=64 * MB,
)


class BadModel(ValueError):
    """The folder cannot be used. The text is for the person who named it."""


@dataclass(frozen=True)
class ModelFiles:
    """The files of a folder that are sent to the box."""

    paths: tuple[Path, ...]

    @property
    def digest(self) -> str:
        """Changes where a file does: made of names, sizes and times, since reading all takes seconds."""
        facts = [(p.name, (s := p.stat()).st_size, s.st_mtime_ns) for p in self.paths]
        return hashlib.sha256(repr(facts).encode("utf-8", "surrogateescape")).hexdigest()


def find_files(folder: Path) -> ModelFiles:
    """The files of a pretrained model.

    Raises:
        BadModel: one is missing or too large, the weights are a pickle, or a package is not installed.
    """
    if not all(map(find_spec, NEEDED)):
        raise BadModel(tr("--heads-model needs more packages: pip install {what}", what=" ".join(NEEDED)))
    names = sorted(path.name for path in folder.iterdir())
    weights = [name for name in names if name.endswith(WEIGHTS)]
    if not weights:
        raise BadModel(_no_weights(folder, [name for name in names if name.endswith(PICKLES)]))
    for name in TEXTS:
        if name not in names:
            raise BadModel(tr("{folder} has no {name}", folder=folder, name=name))
    paths = [folder / name for name in (*TEXTS, *weights)]
    sizes = {path.name: _size(path) for path in paths}
    for name, size in sizes.items():
        if size == 0:  # a link to a file of the kernel's (proc(5)) too, of which some never end
            raise BadModel(tr("{name} is empty: save the model again", name=name))
    most = TEXTS | dict.fromkeys(weights, WEIGHTS_BYTES)
    too_large = [name for name, size in sizes.items() if size > most[name]]
    if not too_large and sum(sizes[name] for name in weights) > WEIGHTS_BYTES:
        too_large = weights
    if too_large:
        message = tr(
            "{name} is too large: it may have {most}", name=too_large[0], most=format_size(most[too_large[0]])
        )
        raise BadModel(message)
    return ModelFiles(tuple(paths))


def draw_pretrained(model: PretrainedModel, sentence: str, level: IsolationLevel) -> Drawing:
    """The heads that were asked for, of a pretrained model on a sentence.

    Raises:
        BadModel: the folder cannot be used, or has no such layer or head.
    """
    files = find_files(model.folder)
    try:
        with Box(level, ALLOWED) as box, BoxSession(box) as session:
            for path in files.paths:
                for piece in _pieces(path):
                    _succeeded(session.ask("take_file", [path.name, piece], ALLOWED.call_s))
            reply = _succeeded(session.ask("pretrained_heads", [sentence], ALLOWED.call_s))
    except (ProcessLost, BoxBroken, OSError) as error:
        raise BadModel(tr("{folder} cannot be read: {reason}", folder=model.folder, reason=error)) from error
    try:
        return _drawing(model, sentence, reply)
    except NotDrawn as reason:
        raise BadModel(
            tr("{folder} cannot be drawn: {reason}", folder=model.folder, reason=reason)
        ) from reason


def _drawing(model: PretrainedModel, sentence: str, reply: Any) -> Drawing:
    attentions, tokens = (
        (reply.get("attentions"), _tokens(sentence, reply)) if type(reply) is dict else (None, [])
    )
    if type(attentions) is not list or not 1 <= len(attentions) <= LAYERS or not 2 <= len(tokens) <= TOKENS:
        raise NotDrawn(tr("its answer has another form, or too many tokens"))
    if model.layer > len(attentions):
        message = tr(
            "it has {layers} layers, and no layer {layer}", layers=len(attentions), layer=model.layer
        )
        raise NotDrawn(message)
    weights = check_returned(attentions[model.layer - 1], len(tokens))
    if max(model.heads) > len(weights) or len(weights) > HEADS:
        message = tr("it has {count} heads, and no head {head}", count=len(weights), head=max(model.heads))
        raise NotDrawn(message)
    shown = weights[[head - 1 for head in model.heads]]
    layer = layer_of(model.layer, list(model.heads), [tuple(map(tuple, head)) for head in shown.tolist()])
    drawing = Drawing(
        "", tr("A pretrained model: {name}", name=safe_text(model.folder.resolve().name, 60)), causal=False
    )
    return replace(
        drawing,
        weights_from="pretrained",
        tokens=tuple(tokens),
        layers=(layer,),
        notes=tuple(describe(shown)),
    )


def _tokens(sentence: str, reply: dict[str, Any]) -> list[str]:
    """The part of our own sentence that each token stands for; of others the text, if it is a usual one."""
    texts, offsets = reply.get("tokens"), reply.get("offsets")
    if type(texts) is not list or type(offsets) is not list or len(texts) != len(offsets):
        return []
    tokens = []
    for text, pair in zip(texts, offsets, strict=True):
        start, end = (
            pair if type(pair) is list and len(pair) == 2 and all(type(n) is int for n in pair) else (0, 0)
        )
        piece = sentence[max(0, start) : max(0, end)].strip()
        tokens.append(piece or (text if text in SPECIAL else "\u00b7"))
    return tokens


def _succeeded(answer: Answer) -> Any:
    if answer.ok:
        return answer.value
    fields = answer.value if isinstance(answer.value, dict) else {}
    described = find_sentence(fields.get("message")) or f"{fields.get('type')}: {fields.get('text')}"
    text = safe_text(described, 300)
    raise OSError(tr("it takes more memory than is allowed") if fields.get("memory") is True else text)


def _pieces(path: Path) -> Iterator[Tensor]:
    with path.open("rb") as file:
        while data := file.read(PIECE):
            yield torch.from_numpy(numpy.frombuffer(bytearray(data), dtype=numpy.uint8))


def _size(path: Path) -> int:
    """The size of an ordinary file; links are followed, as downloads of Hugging Face have them."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise BadModel(tr("{name} is no ordinary file", name=path.name))
    return status.st_size


def _no_weights(folder: Path, pickles: Sequence[str]) -> str:
    if pickles:
        return tr(
            "{folder} has its weights in {name}, a kind of file that can run code, and no .safetensors: take "
            "the model's safetensors, or save it again with save_pretrained",
            folder=folder,
            name=pickles[0],
        )
    return tr("{folder} has no weights: a file that ends with .safetensors", folder=folder)
