"""Explain errors that the sandbox causes, and not a mistake in the code.

The error's text and the files of its traceback come from the student's process and may be forged, which
changes only a sentence in the student's own report.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from graders.language import tr, translatable
from graders.results.limit import Limit
from graders.sandbox.limits import Limits, format_size


class ErrorText(NamedTuple):
    """An error's text, with the reason where it is known, and the limit that caused it."""

    text: str
    limit: Limit | None = None


@dataclass(frozen=True)
class _Denial:
    """The reason given if the pattern `text` matches an error's text and `file` one of its files."""

    text: str
    limit: Limit
    says: str
    file: str = ""


_DENIED = r"Permission denied|Operation not permitted|not implemented|unable to open shared memory"
_NETWORK = translatable("there is no network in the box: what is downloaded must be left out or handed in")
_DENIALS = (
    _Denial(
        _DENIED,
        Limit.PROCESSES,
        translatable("the box starts no processes: a DataLoader works there with num_workers=0"),
        r"torch/utils/data/dataloader\.py$",
    ),
    _Denial(
        _DENIED + "|Inductor|BackendCompilerFailed",
        Limit.PROCESSES,
        translatable(
            "torch.compile starts a compiler, and the box starts no programs: "
            "leave it out of what is handed in"
        ),
        r"torch/_(?:inductor|dynamo)/",
    ),
    _Denial(
        _DENIED,
        Limit.PROCESSES,
        translatable("the box starts no processes: multiprocessing cannot work there"),
        r"/(?:multiprocessing|concurrent/futures)/|torch/multiprocessing/",
    ),
    _Denial(
        _DENIED,
        Limit.PROCESSES,
        translatable("the box starts no programs: subprocess cannot work there"),
        r"/subprocess\.py$",
    ),
    _Denial(_DENIED, Limit.NETWORK, _NETWORK, r"/(?:socket|ssl|asyncio/\w+|http/client|urllib/request)\.py$"),
    _Denial(
        r"name resolution|Name or service not known|Network is unreachable|urlopen error",
        Limit.NETWORK,
        _NETWORK,
    ),
    _Denial(
        "unable to open shared memory",
        Limit.SHARED_MEMORY,
        translatable("the box has no shared memory: nobody is there to share with"),
    ),
    _Denial(
        r"^(?:PermissionError|OSError): \[Errno (?:1|38)\]",
        Limit.PROCESSES,
        translatable("the box allows no processes, no programs and no network"),
    ),
    _Denial(
        r"^(?:PermissionError|OSError): \[Errno (?:13|30)\]",
        Limit.FILES,
        translatable("the box shows no files but Python's own, and {scratch}"),
    ),
    _Denial(
        r"^FileNotFoundError: .*\[Errno 2\]",
        Limit.FILES,
        translatable("an environment problem: only the code is in the box, no other file that was handed in"),
    ),
    _Denial(
        "can't start new thread",
        Limit.PROCESSES,
        translatable("at most {processes} threads and processes may be there at a time"),
    ),
    _Denial(
        r"\[Errno 11\] Resource temporarily",
        Limit.PROCESSES,
        translatable("at most {processes} threads and processes may be there"),
    ),
    _Denial(r"\[Errno 24\]", Limit.FILES, translatable("at most {open_files} files may be open at a time")),
    _Denial(r"\[Errno 27\]", Limit.FILES, translatable("a file may have at most {file_bytes}")),
    _Denial(
        r"\[Errno 28\]",
        Limit.FILES,
        translatable("at most {scratch_files} files of {scratch_bytes} in all may be written"),
    ),
    _Denial(
        r"^(?:ModuleNotFoundError|ImportError)",
        Limit.PACKAGES,
        translatable("an environment problem: this package is not available to the grader"),
    ),
    _Denial(
        "CUDA|NVIDIA",
        Limit.GPU,
        translatable("an environment problem: there is no GPU here; ask torch.cuda.is_available() first"),
    ),
)


def explain_denial(text: str, files: Sequence[str], limits: Limits, scratch: bool) -> ErrorText:
    """An error's text, followed by the reason in brackets where the box caused the error.

    Args:
        text: the error's type and message.
        files: the files in its traceback.
        limits: those of the submission.
        scratch: whether the submission has a folder to write to.
    """
    for denial in _DENIALS:
        if not re.search(denial.text, text):
            continue
        if not denial.file or any(re.search(denial.file, file) for file in files):
            reason = tr(denial.says, **_values(limits, scratch))
            return ErrorText(f"{text} ({reason})", denial.limit)
    return ErrorText(text)


def _values(limits: Limits, scratch: bool) -> dict[str, str]:
    writable = tr("only /tmp may be written to") if scratch else tr("nothing may be written to")
    names = ("processes", "open_files", "file_bytes", "scratch_bytes", "scratch_files")
    values = {name: getattr(limits, name) for name in names}
    texts = {
        name: format_size(value) if name.endswith("_bytes") else str(value) for name, value in values.items()
    }
    return {**texts, "scratch": writable}
