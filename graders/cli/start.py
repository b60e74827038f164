"""The start of `softmark`: a command that needs a box imports PyTorch once for itself and its box.

For such a command this process forks one that parses the command line. Meanwhile this process starts Python
anew with the environment of a box (execve(2)), imports PyTorch, and forks the template, from which
interpreters of boxes are forked: `import_torch_first.py`. Only then does it read its own arguments and
environment, and runs the command. So a box's memory holds nothing of the command, as if it had been started
by itself. A wrong command line ends both processes at once.

Where `softmark grade` finds results in its folder, PyTorch waits: this process alone looks whether all of
them still hold, and starts Python anew only if something is left to grade.

This module imports nothing that takes time.
"""

import atexit
import codecs
import errno
import io
import json
import os
import sys
from pathlib import Path
from typing import Any, NoReturn

SCRIPT = Path(__file__).with_name("import_torch_first.py")
NOBODY = 0  # in place of a process
WITH_BOX = {"audit", "check", "doctor", "grade", "questions"}
RESULTS = "class.json"  # in a folder of results: `class_record.FILE`, which takes time to import
PLAIN = "SOFTMARK_PLAIN_START"  # set where PyTorch could not be imported in the environment of a box

_to_parent: int | None = None  # in the process that parses: where it reports
_begins_alone = False  # whether this process parses by itself, and starts anew only when it hands over
_parsed: dict[str, Any] | None = None  # in the process that runs the command: what the other reported


def run() -> None:
    """The command `softmark` of a terminal."""
    global _begins_alone
    if _is_worth_it():
        _begins_alone = _may_be_done(sys.argv[1:])
        if not _begins_alone:
            _split()
    run_command()


def run_command() -> None:
    """Parse the command line and run the command, in this process, which ends with it."""
    from graders.cli.exit_status import OURS

    try:
        from graders.check_api.without_hypothesis import declared
        from graders.cli.main import main

        _print_in_any_encoding()
        with declared():
            main()
    except SystemExit as ending:
        if isinstance(ending.code, int):
            _end_at_once(ending.code)
        raise
    except Exception as fault:  # Python's own status for it, 1, says that there are results
        sys.stderr.write(_describe_fault(fault))
        _end_at_once(OURS)


def _describe_fault(fault: Exception) -> str:
    if isinstance(fault, MemoryError) or (isinstance(fault, OSError) and fault.errno == errno.ENOMEM):
        from graders.language import tr

        sentence = tr(
            "softmark: this machine has no memory left; the results so far are in place, and the same "
            "command goes on from there"
        )
        return f"{sentence}\n"
    import traceback  # here: it imports more

    return "".join(traceback.format_exception(fault))


def hand_over(**parsed: Any) -> None:
    """The command line is right: the process that has imported PyTorch goes on, and this one ends.

    It returns where this is that process, or the only one.

    Args:
        parsed: what took time to find out, for `handed_over`: plain values.
    """
    if _to_parent is None and not _begins_alone:
        return
    sys.stdout.flush()
    sys.stderr.flush()
    report = json.dumps(parsed).encode()
    if _to_parent is None:
        _start_anew(NOBODY, _in_memory(report))
    os.write(_to_parent, report)
    os._exit(0)


def handed_over() -> dict[str, Any]:
    """What the process that parsed the command line handed over; nothing where this is that process."""
    return _parsed or {}


def is_parsed_again() -> bool:
    """Whether another process has parsed the command line before this one, and said what there was to say."""
    return _parsed is not None


def go_on(kept: dict[str, Any], parsed: dict[str, Any]) -> None:
    """Become the command: with its own arguments, environment and import path."""
    global _parsed
    _parsed = parsed
    sys.argv = kept["arguments"]
    sys.path[:] = kept["path"]
    sys.dont_write_bytecode = kept["dont_write_bytecode"]
    os.environ.clear()
    os.environ.update(kept["environment"])


def _print_in_any_encoding() -> None:
    """Let a console of Windows, which lacks some characters, show similar ones instead of an error."""
    streams = [s for s in (sys.stdout, sys.stderr) if isinstance(s, io.TextIOWrapper)]
    poor = [stream for stream in streams if not stream.encoding.lower().startswith("utf")]
    if poor:
        from reports.in_encoding import in_encoding

        def similar(error: UnicodeError) -> tuple[str, int]:
            assert isinstance(error, UnicodeEncodeError)
            return in_encoding(error.object[error.start : error.end], error.encoding), error.end

        codecs.register_error("similar", similar)
        for stream in poor:
            stream.reconfigure(errors="similar")


def _end_at_once(status: int) -> NoReturn:
    """End with this exit status, after all that was registered for the end.

    Python would free every object first. With PyTorch imported, that takes a third of the time of the import.
    """
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def _is_worth_it() -> bool:
    """Whether the command needs a box, and nothing else of this process would be lost."""
    words = sys.argv[1:]
    can = hasattr(os, "memfd_create") and hasattr(os, "fork")  # Linux can
    if not can or PLAIN in os.environ or not WITH_BOX.intersection(words[:3]):
        return False
    watched = sys.gettrace() or sys.getprofile() or sys.orig_argv[1:] != sys.argv  # with flags for Python
    is_utf8 = sys.stdout.encoding.lower() == "utf-8"
    return is_utf8 and not watched and not {"-h", "--help"}.intersection(words)


def _may_be_done(words: list[str]) -> bool:
    """Whether the command is given a folder of results, and may find nothing left to grade there."""
    folders = [word.rpartition("=")[2] for word in words]
    may_reuse = "grade" in words and "--force" not in words
    return may_reuse and any(Path(folder, RESULTS).is_file() for folder in folders)


def _split() -> None:
    """Return in a forked process, which parses; this one starts anew."""
    global _to_parent
    from_child, to_parent = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(from_child)
        _to_parent = to_parent
        return
    os.close(to_parent)
    os.set_inheritable(from_child, True)
    _start_anew(child, from_child)


def _start_anew(child: int, parsed: int) -> NoReturn:
    """Become a new Python that imports PyTorch first.

    Args:
        child: the process that parses the command line; `NOBODY` where that is done.
        parsed: the descriptor of what it reports.
    """
    from graders.sandbox.isolation.environment import ENVIRONMENT

    kept = {
        "arguments": sys.argv,
        "program": [sys.executable, *sys.orig_argv[1:]],
        "environment": dict(os.environ),
        "path": sys.path,
        "dont_write_bytecode": sys.dont_write_bytecode,
    }
    numbers = map(str, (_in_memory(json.dumps(kept).encode()), child, parsed))
    program = [sys.executable, "-s", "-P", str(SCRIPT), *numbers]
    os.execve(sys.executable, program, ENVIRONMENT)  # noqa: S606 - this Python, with our own script


def _in_memory(data: bytes) -> int:
    """The descriptor of a file in memory, which the next program inherits."""
    descriptor = os.memfd_create("softmark", 0)
    os.write(descriptor, data)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor
