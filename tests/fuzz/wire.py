"""Coverage-guided fuzzing of what reads a reply, by hand and for a bounded time. Not collected by pytest.

Atheris is no dependency of this project. In an environment of its own, with torch and NumPy of the
versions in constraints.txt, from the project's folder:

    pip install atheris
    python -m tests.fuzz.wire -max_total_time=120 -max_len=4096 CORPUS

CORPUS is a folder that may be empty: right frames are put there first. Any bytes, in any portions, must
become values or a refusal. Anything else that is raised, a crash of the process, more than two seconds or
more than 512 MB ends the run, and the bytes that did it are left in a file.
"""

import sys
from pathlib import Path

import atheris
import torch

with atheris.instrument_imports(include=["softmark_worker", "json"]):
    from softmark_worker import wire
    from softmark_worker.framing import IncomingFrame, Refused

ARGUMENTS = ["-timeout=2", "-rss_limit_mb=512", "-use_value_profile=1"]
TOKEN = "0123456789abcdef" * 2
SEEDS = [
    None,
    True,
    2**200,
    -1.5,
    "é[{\n",
    [1, (2, "three"), {"four": [None]}],
    {"kind": "function", "value": None, "problems": [{"file": "a.py", "line": 3, "binds": ["f"]}]},
    object(),
    torch.ones(2, 3).to_sparse(),
    wire.Handle(3),
    [torch.ones(3, dtype=dtype) for dtype in wire.DTYPES.values()],
    (torch.ones(2, 1, 3), torch.empty(0, 4), torch.tensor(1.0), torch.arange(70)),
]


def main() -> None:
    """Fill the corpus, then fuzz until the time is up."""
    folders = [Path(argument) for argument in sys.argv[1:] if not argument.startswith("-")]
    for number, value in enumerate(SEEDS):
        for folder in folders[:1]:
            folder.mkdir(exist_ok=True)
            frame = b"".join(wire.reply(TOKEN, True, value))
            header = wire.PREFIX.unpack(frame[: wire.PREFIX.size])[0] + wire.PREFIX.size
            (folder / f"right{number}").write_bytes(b"\x40" + frame)
            (folder / f"parts{number}").write_bytes(
                b"\x41" + frame[wire.PREFIX.size : header] + b"\n" + frame[header:]
            )
    atheris.Setup([sys.argv[0], *ARGUMENTS, *sys.argv[1:]], once)
    atheris.Fuzz()


def once(data: bytes) -> None:
    """A stream of replies, or one header and body; the first byte says which, and in what portions."""
    portion = max(1, data[0]) * 16 if data else 1
    stream = memoryview(data)[1:]
    if data and data[0] & 1:  # with lengths that are right, which chance rarely finds
        header, _, body = data[1:].partition(b"\n")
        stream = memoryview(wire.PREFIX.pack(len(header), len(body)) + header + body)
    replies = IncomingFrame(wire.PREFIX, wire.REPLY.header, wire.REPLY.body)
    try:
        while stream:
            count = min(portion, len(stream), len(replies.space()))
            replies.space()[:count] = stream[:count]
            stream = stream[count:]
            if replies.came(count):
                fields, value = wire.parse(*replies.take(), wire.REPLY)
                assert "value" not in fields
                use(value)
    except (wire.BadFrame, Refused):
        pass


def use(value: object) -> None:
    """What the host may do with any value: go through it, compare it, show it."""
    if isinstance(value, torch.Tensor):
        assert type(value) is torch.Tensor
        assert value.dtype in wire.NAMES
        value.double().sum().item()
        value.zero_()  # a place in memory that is not its own would show here
    elif isinstance(value, dict):
        assert all(type(key) is str for key in value)
        use(list(value.values()))
    elif isinstance(value, list | tuple):
        for item in value:
            use(item)
    else:
        assert value is None or type(value) in (bool, int, float, str, wire.Handle, wire.Other), type(value)
        str(value).encode("utf-8", "surrogatepass")


if __name__ == "__main__":
    main()
