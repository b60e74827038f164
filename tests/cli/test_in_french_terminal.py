"""With `--lang fr`, the terminal shows French: sentences, places, numbers."""

import io
import re
import signal
import zipfile
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from rich.console import Console

from graders.course.exercise import load_assignment
from graders.course.late_policy import late_policy_of, lateness
from graders.grade import Grader
from graders.language import number, speaking
from graders.results.result import Outcome, Remark
from graders.sandbox.denied import explain_denial
from graders.sandbox.isolation.causes import Cause
from graders.sandbox.isolation.choose_level import Step
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import GB, MB, BadLimit, Limits, format_size, show_limits
from graders.sandbox.process_lost import model_time, no_answer, submission_time, why_it_ended
from graders.sandbox.worker_messages import find_sentence
from reports.terminal import show
from tests.conftest import HANDED_IN
from tests.maintenance.catalogue import read_catalogue
from tests.reports import sample
from tests.support.notebooks import notebook

ENGLISH = re.compile(
    r"\b(?:the|this|that|these|with|without|where|which|what|and|is|are|was|were|has|have|had|should|must|may|"
    r"cannot|could|not|more|than|its|it|of|from|for|box|cell|line|points|given|found|undecided|submission)\b",
    re.IGNORECASE,
)
# Names, code, Python's own messages, and words that are French, too.
CODE = re.compile(
    r"`[^`]*`|\{[^}]*\}|%\(\w+\)s|--[\w-]+|softmark explain \w+|\w*Error\b.*|\b\w+\.\w+\b|\bpoints?\b|"
    r'"[^"]*"|\b(?:for|is|are)\b(?= )(?=[^a-z]*[(\[])|late\u00a0:.*|import \*'
)


def english(text: str) -> list[str]:
    """The English words of a text that are neither code nor French."""
    return [word for word in ENGLISH.findall(CODE.sub(" ", text)) if word.lower() not in ("points",)]


def test_english_would_be_noticed():
    assert english("the code printed more than 8 MB") == ["the", "more", "than"]
    assert english("le code a affiché plus de 8 Mo, ligne 3 : NameError: name 'x' is not defined") == []


def test_no_translation_is_english():
    said = [
        text
        for m in read_catalogue()
        if m.id
        for text in ([m.string] if isinstance(m.string, str) else m.string)
    ]
    assert [(text, english(text)) for text in said if english(text)] == []


TROUBLES = {
    "nothing": ("x = 1\n", "n'est pas défini dans ce qui a été rendu"),
    "another name": ("def concat_head(x):\n    return x\n", "Le nom doit être concat_heads"),
    "as handed out": ("def concat_heads(x):\n    raise NotImplementedError\n", "tel qu'il a été distribué"),
    "no Python": ("def concat_heads(x) return x\n", "n'est pas du Python valide"),
    "no function": ("concat_heads = 3\n", "devrait être une fonction ou une classe"),
    "raises when loaded": ("W = 1 / 0\nconcat_heads = W\n", "n'a pas pu être chargé"),
    "ends the process": ("import os\nos._exit(0)\n" * 2 + "def concat_heads(x, o=os):\n    return x\n", ""),
    "prints without end": (
        "def concat_heads(x):\n    print('x' * 9_000_000)\n    return x\n",
        "plus de 8 Mo",
    ),
    "the network": (
        "import socket\ndef concat_heads(x):\n    socket.gethostbyname('a.b')\n    return x\n",
        "pas de réseau dans le bac à sable",
    ),
}


@pytest.mark.parametrize("trouble", list(TROUBLES))
def test_what_went_wrong_is_said_in_french(trouble, assignment, draws, box, tmp_path: Path):
    code, message = TROUBLES[trouble]
    (tmp_path / "rendu.py").write_text(code, encoding="utf-8")
    with speaking("fr"):
        result = Grader(assignment.only(["concat_heads"]), draws, box).grade(tmp_path / "rendu.py", "rendu")
    [exercise] = result.exercises
    messages = [exercise.message, *(finding.message for finding in exercise.findings)]
    said = [*filter(None, messages), *(remark.says for remark in result.remarks)]
    assert any(message in text for text in said), said
    if exercise.message:
        assert [(text, english(text)) for text in said if english(text)] == []


def test_a_whole_screen_is_french(draws, box):
    stream = io.StringIO()
    names = ["concat_heads", "scaled_dot_product_attention", "feed_forward"]
    with speaking("fr"):
        asks = load_assignment("attention").only(names)
        result = Grader(asks, draws, box).grade(HANDED_IN / "lucas.py", "lucas")
        show(Console(file=stream, width=400), result, every=True)
    lines = stream.getvalue().split("\n")
    assert {"a levé une erreur", "réussi"} <= {
        message for line in lines for message in ("a levé une erreur", "réussi") if message in line
    }
    assert [(line, english(line)) for line in lines if english(line)] == []
    without_inputs = re.sub(r" = \[.*\]", "", stream.getvalue())  # whose values are Python
    assert re.search(r"0,\d+ / 0,\d+", without_inputs) and not re.search(r"\d\.\d", without_inputs)


def test_places_in_a_notebook_are_said_in_french(assignment, draws, box, tmp_path: Path):
    cells = ["def concat_heads(x):\n    return x\n", "a = = 1", "def concat_heads(x):\n    return x + nope\n"]
    path = tmp_path / "rendu.ipynb"
    path.write_bytes(notebook(*cells))
    with speaking("fr"):
        result = Grader(assignment.only(["concat_heads"]), draws, box).grade(path, "rendu")
    said = [remark.says for remark in result.remarks]
    assert any(text.startswith("Cette cellule n'est pas du Python valide") for text in said)
    assert "concat_heads est défini plusieurs fois" in " ".join(said)
    assert [text for text in said if english(re.sub(r"\(invalid syntax[^)]*\)", "", text))] == []


