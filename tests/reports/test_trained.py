"""What a submission's page says of a trained model, and a class's of equal ones."""

from dataclasses import replace

import pytest

from graders.results.measurements import Logged, Trained
from graders.results.result import Definition, ExerciseResult, Finding, Outcome, Result, SubmissionInfo
from reports.class_statistics.similar import group_same_weights
from reports.pages import class_page, student_page
from tests.reports.markup import assert_sound

MODEL = Trained(
    weights="ab" * 32,
    parameters=107_417,
    vocab_size=25,
    block_size=64,
    corpus="grammar",
    characters=23_560,
    held_out=1.9,
    train=1.2,
    counted=1.9,
    bigram=2.54,
    target=0.58,
    entropy=0.55,
    one_token=2.97,
    whole_context=1.3,
    by_context=((1, 2.8), (2, 1.8), (3, 1.6), (4, 1.5), (6, 1.2)),
    sample="<script>alert(1)</script>\nthe wolf",
    losses=(Logged(0, 3.4, 3.5), Logged(100, 2.0, None), Logged(200, 1.5, 1.6)),
)


def result_of(trained: Trained | None, name: str = "camille") -> Result:
    finding = Finding("beats_the_bigram", Outcome.FAILED, 1.3, 4, "its loss lies below a bigram's")
    exercise = ExerciseResult(
        "minigpt",
        "A trained model",
        Outcome.FAILED,
        3.3,
        6,
        (finding,),
        trained=trained,
        definitions=(Definition("minigpt.py", None, 1, "class MiniGPT: ..."),),
    )
    info = SubmissionInfo(name, ("minigpt.py", "minigpt.safetensors"), name)
    return Result(
        assignment="minigpt",
        title="MiniGPT",
        submission=info,
        graded_at="2026-01-01T00:00:00Z",
        versions={},
        device="cpu",
        seed=1,
        sandbox="nested",
        points=3.3,
        max_points=6,
        undecided_points=0,
        remarks=(),
        exercises=(exercise,),
    )


@pytest.fixture
def shown() -> str:
    return student_page.render(result_of(MODEL))


def test_the_page_is_sound(shown: str):
    assert_sound(shown)


def test_the_losses_are_in_bits_and_in_nats(shown: str):
    assert "1.900" in shown
    assert "1.317" in shown
    assert "a bigram&#39;s: no points" in shown
    assert "this one counts" in shown


def test_both_plots_have_a_text_alternative_and_a_table(shown: str):
    assert "loss against context: 2.80 bits per token with 1, 1.20 with 6 and more" in shown
    assert "the learning curve that was handed in, to step 200" in shown
    assert shown.count("<summary>The numbers</summary>") == 2
    assert '<th scope="row">4 to 5</th>' in shown


def test_the_models_text_is_escaped(shown: str):
    assert "<script>alert" not in shown
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in shown


def test_overfitting_is_reported(shown: str):
    assert "0.70 bits per character above that on training text" in shown
    assert "overfits" not in student_page.render(result_of(replace(MODEL, train=1.8)))


def test_a_model_that_sees_later_tokens_has_both_losses():
    shown = student_page.render(result_of(replace(MODEL, held_out=0.4, prefixes=2.4, counted=2.4)))
    assert "yours, on held-out text, with later tokens visible" in shown
    assert 'yours, on held-out text, without later tokens <span class="quiet">this one counts' in shown


def test_an_unmeasured_model_has_the_known_facts():
    bare = Trained("cd" * 32, 10, 25, 64)
    shown = student_page.render(result_of(bare))
    assert "Numbers in the model" in shown
    assert "Loss per character" not in shown


def test_a_page_without_a_model_has_no_losses():
    assert 'class="trained"' not in student_page.render(result_of(None))


def test_equal_weights_of_a_class_are_listed_together():
    results = [result_of(MODEL, "a"), result_of(MODEL, "b"), result_of(replace(MODEL, weights="ee"), "c")]
    assert group_same_weights(results) == [["a", "b"]]
    assert "The same trained model" in class_page.render(results)
    assert "The same trained model" not in class_page.render(results[1:])
