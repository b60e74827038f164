"""What a machine lacks is known by data: by errors, system calls and keys, not by our own sentences."""

import errno

import pytest

from graders.language import LANGUAGES, Language, speaking
from graders.sandbox.interpreter import BoxBroken, Interpreter
from graders.sandbox.isolation.causes import (
    Cause,
    cause_from_bubblewrap,
    cause_from_report,
    describe_failure,
)
from graders.sandbox.isolation.choose_level import try_level
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import Limits
from graders.sandbox.process_lost import why_it_ended
from softmark_worker import syscalls


@pytest.mark.parametrize(
    ("report", "cause"),
    [
        ({"failed": "x", "call": "clone", "errno": errno.ENOSPC}, Cause.NAMESPACES_USED_UP),
        ({"failed": "x", "call": "clone", "errno": errno.EPERM}, Cause.NAMESPACES_FORBIDDEN),
        ({"failed": "x", "call": "syscall", "errno": errno.ENOSYS}, Cause.NO_LANDLOCK),
        ({"failed": "clone: syscall: ", "call": "mount", "errno": errno.EPERM}, None),
        ({}, None),
    ],
)
def test_a_failed_system_call_names_its_cause(report, cause):
    assert cause_from_report(report) is cause
    assert why_it_ended(report, Limits(), None).cause is cause


def test_an_error_of_the_kernel_has_the_name_of_its_call():
    with pytest.raises(OSError) as caught:
        syscalls.call("chdir", b"/nowhere")
    assert (caught.value.errno, caught.value.filename) == (errno.ENOENT, "chdir")


def test_bubblewraps_own_words_name_a_cause():
    assert cause_from_bubblewrap("bwrap: setting up uid map: Permission denied") is Cause.APPARMOR
    assert cause_from_bubblewrap("bwrap: something else") is None


@pytest.mark.parametrize("cause", Cause, ids=lambda cause: cause.name.lower())
def test_what_is_missing_is_said_in_one_french_line(cause: Cause):
    traceback = "Traceback (most recent call last):\n  File ...\nOSError: [Errno 1] Operation not permitted"
    with speaking("fr"):
        line = describe_failure(traceback, cause)
    assert "\n" not in line and "permitted" not in line and line != describe_failure(traceback, cause)


def test_of_an_unknown_failure_the_last_line_is_told():
    assert describe_failure("Traceback\n  File\nOSError: too odd\n", None) == "OSError: too odd"
    assert describe_failure("", None) == "it said nothing"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.programs
def test_a_driver_that_is_missing_is_named_in_every_language(monkeypatch, language: Language):
    monkeypatch.setattr("graders.sandbox.interpreter.find_gpu", lambda: None)
    with speaking(language):
        _, step = try_level(IsolationLevel.NESTED, Limits(), "cuda")
    assert step.cause is Cause.NO_GPU_DRIVER


def test_a_python_that_nobody_may_read_is_named(monkeypatch):
    said = b'some warning\n{"says": "python_not_readable", "folder": "/root/python"}\n'
    interpreter = Interpreter(IsolationLevel.NESTED, Limits(), "cpu")
    monkeypatch.setattr(interpreter, "_read_errors", lambda: said.decode().strip())
    broken = interpreter._did_not_start()
    assert isinstance(broken, BoxBroken)
    assert broken.cause is Cause.PYTHON_NOT_READABLE
    assert str(broken) == "the box did not start: Python lies where only its owner may read: /root/python"
