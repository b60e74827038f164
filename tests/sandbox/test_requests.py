"""What a submission's process is told: operations and their arguments, and nothing about the checks."""

import json
from dataclasses import replace

import pytest
import torch

from graders.candidate.remote_candidate import RemoteCandidate
from graders.course.exercise import load_assignment
from graders.extraction.extract import Source
from graders.judging.draws import Draws
from graders.sandbox.session import BoxSession
from softmark_worker import wire
from tests.support.frames import parsed, split
from tests.support.submissions import source_of

EXERCISES = load_assignment("attention").exercises
SEED = 918_273_645_546
OPERATIONS = {
    "load": 2,
    "several": 1,
    "take_transposed": 3,
    "forget": 1,
    "call": 3,
    "call_and_look": 3,
    "construct": 5,
    "count_assignments": 2,
    "parameters": 1,
    "load_parameters": 4,
    "parts": 2,
    "train": 2,
    "cast": 2,
    "gradients": 4,
    "train_steps": 4,
}
TELLING = ("tolerance", "points", "expected", "reference", "deadline", "seconds", "draw", "seed", "target")


@pytest.fixture
def sent(monkeypatch) -> list[bytes]:
    """All requests of a test, as they go over the wire."""
    requests: list[bytes] = []
    request = wire.request

    def recorded(*arguments):
        pieces = request(*arguments)
        requests.append(b"".join(pieces))
        return pieces

    monkeypatch.setattr(wire, "request", recorded)
    return requests


def candidate_of(folder, session: BoxSession, exercise) -> RemoteCandidate:
    candidate = RemoteCandidate(session, reference_of(folder, exercise))
    candidate.load()
    return candidate


def reference_of(folder, exercise) -> Source:
    code = f"from solutions.{exercise.name} import {exercise.symbol}"
    return source_of(folder, code, exercise, with_solutions=True)


def without_id(request: bytes) -> bytes:
    token = parsed(request, wire.REQUEST)[0]["id"].encode()
    assert request.count(token) == 1
    return request.replace(token, b"")


@pytest.mark.parametrize("exercise", EXERCISES, ids=[exercise.name for exercise in EXERCISES])
def test_no_request_of_an_exercise_says_anything_about_its_checks(exercise, box, tmp_path, sent):
    draws = Draws(SEED)
    checks = [replace(check, draws=2) for check in exercise.checks]
    with BoxSession(box) as session:
        candidate = candidate_of(tmp_path, session, exercise)
        for check in checks:
            for example in draws.for_check(exercise, check):
                check.judge(candidate, example.draw, *example.answer)
    assert len(sent) > len(checks)
    names = [check.name for check in checks] + [check.says for check in checks]
    for place, request in enumerate(sent):
        fields, value = parsed(request, wire.REQUEST)
        assert fields.keys() == {"id", "do"}
        assert len(value) == OPERATIONS[fields["do"]]
        assert (fields["do"] == "load") is (place == 0)
        told = (
            split(request, wire.REQUEST)[0] if place else json.dumps(value[1]).encode()
        )  # not their own code
        for word in [*names, *TELLING, str(SEED)]:
            assert word.encode() not in told, word
        assert SEED.to_bytes(8, "little") not in request


def test_a_module_is_weighted_without_its_process_seeing_the_seed(box, tmp_path, sent):
    [exercise] = [e for e in EXERCISES if e.name == "feed_forward"]
    with BoxSession(box) as session:
        module = candidate_of(tmp_path, session, exercise).with_random_weights(SEED, embed_dim=4, ff_dim=8)
        module(torch.ones(1, 2, 4))
    assert {parsed(request, wire.REQUEST)[0]["do"] for request in sent} >= {"load_parameters", "call"}
    for request in sent:
        assert str(SEED).encode() not in request
        assert SEED.to_bytes(8, "little") not in request


def test_the_same_question_has_the_same_bytes_whoever_asks_and_for_however_long(box, tmp_path, sent):
    [exercise] = [e for e in EXERCISES if e.name == "split_heads"]
    x = torch.arange(24.0).reshape(1, 3, 8)
    with BoxSession(box) as session:
        candidate = candidate_of(tmp_path, session, exercise)
        del sent[:]
        candidate(x, 2)
        candidate._timeouts = 1  # from now on calls get less time
        candidate(x.clone(), 2)
        session.ask("call", [None, [x, 2], {}], 100)
    assert len({without_id(request) for request in sent}) == 1
    assert len({parsed(request, wire.REQUEST)[0]["id"] for request in sent}) == 3
