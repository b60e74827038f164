"""Models of ours are lent to students' functions: the host answers their calls and keeps the record."""

from pathlib import Path

import pytest
import torch

from graders.candidate.local_candidate import LocalCandidate
from graders.candidate.remote_candidate import RemoteCandidate
from graders.check_api import lent_models
from graders.check_api.lent_models import CALLS, IDS, CallLog, LentModels
from graders.extraction.extract import Source, extract, study
from graders.sandbox.box import Box
from graders.sandbox.process_lost import ProcessLost
from graders.sandbox.session import BoxSession
from graders.submission.read import read

TABLE = torch.eye(5)


@pytest.fixture
def candidate(box: Box, tmp_path: Path):
    """Makes a candidate of a function's code in the box."""
    turns: list[BoxSession] = []

    def make_candidate(code: str) -> RemoteCandidate:
        path = tmp_path / "rendu.py"
        path.write_text(f"import torch\n\n\n{code}\n", encoding="utf-8")
        source = extract(study(read(path, "rendu")), "f", "")
        assert isinstance(source, Source)
        turns.append(BoxSession(box))
        boxed = RemoteCandidate(turns[-1], source)
        boxed.load()
        assert boxed.remarks == []
        return boxed

    yield make_candidate
    for session in turns:
        session.close()


def test_a_recording_model_gives_the_same_answers_in_the_box_and_here(candidate):
    boxed = candidate("def f(model, idx):\n    return model(idx)")
    idx = torch.tensor([[1, 2, 0], [4, 4, 3]])
    answer = boxed(boxed.make_model("TableModel", table=TABLE), idx)
    assert torch.equal(answer, lent_models.logits(TABLE, idx))
    local = LocalCandidate(lambda model, idx: model(idx))
    assert torch.equal(local(local.make_model("TableModel", table=TABLE), idx), answer)


def test_a_model_recalls_the_first_symbols_of_each_length_in_the_box_and_here(candidate):
    code = "def f(model, idx):\n    return torch.stack([model(ids)[0, -1].argmax() for ids in idx.split(1)])"
    boxed, local = candidate(code), LocalCandidate(lambda model, idx: model(idx)[:, -1].argmax(-1))
    idx = torch.tensor([[1, 0, 4], [3, 0, 4], [3, 0, 4], [1, 0, 4]])
    asked = boxed.make_model("RecallModel", symbols=3, right={3: 2})
    asked.train(False)
    assert boxed(asked, idx).tolist() == [1, 3, 1, 0]  # two that it recalls, the symbol after, the id before
    assert [ids.tolist() for ids in asked.call_log().asked] == [[row] for row in idx.tolist()]
    mine = local.make_model("RecallModel", symbols=3, right={3: 2})
    mine.train(False)
    assert local(mine, idx).tolist() == [1, 3, 1, 0]
    mine.train(True)
    assert local(mine, idx[:2]).tolist() == [2, 2]  # in training it recalls nothing


def test_its_next_id_depends_on_every_id_and_on_how_many_there_are():
    table, idx = torch.eye(23), torch.tensor([[3, 1, 4, 2]])
    last = lent_models.logits(table, idx)[0, -1]
    for place in range(4):
        other = idx.clone()
        other[0, place] += 1
        assert not torch.equal(lent_models.logits(table, other)[0, -1], last)
    assert not torch.equal(lent_models.logits(table, idx[:, 1:])[0, -1], last)
    assert torch.equal(lent_models.logits(table, idx[:, :2]), lent_models.logits(table, idx)[:, :2])


def test_with_pair_it_returns_logits_and_a_loss(candidate):
    boxed = candidate("def f(model, idx):\n    return model(idx), model(idx, idx)")
    idx = torch.tensor([[1, 2]])
    bare, (logits, loss) = boxed(boxed.make_model("TableModel", table=TABLE), idx)
    assert torch.equal(bare, logits)
    assert loss.dim() == 0
    (_, none), _ = boxed(boxed.make_model("TableModel", table=TABLE, pair=True), idx)
    assert none is None


