"""The channel's rules: one question, one answer that names it, nothing unasked, and a deadline."""

import itertools
import json
import os
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from graders.results.result import Outcome
from graders.sandbox.limits import Limits
from graders.sandbox.process import Answer, StudentProcess
from graders.sandbox.process_lost import ProcessLost
from graders.sandbox.socket_line import SocketLine
from softmark_worker import wire
from tests.support.frames import TOKEN, damaged, framed, split

Reply = Callable[[bytes], Iterable[bytes]]


@contextmanager
def peer(reply: Reply, *, stays: bool = True, reads: int = 1 << 16) -> Iterator[StudentProcess]:
    """A child whose process is a thread here: it reads a request and writes `reply(its id)`, in portions."""
    channel, theirs = socket.socketpair()
    output, their_output = os.pipe()
    status, their_status = os.pipe()
    their_leash, leash = os.pipe()
    os.close(their_output)
    os.write(their_status, b'{"exit": 0, "cpu_s": 0.0, "waited": 0.0}\n')
    os.close(their_status)  # no interpreter is there that could be asked for more

    def serve() -> None:
        try:
            while data := theirs.recv(reads):
                token = json.loads(split(data, wire.REQUEST)[0])["id"].encode()
                for portion in reply(token):
                    theirs.sendall(portion)
                if not stays:
                    theirs.shutdown(socket.SHUT_RDWR)
        except (OSError, ValueError, wire.BadFrame):
            pass  # the other end has had enough, or went on in the middle of a question

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        line = SocketLine(channel, output, status, leash, Limits())
        with StudentProcess(line, Limits()) as child:
            yield child
    finally:
        theirs.shutdown(socket.SHUT_RDWR)
        thread.join()
        theirs.close()
        os.close(their_leash)


def right(token: bytes, value=None) -> bytes:
    return framed(value, token.decode())


def lost(reply: Reply, questions: int = 1, seconds: float = 2.0) -> ProcessLost:
    with peer(reply) as child, pytest.raises(ProcessLost) as caught:
        for _ in range(questions):
            child.ask("call", [None, [], {}], seconds)
            time.sleep(0.05)
    return caught.value


def assert_interfered(found: ProcessLost) -> None:
    assert found.outcome is Outcome.FAILED
    assert "interfered with the channel" in str(found)


@given(damaged(), st.booleans(), st.lists(st.integers(1, 40), max_size=4))
@settings(max_examples=50)
@pytest.mark.slow
def test_whatever_is_answered_is_a_value_or_a_loss_before_the_deadline(data, stays, cuts):
    def reply(token: bytes) -> list[bytes]:
        whole = data.replace(TOKEN.encode(), token)
        places = [0, *sorted({cut for cut in cuts if cut < len(whole)}), len(whole)]
        return [whole[start:end] for start, end in itertools.pairwise(places)]

    start = time.monotonic()
    with peer(reply, stays=stays) as child:
        try:
            answer = child.ask("call", [None, [], {}], 0.1)
        except ProcessLost as found:
            assert found.outcome in (Outcome.FAILED, Outcome.TIMED_OUT, Outcome.RAISED)
        else:
            assert type(answer) is Answer
            assert type(answer.ok) is bool
    assert time.monotonic() - start < 2


def test_a_right_answer_is_an_answer():
    with peer(lambda token: [right(token, [1, 2])]) as child:
        assert child.ask("call", [], 2).value == [1, 2]
        assert child.ask("call", [], 2).value == [1, 2]


def test_an_answer_in_portions_is_an_answer():
    x = torch.randn(100_000)
    with peer(
        lambda token: [right(token, x)[start : start + 50_000] for start in range(0, 450_000, 50_000)]
    ) as child:
        assert torch.equal(child.ask("call", [], 2).value, x)


WRONG = {
    "another id": {"id": "0" * 32},
    "no id": {"id": None},
    "an id that is no text": {"id": 1},
    "ok as a number": {"ok": 1},
    "ok as text": {"ok": "true"},
    "no ok": {"ok": None},
    "a field more": {"points": 20},
}