def test_the_reason_for_a_lost_process_is_in_french():
    endings = [
        {"exit": 3},
        {"exit": -signal.SIGSEGV},
        {"exit": -signal.SIGXCPU},
        {"exit": -signal.SIGKILL},
        {},
    ]
    with speaking("fr"):
        said = [str(why_it_ended(report, Limits(), None)) for report in endings]
        for time in (submission_time(Limits(submission_s=1.5)), model_time(Limits())):
            said += [time.used_up, time.before]
        said.append(no_answer(3))
    assert len(set(said)) == 10
    assert [text for text in said if english(text)] == []
    assert "le temps prévu pour tout le rendu (1,5\N{NO-BREAK SPACE}s) est épuisé" in said


@pytest.mark.parametrize(
    ("error", "message"),
    [
        ("OSError: [Errno 24] Too many open files", "au plus 64 fichiers"),
        ("OSError: [Errno 27] File too large", "au plus 32\u202fMo"),
        ("PermissionError: [Errno 13] Permission denied: '/x'", "seul /tmp est accessible en écriture"),
        ("ModuleNotFoundError: No module named 'keras'", "le correcteur ne dispose pas de ce paquet"),
    ],
    ids=["open files", "file", "permission", "module"],
)
def test_an_error_of_the_box_is_explained_in_french(error, message):
    with speaking("fr"):
        text, _ = explain_denial(error, [], Limits(), scratch=True)
    assert text.startswith(f"{error} (") and message.replace("\u202f", " ") in text


def test_what_the_worker_says_is_said_in_french():
    with speaking("fr"):
        assert (
            find_sentence({"says": "not_a_module", "got": "int"})
            == "la classe doit hériter de nn.Module, mais elle crée un objet de type int"
        )
        assert find_sentence({"says": "too_many_values"}) == "elle contient trop de valeurs"
        waits = find_sentence({"says": "input_waits", "prompt": "'{x}'"})
        assert waits is not None and waits.startswith("input('{x}') attend")


def test_sizes_and_limits_are_written_as_french_writes_them():
    with speaking("fr"):
        assert [format_size(1.5 * GB), format_size(64 * MB), format_size(12)] == [
            "1,5 Go",
            "64 Mo",
            "12 octets",
        ]
        assert "0,75 s" in {value for _, value, _ in show_limits()}
        with pytest.raises(BadLimit, match="il faut un nombre positif"):
            Limits().change(["memory=much"])
    assert Limits().change(["memory=2Go"]) == Limits().change(["memory=2GB"])


def test_what_handing_in_late_costs_is_said_in_french():
    due = datetime(2026, 1, 1, tzinfo=UTC)
    rule = late_policy_of({"due": due, "per_day": 0.125, "free_days": 1})
    with speaking("fr"):
        late = lateness(rule, due + timedelta(days=2), 10.0, 20.0)
        within_free_days = lateness(rule, due + timedelta(hours=2), 10.0, 20.0)
    assert late is not None and within_free_days is not None
    assert (
        late.says == "remis avec 2 jours de retard (dont 1 sans pénalité)\u00a0: moins 12,5\u00a0% du maximum"
    )
    assert within_free_days.says == "remis avec 1 jour de retard, ce qui ne coûte rien"


def test_isolation_levels_and_their_advice_are_in_french():
    with speaking("fr"):
        said = [level.says for level in IsolationLevel]
        said += [str(Step(IsolationLevel.NESTED, "", cause).advice) for cause in Cause]
    assert "None" not in said
    assert [text for text in said if english(text)] == []


def test_what_cannot_be_read_is_said_in_french(assignment, draws, box, tmp_path: Path):
    (tmp_path / "a.txt").write_text("x", encoding="utf-8")
    (tmp_path / "b.ipynb").write_text("[]", encoding="utf-8")
    (tmp_path / "c.zip").write_bytes(b"no zip")
    with zipfile.ZipFile(tmp_path / "d.zip", "w") as archive:
        archive.writestr("../x.py", "")
    grader = Grader(assignment.only(["concat_heads"]), draws, box)
    with speaking("fr"):
        results = [
            grader.grade(tmp_path / name, "x") for name in ("a.txt", "b.ipynb", "c.zip", "d.zip", "none")
        ]
    said = [result.unreadable or "" for result in results]
    assert len(set(said) - {""}) == 5
    assert [(text, english(text)) for text in said if english(text)] == []


def test_a_result_is_printed_in_its_own_language():
    result = sample.result(
        sample.exercise(sample.finding(Outcome.SKIPPED, max_points=2), undecided_points=2),
        remarks=(Remark("une remarque"),),
    )
    stream = io.StringIO()
    show(Console(file=stream, width=90), replace(result, language="fr", sandbox="open"))
    text = stream.getvalue()
    for message in (
        "bac à sable\u00a0: open",
        "Ce code s'est exécuté sans bac à sable.",
        "Remarques",
        "2 à décider",
    ):
        assert message in text, text
    assert "Pour en savoir plus\u00a0: softmark explain box, softmark explain undecided" in text
    with speaking("fr"):
        assert number(0.5) == "0,5"
