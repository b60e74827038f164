"""A case as code: it runs, calls the student's code, and says what is due."""

from typing import Any

import pytest
import torch

from graders.results.case import Case, Input, TensorView
from graders.results.result import Definition, Finding, Outcome
from reports.pages import student_page
from reports.pages.pasteable import case_as_code
from tests.reports import sample
from tests.support import browser, devtools

X = sample.tensor([1, 2, 3, 4], 2, 2)


def failed(*inputs: Input, message: str = "4 of 4 values differ", expected: TensorView | None = X) -> Finding:
    return sample.finding(Outcome.FAILED, message=message, case=Case("x", inputs, expected, X, (0, 0)))


def tensor_input(name: str = "x", view: TensorView = X) -> Input:
    return Input(name, f"{name} (2, 2) float32", view)


def code(text: str, *inputs: Input, **changes: Any) -> str:
    shown = case_as_code(failed(*inputs, **changes), Definition("a.py", None, 1, text))
    assert shown is not None
    return shown


def test_a_case_of_a_function_runs_and_says_what_is_due() -> None:
    text = code("def double(x, mask=None):", tensor_input(), Input("mask", "no mask", expression="None"))
    values: dict[str, Any] = {"double": lambda x, mask: 2 * x}
    exec(text, values)
    assert torch.equal(values["yours"], 2 * values["expected"]) and values["mask"] is None
    assert "\n# 4 of 4 values differ\nexpected = torch.tensor(" in text


def test_a_module_is_made_and_called_but_its_value_depends_on_its_parameters() -> None:
    absent = Input("mask", "no mask", expression="None")
    text = code("class Net(nn.Module):", Input("width", "width=3", expression="3"), tensor_input(), absent)
    assert "width = 3" in text and "module = Net(width=width).eval()\nyours = module(x)\n" in text
    assert "expected =" not in text
    double = tensor_input(view=sample.tensor([1], 1, dtype="float64"))
    assert "module = Net().eval().double()\n" in code("class Net(nn.Module):", double)


@pytest.mark.parametrize(
    ("definition", "inputs"),
    [
        (
            "def f(n):",
            (Input("first", "first=2", expression="2"), Input("second", "second=1", expression="1")),
        ),  # more than it takes
        ("def f(x):", (tensor_input(), Input("dtype", "float64"))),  # no value
        ("def f(x, **more):", (tensor_input(),)),
        ("f = lambda x: x", (tensor_input(),)),
        ("class Net(nn.Module):", (Input("width", "width=3", expression="3"),)),  # nothing to call it with
        ("", (tensor_input(),)),
    ],
)
def test_without_a_certain_call_only_the_inputs_are_given(definition: str, inputs: tuple[Input, ...]) -> None:
    text = code(definition, *inputs)
    assert "yours" not in text and "expected" not in text and " = " in text


def test_a_message_is_one_comment_and_never_code() -> None:
    for end in ("\n", "\r", "\x0c", "\u2028"):
        text = code("def f(x):", tensor_input(), message=f"ValueError: a{end}import os")
        assert "import os" not in [line.strip() for line in text.splitlines()]


def test_a_long_or_cut_tensor_is_not_given_as_code() -> None:
    long = sample.tensor([0.0] * 200, 200)
    cut = TensorView((40, 40), "float32", (0.0,) * 16, clipped=True)
    assert [case_as_code(failed(tensor_input(view=view)), None) for view in (long, cut)] == [None, None]
    assert "expected" not in code("def f(x):", tensor_input(), expected=long)


@pytest.mark.programs
@pytest.mark.skipif(devtools.CHROMIUM is None, reason="there is no chromium here")
def test_the_button_copies_the_code_of_its_own_case() -> None:
    two = [sample.finding(Outcome.FAILED, message=name) for name in ("one", "two")]
    page = student_page.render(sample.result(*(sample.exercise(f, name=f.message or "") for f in two)))
    question = """
      const copied = [];
      navigator.clipboard.writeText = async (text) => { copied.push(text); };
      const buttons = Array.from(document.querySelectorAll("button.copy"));
      for (const button of buttons) { button.click(); await frame(); }
      return [copied, buttons.map((button) => [button.hidden, button.textContent])];
    """
    copied, buttons = browser.asked(page, question)
    assert ["# one" in copied[0], "# two" in copied[1]] == [True, True]
    assert buttons == [[False, "Copied"]] * 2


def test_a_page_without_a_case_to_copy_has_no_script() -> None:
    assert "<script" not in student_page.render(sample.result(sample.exercise(sample.finding())))