@pytest.mark.parametrize("fields", WRONG.values(), ids=WRONG)
def test_a_reply_with_other_fields_is_refused(fields):
    def reply(token: bytes) -> list[bytes]:
        text = json.dumps({"id": token.decode(), "ok": True} | fields | {"value": 1}).encode()
        return [wire.PREFIX.pack(len(text), 0) + text]

    assert_interfered(lost(reply))


@pytest.mark.parametrize("missing", ["id", "ok", "value"])
def test_a_reply_without_a_field_is_refused(missing):
    def reply(token: bytes) -> list[bytes]:
        fields = {"id": token.decode(), "ok": True, "value": 1}
        del fields[missing]
        text = json.dumps(fields).encode()
        return [wire.PREFIX.pack(len(text), 0) + text]

    assert_interfered(lost(reply))


def test_the_last_answer_again_is_no_answer_to_the_next_question():
    said: list[bytes] = []

    def reply(token: bytes) -> list[bytes]:
        said.append(right(token))
        return [said[0]]

    assert_interfered(lost(reply, questions=2))


@pytest.mark.parametrize("behind", [b"\0", b"x" * 100_000])
@pytest.mark.parametrize("size", [1, 1 << 20])
def test_bytes_right_behind_an_answer_are_refused(behind, size):
    assert_interfered(lost(lambda token: [right(token, torch.zeros(size)) + behind]))


def test_two_answers_at_once_are_refused():
    assert_interfered(lost(lambda token: [right(token) * 2]))


def test_bytes_between_an_answer_and_the_next_question_are_refused():
    def reply(token: bytes) -> Iterator[bytes]:
        yield right(token)
        time.sleep(0.02)
        yield b"\0"

    assert_interfered(lost(reply, questions=2))


def test_a_byte_before_the_first_question_is_refused():
    with peer(lambda token: [right(token)]) as child:
        channel = child._line._channel
        channel.setblocking(True)
        channel.send(right(TOKEN.encode()))  # the peer takes it for a question and answers
        channel.setblocking(False)
        time.sleep(0.1)
        with pytest.raises(ProcessLost) as caught:
            child.ask("call", [], 2)
    assert_interfered(caught.value)


def test_an_answer_before_the_question_is_read_is_refused():
    with peer(lambda token: [right(token)], reads=200) as child, pytest.raises(ProcessLost) as caught:
        child.ask("call", [torch.zeros(4 << 20)], 2)
    assert_interfered(caught.value)


def test_an_answer_begun_before_its_question_is_refused():
    begun = slice(0, wire.PREFIX.size + len('{"id":"'))  # the same for every question
    questions = itertools.count()

    def reply(token: bytes) -> Iterator[bytes]:
        whole = right(token)
        yield whole[begun.stop :] if next(questions) else whole
        time.sleep(0.02)
        yield whole[begun]

    assert right(b"0" * 32)[begun] == right(b"1" * 32)[begun]
    assert_interfered(lost(reply, questions=2))


def test_an_answer_that_trickles_in_is_late():
    found = lost(lambda token: [bytes([byte]) for byte in right(token, torch.zeros(1 << 18))], seconds=0.3)
    assert found.outcome is Outcome.TIMED_OUT


def test_bytes_that_never_cease_are_no_answer_in_time(monkeypatch):
    clock = itertools.count(0.0, 0.1)  # a tenth of a second from one look to the next
    monkeypatch.setattr("graders.sandbox.socket_line.monotonic", lambda: next(clock))
    monkeypatch.setattr("graders.sandbox.own_time.time", SimpleNamespace(monotonic=lambda: next(clock)))
    found = lost(lambda token: [right(token, torch.zeros(4 << 20))], seconds=1.0)
    assert found.outcome is Outcome.TIMED_OUT


def test_a_lost_channel_stays_lost():
    with peer(lambda token: [b"\xff" * 100]) as child:
        for _ in range(2):
            with pytest.raises(ProcessLost) as caught:
                child.ask("call", [], 2)
            assert_interfered(caught.value)


def test_no_two_questions_have_the_same_id():
    seen: list[bytes] = []

    def reply(token: bytes) -> list[bytes]:
        seen.append(token)
        return [right(token)]

    with peer(reply) as child:
        for _ in range(50):
            child.ask("call", [], 2)
    assert len(set(seen)) == 50
    assert all(len(token) == 32 for token in seen)