def test_a_scripted_loss_model_returns_its_losses_in_turn(candidate):
    boxed = candidate("def f(model, x, y):\n    return [float(model(x, y)[1].detach()) for _ in range(3)]")
    x = torch.tensor([[5, 6], [7, 8]])
    losses = torch.tensor([2.0, 3.0])
    assert boxed(boxed.make_model("ScriptedLossModel", losses=losses, words=9), x, x + 1) == [2.0, 3.0, 2.0]
    shown = {"training": 10.0, "shift": 1.0, "size": 1.0}
    shown_losses = boxed(
        boxed.make_model("ScriptedLossModel", losses=torch.zeros(1), words=9, **shown), x, x + 1
    )
    assert shown_losses == [10 + 1 + 2 + 2 / 64] * 3
    assert (
        boxed(boxed.make_model("ScriptedLossModel", losses=losses[:1], words=9, place=True), x, x + 1)
        == [12.0] * 3
    )


@pytest.mark.parametrize("where", ["boxed", "local"])
def test_its_log_says_how_it_was_called(candidate, where: str):
    code = """def f(model, idx):
    model(idx)
    model.eval()
    with torch.no_grad():
        model(idx[:, :1])
    return model.training"""
    names: dict = {"torch": torch}
    exec(code, names)
    called = candidate(code) if where == "boxed" else LocalCandidate(names["f"])
    model = called.make_model("TableModel", table=TABLE)
    assert model.call_log() == CallLog(0, 0, 0, (), training=True)
    assert called(model, torch.tensor([[1, 2, 3]])) is False
    assert model.call_log() == CallLog(2, 1, 1, ((1, 3), (1, 1)), training=False)
    assert model.call_log().longest == 3
    model.train()
    assert model.call_log().training


def test_code_that_changes_its_mode_to_something_else_interferes(candidate):
    boxed = candidate("def f(model):\n    model.training = 'both'")
    model = boxed.make_model("TableModel", table=TABLE)
    boxed(model)
    with pytest.raises(ProcessLost):
        model.call_log()


def test_what_it_answers_cannot_be_read_from_it(candidate):
    code = """def f(model):
    seen = [value for value in vars(model).values()] + list(model.parameters()) + list(model.buffers())
    return [float(v) for v in seen if isinstance(v, torch.Tensor)]"""
    boxed = candidate(code)
    losses = torch.tensor([2.0, 3.0])
    assert set(boxed(boxed.make_model("ScriptedLossModel", losses=losses, words=9))) <= {1.0}


def test_the_host_counts_the_calls_itself(candidate):
    code = """def f(model, x):
    model._ask("lent", [model.number, x, x, False, False])
    return 0"""
    boxed = candidate(code)
    model = boxed.make_model("ScriptedLossModel", losses=torch.ones(2), words=9)
    boxed(model, torch.tensor([[1, 2]]))
    assert model.call_log().calls == 1


X = torch.zeros(2, 3, dtype=torch.int64)


@pytest.mark.parametrize(
    "asked",
    [
        [],
        [7, X, X, True, True],
        [True, X, X, True, True],
        [0, None, X, True, True],
        [0, X, X, 1, True],
        [0, X[None], None, True, True],
        [0, X.float(), None, True, True],
        [0, torch.zeros(1, IDS + 1, dtype=torch.int64), None, True, True],
        [0, torch.zeros(IDS, 1, dtype=torch.int64), torch.zeros(1, IDS, dtype=torch.int64), True, True],
    ],
    ids=["nothing", "unknown", "bool", "no ids", "int", "axes", "floats", "long", "wide"],
)
def test_an_odd_question_is_refused(asked):
    models = LentModels()
    _, answers = models.lend("TableModel", {"table": TABLE})
    assert models.answer("lent", asked)[0] is False
    assert answers.calls == 0


MEMORY = torch.ones(2, 4, 2)


@pytest.mark.parametrize(
    ("idx", "memory"),
    [
        (X, MEMORY[:1]),
        (X, MEMORY[0]),
        (X, MEMORY.long()),
        (X, torch.ones(2, IDS, 2)),
        (X[0], MEMORY),
        (X, "memory"),
        (X.float(), MEMORY),
    ],
    ids=["sequences", "axes", "ids", "large", "no batch", "text", "floats"],
)
def test_a_decoder_refuses_what_is_no_memory_of_its_sequences(idx, memory):
    models = LentModels()
    _, answers = models.lend("TranslationModel", {"table": TABLE})
    assert models.answer("lent", [0, idx, memory, True, True])[0] is False
    assert answers.calls == 0


@pytest.mark.parametrize("fill", [torch.nan, torch.inf, -1e30])
def test_a_decoder_answers_any_numbers(fill):
    models = LentModels()
    models.lend("TranslationModel", {"table": TABLE})
    assert models.answer("lent", [0, X, torch.full((2, 4, 2), fill), True, True])[0] is True


