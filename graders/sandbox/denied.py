"""Errors that come from where the code runs, not from what it computes, told as such and by name.

The text and the files that an error passed through come from the student's process: they may be forged,
which changes a sentence in the student's own report and nothing else.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from graders.language import tr, translatable
from graders.sandbox.limits import Limits, parse_size


@dataclass(frozen=True)
class _Refusal:
    """What is said where an error's text and one of its files fit."""

    text: str
    says: str
    file: str = ""


_DENIED = r"Permission denied|Operation not permitted|not implemented|unable to open shared memory"
_NETWORK = translatable("there is no network in the box: what is downloaded must be left out or handed in")
_REFUSALS = (
    _Refusal(
        _DENIED,
        translatable("the box starts no processes: a DataLoader works there with num_workers=0"),
        r"torch/utils/data/dataloader\.py$",
    ),
    _Refusal(
        _DENIED + "|Inductor|BackendCompilerFailed",
        translatable(
            "torch.compile starts a compiler, and the box starts no programs: "
            "leave it out of what is handed in"
        ),
        r"torch/_(?:inductor|dynamo)/",
    ),
    _Refusal(
        _DENIED,
        translatable("the box starts no processes: multiprocessing cannot work there"),
        r"/(?:multiprocessing|concurrent/futures)/|torch/multiprocessing/",
    ),
    _Refusal(
        _DENIED, translatable("the box starts no programs: subprocess cannot work there"), r"/subprocess\.py$"
    ),
    _Refusal(_DENIED, _NETWORK, r"/(?:socket|ssl|asyncio/\w+|http/client|urllib/request)\.py$"),
    _Refusal(r"name resolution|Name or service not known|Network is unreachable|urlopen error", _NETWORK),
    _Refusal(
        "unable to open shared memory",
        translatable("the box has no shared memory: nobody is there to share with"),
    ),
    _Refusal(
        r"^(?:PermissionError|OSError): \[Errno (?:1|38)\]",
        translatable("the box allows no processes, no programs and no network"),
    ),
    _Refusal(
        r"^(?:PermissionError|OSError): \[Errno (?:13|30)\]",
        translatable("the box shows no files but Python's own, and {scratch}"),
    ),
    _Refusal(
        r"^FileNotFoundError: .*\[Errno 2\]",
        translatable("an environment problem: only the code is in the box, no other file that was handed in"),
    ),
    _Refusal(
        "can't start new thread",
        translatable("at most {processes} threads and processes may be there at a time"),
    ),
    _Refusal(
        r"\[Errno 11\] Resource temporarily",
        translatable("at most {processes} threads and processes may be there"),
    ),
    _Refusal(r"\[Errno 24\]", translatable("at most {open_files} files may be open at a time")),
    _Refusal(r"\[Errno 27\]", translatable("a file may have at most {file_bytes}")),
    _Refusal(
        r"\[Errno 28\]",
        translatable("at most {scratch_files} files of {scratch_bytes} in all may be written"),
    ),
    _Refusal(
        r"^(?:ModuleNotFoundError|ImportError)",
        translatable("an environment problem: this package is not available to the grader"),
    ),
    _Refusal(
        "CUDA|NVIDIA",
        translatable("an environment problem: there is no GPU here; ask torch.cuda.is_available() first"),
    ),
)


def explain_denial(text: str, files: Sequence[str], limits: Limits, scratch: bool) -> str:
    """An error's text, with the reason in brackets where the box is the reason.

    Args:
        text: the error's type and message.
        files: the files that it passed through.
        limits: what the submission may use.
        scratch: whether it has a folder to write to.
    """
    for refusal in _REFUSALS:
        if not re.search(refusal.text, text):
            continue
        if not refusal.file or any(re.search(refusal.file, file) for file in files):
            return f"{text} ({tr(refusal.says, **_facts(limits, scratch))})"
    return text


def _facts(limits: Limits, scratch: bool) -> dict[str, str]:
    may = tr("only /tmp may be written to") if scratch else tr("nothing may be written to")
    names = ("processes", "open_files", "file_bytes", "scratch_bytes", "scratch_files")
    values = {name: getattr(limits, name) for name in names}
    shown = {name: parse_size(v) if name.endswith("_bytes") else str(v) for name, v in values.items()}
    return {**shown, "scratch": may}
