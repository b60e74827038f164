"""Broken checkpoints: archives, pickles and headers of safetensors that nobody's program wrote. Not
collected by pytest.

    python -m tests.fuzz.checkpoints --seconds 600 --seed 1

Each is opened in a real box, as a trained model that was handed in. It must be opened or refused with a
sentence, or lose its own process, within 30 s; never a fault of softmark's own, and an honest one after it
opens.
"""

import io
import json
import pickletools
import random
import struct
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from safetensors.torch import save

from graders.results.result import Outcome
from graders.sandbox.box import Box
from graders.sandbox.isolation.choose_level import best
from graders.sandbox.limits import Limits
from graders.sandbox.process_lost import ProcessLost
from graders.sandbox.session import BoxSession
from graders.trained.open_checkpoint import BadCheckpoint, read_trained_model, read_weights
from tests.fuzz.fuzzing import fuzz
from tests.fuzz.odd_values import NASTY_BYTES, ODD_INTEGERS, ODD_TEXTS, change_json, damage, odd_value

SMALL = Limits(memory_bytes=256 << 20, load_s=30.0)
PATIENCE_S = 30.0
WEIGHTS = {"a.weight": torch.arange(12.0).reshape(3, 4), "a.bias": torch.arange(4), "h": torch.ones(2).half()}
NAMES = (
    "os system", "builtins eval", "builtins exec", "builtins getattr", "torch load",
    "torch._utils _rebuild_tensor_v2",
    "collections OrderedDict", "torch FloatStorage", "numpy.core.multiarray _reconstruct",
    "torch.nn.parameter Parameter",
    "posix _exit", "builtins open", "torch Size", "torch device", "torch._utils _rebuild_parameter",
    "codecs encode",
    "torch.storage _load_from_bytes", "builtins bytearray", "_codecs encode", "torch dtype",
    "builtins complex",
)  # fmt: skip


def main() -> None:
    """Open checkpoints until the time is up."""
    with opened() as opener:
        fuzz(opener.judge, __doc__)


@dataclass(frozen=True)
class Opener:
    """The box in which checkpoints are opened."""

    box: Box

    def judge(self, number: int) -> str:
        """Open one; its kind and how it ended."""
        draws = random.Random(number)
        kind = draws.choice(list(KINDS))
        name, data = KINDS[kind](draws)
        start = time.monotonic()
        ended = self._open(name, data, trained=draws.random() < 0.5)
        took = time.monotonic() - start
        assert took < PATIENCE_S, f"{kind}, {len(data)} bytes: it took {took:.0f} s"
        if draws.random() < 0.2:
            after = self._open("honest.safetensors", save(WEIGHTS), trained=False)
            assert after == "opened", f"an honest one after {kind}: {after}"
        return f"{kind:20} {ended}"

    def _open(self, name: str, data: bytes, *, trained: bool) -> str:
        try:
            with BoxSession(self.box) as session:
                if trained:
                    weights, notes = read_trained_model(session, name, data)
                    assert all(note is None or type(note) is str for note in notes.values())
                else:
                    weights = read_weights(session, name, data)
        except BadCheckpoint as bad:
            assert str(bad).strip(), "no sentence"
            return "refused"
        except ProcessLost as lost:
            assert lost.outcome is not Outcome.BROKEN, lost
            return f"lost ({lost.outcome})"
        assert all(type(value) is torch.Tensor for value in weights.values())
        return "opened"


@contextmanager
def opened(box: Box | None = None) -> Iterator[Opener]:
    """Checkpoints are opened in this box, or the best one."""
    if box is not None:
        yield Opener(box)
        return
    with best(SMALL)[0] as own:
        yield Opener(own)


def _saved() -> bytes:
    data = io.BytesIO()
    torch.save({"state_dict": WEIGHTS, "config": {"n_head": 2}}, data)
    return data.getvalue()


def _damaged_archive(draws: random.Random) -> tuple[str, bytes]:
    data = _saved()
    for _ in range(draws.choice((1, 2, 5))):
        data = damage(draws, data)
    return draws.choice(("minigpt.pt", "minigpt.pth")), data