@pytest.mark.parametrize("where", ["boxed", "local"])
def test_a_translation_model_encodes_and_decodes_and_the_host_counts(candidate, where: str):
    code = """def f(model, src, tgt):
    memory = model.encode(src)
    return model.decode(tgt, memory), model(src, tgt)"""
    names: dict = {}
    exec(code, names)
    called = candidate(code) if where == "boxed" else LocalCandidate(names["f"])
    model = called.make_model("TranslationModel", table=torch.eye(23))
    src, tgt = torch.tensor([[1, 2, 4], [3, 1, 1]]), torch.tensor([[2, 5], [2, 6]])
    apart, together = called(model, src, tgt)
    assert torch.equal(apart, together)
    assert torch.equal(apart, lent_models.logits_after(torch.eye(23), tgt, lent_models.memory_of(src)))
    assert model.call_log().encoded == 4
    assert model.call_log().calls == 4


def test_its_next_id_depends_on_the_source_and_on_every_id():
    table, src, tgt = torch.eye(23), torch.tensor([[1, 2, 4]]), torch.tensor([[2, 5, 6]])
    last = lent_models.logits_after(table, tgt, lent_models.memory_of(src))[0, -1]
    for place in range(3):
        step = torch.arange(3) == place
        other_source = lent_models.memory_of(src + step)
        assert not torch.equal(lent_models.logits_after(table, tgt, other_source)[0, -1], last)
        other_ids = lent_models.logits_after(table, tgt + step, lent_models.memory_of(src))
        assert not torch.equal(other_ids[0, -1], last)


def test_a_model_answers_so_many_calls_and_no_more():
    models = LentModels()
    _, answers = models.lend("TableModel", {"table": TABLE})
    answers.calls = CALLS
    assert models.answer("lent", [0, X, None, True, True])[0] is False


def test_a_recording_model_ends_with_its_process(candidate):
    boxed = candidate("def f(model, idx):\n    return model(idx)")
    model = boxed.make_model("TableModel", table=TABLE)
    boxed._session.close()
    with pytest.raises(Exception, match="KeyError"):
        boxed(model, torch.tensor([[1]]))


@pytest.mark.parametrize("where", ["boxed", "local"])
def test_a_seed_makes_a_call_reproducible_whatever_was_drawn_before(candidate, where: str):
    called = candidate("def f(x):\n    return torch.rand(4)")
    called = called if where == "boxed" else LocalCandidate(lambda x: torch.rand(4))
    first = called.seeded(5, 0).answer
    called(0)
    assert torch.equal(called.seeded(5, 0).answer, first)
    assert not torch.equal(called.seeded(6, 0).answer, first)


def test_a_seeded_call_of_ours_leaves_this_process_alone():
    before = torch.get_rng_state()

    def f(x):
        torch.set_grad_enabled(False)
        return x.add_(torch.rand(1))

    call = LocalCandidate(f).seeded(5, given := torch.ones(1))
    assert torch.equal(torch.get_rng_state(), before)
    assert torch.is_grad_enabled()
    assert not call.gradients_kept
    assert float(given) == 1.0
    assert torch.equal(call.args[0], call.answer)


def test_a_seeded_call_gives_its_arguments_afterwards_and_whether_gradients_are_on(candidate):
    boxed = candidate("def f(x):\n    torch.set_grad_enabled(False)\n    x += 1\n    return 0")
    for _ in range(2):
        call = boxed.seeded(1, torch.zeros(2))
        assert not call.gradients_kept
        assert torch.equal(call.args[0], torch.ones(2))
    assert candidate("def f(x):\n    return 0").seeded(1, 0).gradients_kept


def test_whole_numbers_of_numpys_come_back_as_ints_also_in_a_pair(candidate):
    boxed = candidate("import numpy as np\n\n\ndef f(x):\n    return np.int64(x), [np.arange(x).sum()]")
    answer = boxed(3)
    assert answer == (3, [3])
    assert type(answer[0]) is type(answer[1][0]) is int


def test_a_numpy_number_comes_back_as_a_python_number(candidate):
    boxed = candidate("import numpy as np\n\n\ndef f(x):\n    return np.mean([1.0, 2.0])")
    assert boxed.seeded(1, 0).answer == 1.5
