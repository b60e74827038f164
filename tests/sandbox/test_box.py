"""Whatever student code does to its process becomes an outcome, and the next process is untouched."""

import time

import pytest
import torch

from graders.results.result import Outcome
from graders.sandbox.box import Box
from graders.sandbox.interpreter import Interpreter
from graders.sandbox.isolation.choose_level import try_level
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import Limits
from graders.sandbox.process import StudentProcess
from graders.sandbox.process_lost import ProcessLost
from softmark_worker.wire import Other
from tests.support.processes import alive

SYMBOL = "f"
# A process does so wherever it came from: new interpreters, which take seconds, only at night. That
# they answer, and that their time is counted, tests at all levels show below; `test_pipe_line.py` has more.
NEW_EACH_TIME = (IsolationLevel.FRESH, IsolationLevel.PROCESS)
EACH_LEVEL = pytest.mark.parametrize(
    "any_box",
    [
        pytest.param(level, marks=[pytest.mark.nightly] if level in NEW_EACH_TIME else [])
        for level in IsolationLevel
    ],
    indirect=True,
)


def loaded(box: Box, code: str) -> StudentProcess:
    lines = [
        [number, 0] for number, line in enumerate(code.split("\n"), 1) if line and not line.startswith(" ")
    ]
    piece = {"label": "rendu.ipynb, cell 2", "file": "rendu.ipynb", "cell": 2, "code": code, "keep": lines}
    child = box.fork()
    answer = child.ask(
        "load", [{"symbol": SYMBOL, "modules": [{"name": "__main__", "pieces": [piece]}]}, SYMBOL], 5
    )
    assert answer.ok, answer
    assert answer.value["problems"] == []
    return child


def call(child: StudentProcess, *args, seconds: float = 2.0):
    return child.ask("call", [None, list(args), {}], seconds)


def lost(box: Box, code: str, seconds: float = 2.0) -> ProcessLost:
    with loaded(box, code) as child, pytest.raises(ProcessLost) as caught:
        call(child, torch.ones(2), seconds=seconds)
        call(child, torch.ones(2), seconds=seconds)
    if box.level not in NEW_EACH_TIME:  # there the next is another interpreter: the next test's
        assert_honest_work_goes_on(box)
    return caught.value


def assert_honest_work_goes_on(box: Box) -> None:
    with loaded(box, "def f(x):\n    return x + 1") as child:
        assert torch.equal(call(child, torch.ones(2)).value, torch.full((2,), 2.0))


@EACH_LEVEL
def test_a_function_answers(any_box):
    assert_honest_work_goes_on(any_box)


@EACH_LEVEL
def test_an_endless_loop_runs_out_of_time_and_says_where(any_box):
    started = time.monotonic()
    found = lost(any_box, "def f(x):\n    while True:\n        pass", seconds=0.2)
    assert found.outcome is Outcome.TIMED_OUT
    assert found.frames[0][0] == "rendu.ipynb, cell 2"
    assert found.frames[0][1] in (2, 3)
    assert time.monotonic() - started < 10


@EACH_LEVEL
def test_a_process_that_ends_itself_is_an_outcome(any_box):
    assert lost(any_box, "import os\ndef f(x):\n    os._exit(0)").outcome is Outcome.RAISED


@EACH_LEVEL
def test_a_crash_is_an_outcome(any_box):
    found = lost(any_box, "import ctypes\ndef f(x):\n    ctypes.string_at(0)")
    assert found.outcome is Outcome.RAISED
    assert "SIGSEGV" in str(found)


def test_a_flood_of_output_is_cut_off(box):
    found = lost(box, "def f(x):\n    while True:\n        print('x' * 1000)", seconds=10)
    assert "printed more than" in str(found)


@pytest.mark.parametrize(
    "code",
    [
        "import os\ndef f(x):\n    os.write(3, b'y' * 64)\n    return x",
        "import os\ndef f(x):\n    os.write(3, b'\\0' * 12)\n    return x",
        "import os\ndef f(x):\n    os.close(3)\n    return x",
        "from softmark_worker import wire\ndef f(x):\n    wire.reply = lambda *a: b'\\0' * 12\n    return x",
    ],
)
def test_a_forged_reply_is_worth_nothing(box, code):
    assert lost(box, code).outcome in (Outcome.FAILED, Outcome.RAISED)


@EACH_LEVEL
def test_memory_has_a_limit(any_box):
    code = "import torch\ndef f(x):\n    return torch.ones(1 << 40)"
    with loaded(any_box, code) as child:
        answer = call(child, torch.ones(1))
    assert not answer.ok
    assert answer.value["memory"] is True


def test_system_exit_is_the_students_own_error(box):
    with loaded(box, "def f(x):\n    raise SystemExit(0)") as child:
        answer = call(child, torch.ones(1))
    assert not answer.ok
    assert answer.value["type"] == "SystemExit"


def test_an_exception_that_cannot_be_shown_is_survived(box):
    code = (
        "class E(Exception):\n    def __str__(self):\n        raise KeyboardInterrupt\ndef f(x):\n    raise E"
    )
    with loaded(box, code) as child:
        assert call(child, torch.ones(1)).value["type"] == "E"