def _changed_members(draws: random.Random) -> tuple[str, bytes]:
    """An archive whose members are others, absent, there twice, or under other names."""
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(_saved())) as archive, zipfile.ZipFile(written, "w") as changed:
        for member in archive.namelist():
            data, name = archive.read(member), member
            kind = draws.randrange(8)
            if kind == 0:
                continue
            if kind == 1:
                data = damage(draws, data)
            if kind == 2:
                name = draws.choice(ODD_TEXTS).replace("\x00", "").encode("utf-8", "replace").decode() or "x"
            if kind == 3 and name.endswith("data.pkl"):
                data = _random_pickle(draws)
            if kind == 4 and name.endswith("data.pkl"):
                data = data.replace(b"K\x03", b"J\xff\xff\xff\x7f").replace(b"FloatStorage", b"BoolStorage")
            method = draws.choice((zipfile.ZIP_STORED, zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
            changed.writestr(name, data, method)
    return "minigpt.pt", written.getvalue()


def _random_pickle(draws: random.Random) -> bytes:
    """Operations of any kind after one another, many of which look for a name."""
    parts = [b"\x80" + bytes([draws.choice((0, 2, 4, 5, 255))])]
    for _ in range(draws.choice((3, 20, 200))):
        kind = draws.randrange(6)
        if kind == 0:
            parts.append(b"c" + draws.choice(NAMES).replace(" ", "\n").encode() + b"\n")
        elif kind == 1:
            text = draws.choice(("echo x", "1+1", *ODD_TEXTS)).encode("utf-8", "replace")
            parts.append(b"X" + struct.pack("<I", draws.choice((len(text), len(text), 2**31 - 1))) + text)
        elif kind == 2:
            parts.append(
                draws.choice(
                    (b"(", b")", b"]", b"}", b"t", b"R", b"b", b"Q", b"0", b"2", b"N", b"\x85", b"a", b"s")
                )
            )
        elif kind == 3:
            parts.append(b"J" + struct.pack("<i", draws.choice((0, -1, 3, 2**31 - 1))))
        elif kind == 4:
            parts.append(draws.choice(pickletools.opcodes).code.encode("latin-1"))
        else:
            parts.append(draws.randbytes(3))
    return b"".join([*parts, b"."])


def _pickle(draws: random.Random) -> tuple[str, bytes]:
    return draws.choice(("minigpt.pt", "minigpt.pth")), _random_pickle(draws)


def _damaged_safetensors(draws: random.Random) -> tuple[str, bytes]:
    return "minigpt.safetensors", damage(draws, save(WEIGHTS, {"config": "{}"}))


def _header(draws: random.Random) -> tuple[str, bytes]:
    """Safetensors whose header is other JSON, mostly with the length that it has."""
    data = save(WEIGHTS, {"config": json.dumps(odd_value(draws)), "chars": "ab"})
    length = struct.unpack("<Q", data[:8])[0]
    tree: Any = json.loads(data[8 : 8 + length])
    for entry in draws.sample(sorted(tree), k=draws.randrange(len(tree) + 1)):
        if isinstance(tree[entry], dict) and "shape" in tree[entry]:
            tree[entry][draws.choice(("shape", "data_offsets"))] = [
                draws.choice((*ODD_INTEGERS[:-2], 4, 12, 24, 48, 64))
                for _ in range(draws.choice((0, 1, 2, 2, 30)))
            ]
            tree[entry]["dtype"] = draws.choice(
                (tree[entry]["dtype"], "F32", "I64", "F8_E4M3", "BOOL", "X", "F64")
            )
    text = change_json(draws, json.dumps(tree)) if draws.random() < 0.4 else json.dumps(tree)
    header = text.encode("utf-8", "surrogatepass")
    size = draws.choice((len(header), len(header), len(header), len(header) + 1, 0, 2**63, 10**8))
    return "minigpt.safetensors", struct.pack("<Q", size) + header + data[8 + length :]


def _anything(draws: random.Random) -> tuple[str, bytes]:
    name = draws.choice(
        ("minigpt.pt", "minigpt.pth", "minigpt.safetensors", "model.bin", "minigpt", "MINIGPT.PT")
    )
    return name, draws.choice((*NASTY_BYTES, draws.randbytes(3_000), bytes(1_000_000)))


KINDS = {
    "damaged archive": _damaged_archive,
    "changed members": _changed_members,
    "random pickle": _pickle,
    "damaged safetensors": _damaged_safetensors,
    "header": _header,
    "anything": _anything,
}


if __name__ == "__main__":
    main()