def test_what_is_printed_is_kept_to_a_bound(box):
    with loaded(box, "def f(x):\n    print('salut' * 100_000)\n    return x") as child:
        assert call(child, torch.ones(1)).ok
        assert len(child.take_printed()) == Limits().output_kept


# At level fresh each has its own interpreter: at each push `test_wall.py` and `test_faults.py` try it.
@EACH_LEVEL
def test_one_submission_leaves_nothing_to_the_next(any_box):
    with loaded(
        any_box, "import builtins, torch\ntorch.trap = builtins.trap = 1\ndef f(x):\n    return x"
    ) as child:
        call(child, torch.ones(1))
    with loaded(
        any_box,
        "import builtins, torch\ndef f(x):\n    return hasattr(torch, 'trap') or hasattr(builtins, 'trap')",
    ) as child:
        assert call(child, torch.ones(1)).value is False


def test_a_numpy_array_does_not_cross(box):
    with loaded(box, "def f(x):\n    return x.numpy()") as child:
        assert isinstance(call(child, torch.ones(1)).value, Other)


def test_the_warm_interpreter_is_started_again_when_it_dies(box):
    with Box(box.level) as own:
        assert_honest_work_goes_on(own)
        own._interpreter._process.end()
        assert_honest_work_goes_on(own)


@EACH_LEVEL
def test_nothing_survives_a_closed_box(any_box):
    with Box(any_box.level) as box:
        child = loaded(box, "def f(x):\n    while True:\n        pass")
        group = child.pid if box.level is IsolationLevel.PROCESS else box.pid
    child.close()
    deadline = time.monotonic() + 5
    while alive(group) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not alive(group)


@pytest.mark.programs
@pytest.mark.parametrize(("limits", "is_used"), [(Limits(), True), (Limits(call_s=1.0), False)])
def test_an_interpreter_that_was_started_before_serves_a_box_of_its_settings_alone(limits, is_used):
    started = Interpreter(IsolationLevel.OPEN, Limits(), "cpu")
    started.start()
    first = started.pid
    box, _ = try_level(IsolationLevel.OPEN, limits, "cpu", started)
    assert (box.pid == first) is is_used
    box.close()
    started.close()


@EACH_LEVEL
def test_the_own_time_of_a_process_is_its_work(any_box):
    busy = "    while time.process_time() < end:\n        pass"
    code = f"import time\ndef f(x):\n    end = time.process_time() + 0.3\n{busy}"
    with loaded(any_box, code) as process:
        before = process.own.settle()
        call(process, 1)
        assert 0.25 < process.own.settle() - before < 0.6


@EACH_LEVEL
def test_the_own_time_of_a_process_is_its_sleep_too_and_that_of_its_end(any_box):
    code = "import os, time\ndef f(x):\n    time.sleep(0.3)\n    if x: os._exit(3)"
    with loaded(any_box, code) as process:
        # On a full machine a sleep can hide in the time in which this process waits, but hardly thrice.
        times = (own_time_of_a_call(process) for _ in range(3))
        assert 0.25 < next((seconds for seconds in times if seconds > 0.25), 0.0) < 0.6
        before = process.own.settle()
        with pytest.raises(ProcessLost, match="3"):
            call(process, 1)
        assert 0.25 < process.own.at_most() - before < 0.6


def own_time_of_a_call(process: StudentProcess) -> float:
    before = process.own.settle()
    call(process, 0)
    return process.own.settle() - before


def test_a_padding_mask_makes_pytorchs_attention_import_nothing(box):
    code = (
        "import sys, torch\n"
        "def f(x, words):\n"
        "    before = set(sys.modules)\n"
        "    attention = torch.nn.MultiheadAttention(4, 2, batch_first=True)\n"
        "    attention(x, x, x, key_padding_mask=torch.zeros(1, words, dtype=torch.bool))\n"
        "    return sorted(set(sys.modules) - before)"
    )
    with loaded(box, code) as child:
        assert call(child, torch.ones(1, 2, 4), 2).value == []
        assert "to be 2, but got 3" in str(call(child, torch.ones(1, 2, 4), 3).value)  # as PyTorch says it


IMPORTED = """def f(x):
    import os, sys
    return ["matplotlib.pyplot" in sys.modules, "MPLCONFIGDIR" in os.environ]"""


def test_a_library_that_most_code_uses_is_imported_once_for_all_processes(level):
    with Box(level, Limits(), libraries=("matplotlib.pyplot", "no.such.library")) as box:
        for _ in range(2):
            with loaded(box, IMPORTED) as child:
                assert call(child, torch.ones(2)).value == [True, False]
    with Box(level, Limits()) as box, loaded(box, IMPORTED) as child:
        assert call(child, torch.ones(2)).value == [False, False]


HUGE_PAGES = """def f(x):
    with open("/proc/self/status") as file:
        return [line.split()[1] for line in file if line.startswith("THP_enabled:")]"""


@pytest.mark.programs
def test_code_gets_pages_of_the_usual_size():
    """Else its use of memory, which is measured, would come in steps of 2 MB."""
    with Box(IsolationLevel.OPEN, Limits()) as box, loaded(box, HUGE_PAGES) as child:
        assert call(child, torch.ones(2)).value in (["0"], [])  # the kernel may not say
