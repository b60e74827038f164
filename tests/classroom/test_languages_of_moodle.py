"""Worksheets in languages that softmark does not speak: who is meant, and when they handed in."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import click
import pytest
from babel import Locale
from babel.dates import format_date
from hypothesis import given
from hypothesis import strategies as st

from graders.classroom.class_record import ClassRecord
from graders.classroom.intake.column_times import read_times
from graders.classroom.intake.language_names import LANGUAGES
from graders.classroom.intake.roster import (
    BadRoster,
    ParsedRoster,
    RosterOptions,
    find_columns,
    parse_roster,
)
from graders.classroom.intake.take import take
from graders.cli.column_titles import ColumnTitles
from tests.support.downloads import CODE, packed

PARIS = ZoneInfo("Europe/Paris")
AT = datetime(2026, 11, 20, 23, 10)
PEOPLE = [
    ("Anna Müller", "anna@uni.example"),
    ("Jörg Groß", "jg@uni.example"),
    ("Eva-Maria de la Cruz", "e@u.example"),
]


def read(cells: Sequence[str]) -> list[datetime | None]:
    return [at and at.replace(tzinfo=None) for at in read_times(cells, UTC).at]


@pytest.mark.parametrize(
    "text",
    [
        "Friday, November 20, 2026, 11:10 PM",
        "Friday, 20 November 2026, 11:10 PM",
        "vendredi 20 novembre 2026, 23:10",
        "Freitag, 20. November 2026, 23:10",
        "viernes, 20 de noviembre de 2026, 23:10",
        "sexta-feira, 20 de novembro de 2026 às 23:10",
        "Sexta, 20 Novembro 2026, 23:10",
        "venerdì, 20 novembre 2026, 23:10",
        "divendres, 20 de novembre 2026, 23:10",
        "piątek, 20 listopada 2026, 23:10",
        "pátek, 20. listopad 2026, 23.10",
        "пятница, 20 ноября 2026, 23:10",
        "perjantai, 20. marraskuuta 2026, 23.10",
        "Παρασκευή, 20 Νοεμβρίου 2026, 11:10 μ.μ.",
        "الجمعة، 20 نوفمبر 2026، 11:10 م",
        "2026. november 20., péntek, 23:10",
        "2026年11月20日(金曜日) 23:10",
        "2026년 11월 20일 금요일 오후 11:10",
        "20/11/2026, 23:10",
        "20.11.2026 23:10",
        "2026/11/20 23:10:00",
        "11/20/2026 11:10 PM",
    ],
)
def test_a_time_is_read_in_the_languages_of_moodle(text: str):
    assert read([text]) == [AT]


SURE = ("en", "fr", "de", "es", "pt", "it", "nl", "ca", "pl", "cs", "ru", "sv", "el", "tr", "ja", "zh")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_reads_its_own_dates_or_says_that_it_does_not(language: str):
    dates = [datetime(2026, month, day) for month in range(1, 13) for day in (1, 20)]
    texts = [f"{format_date(date, 'full', Locale.parse(language))}, 23:10" for date in dates]
    found = read(texts)
    for date, at in zip(dates, found, strict=True):
        assert at in (None, date.replace(hour=23, minute=10))
    if language in [
        "en",
        "fr",
        "de",
        "es",
        "pt",
        "it",
        "nl",
        "ca",
        "pl",
        "cs",
        "ru",
        "sv",
        "el",
        "tr",
        "ja",
        "zh",
        "ko",
    ]:
        assert all(found)


@pytest.mark.parametrize(
    "text",
    [
        "05/06/2026, 23:10",  # May or June
        "wtorek, 20 listopada 2026, 23:10",  # no Tuesday
        "20 listopada 2026, 23:10",  # November in Polish, October in Croatian
        "vor 3 Tagen 4 Stunden 10:20",
        "20 November 1405, 23:10",
        "20 Florp 2026, 23:10",
        "20 Mai Juni 2026, 23:10",
        "20. November 2026",
        "31/11/2026, 23:10",
    ],
)
def test_a_time_that_may_be_another_is_not_understood(text: str):
    assert read_times([text], UTC).unread == (0,)


def test_other_times_of_the_column_decide_what_is_meant():
    assert read(["05/06/2026, 23:10", "20/06/2026, 10:00"])[0] == datetime(2026, 6, 5, 23, 10)
    assert read(["05/06/2026, 11:10 PM", "06/20/2026, 10:00 AM"])[0] == datetime(2026, 5, 6, 23, 10)
    assert read(["20 listopada 2026, 23:10", "piątek, 20 listopada 2026, 23:10"])[0] == AT
    assert read_times(["-", "", "Niemals"], UTC).unread == ()


FORMS = [
    "%d/%m/%Y, %H:%M",
    "%m/%d/%Y, %H:%M",
    "%d.%m.%Y %H.%M",
    "%Y-%m-%d %H:%M",
    "%A, %B %d, %Y, %I:%M %p",
]
MOMENTS = st.datetimes(datetime(2026, 1, 1), datetime(2027, 12, 31))
CELLS = st.lists(MOMENTS.map(lambda at: at.replace(second=0, microsecond=0)), min_size=1, max_size=5)


@given(CELLS, st.sampled_from(FORMS), st.randoms(use_true_random=False))
def test_what_is_read_is_right_and_does_not_depend_on_the_order_of_rows(moments, form, chance):
    texts = [at.strftime(form) for at in moments]
    found = read(texts)
    assert all(got in (None, at) for at, got in zip(moments, found, strict=True))
    order = chance.sample(range(len(texts)), len(texts))
    assert read([texts[i] for i in order]) == [found[i] for i in order]


PIECES = st.lists(st.sampled_from([*"0123456789 :/.-年月日", "mai", "pm", "20", "2026"])).map("".join)


@given(st.text(max_size=40) | PIECES)
def test_any_text_is_a_time_or_none(text: str):
    assert len(read_times([text], UTC).at) == 1


def worksheet(
    header: str, participant: str, times: Sequence[str] = ("Freitag, 20. November 2026, 23:10", "-", "-")
) -> list[list[str]]:
    rows = [
        [f"{participant}{number}", name, email, "Zur Bewertung abgegeben", "", "20,00", "Ja", at, "-", ""]
        for number, (name, email), at in zip((11, 12, 13), PEOPLE, times, strict=True)
    ]
    return [header.split(";"), *rows]


GERMAN = (
    "ID;Vollständiger Name;E-Mail-Adresse;Status;Bewertung;Bestwertung;Bewertung kann geändert werden;"
    "Zuletzt geändert (Abgabe);Zuletzt geändert (Bewertung);Feedback als Kommentar"
)
ODD = "Kimlik;Ad;E;Durum;Not;En yüksek;D;Son (gönderim);Son (not);Geri bildirim"


def parsed(rows: list[list[str]], **options) -> ParsedRoster:
    return parse_roster(rows, "blatt.csv", PARIS, RosterOptions(**options))


@pytest.mark.parametrize("header", [GERMAN, ODD])
@pytest.mark.parametrize("participant", ["Teilnehmer/in", "Katılımcı "])
def test_a_worksheet_in_any_language_says_who_and_when(header: str, participant: str):
    roster = parsed(worksheet(header, participant), needs_times=True)
    assert [(s.number, s.name, s.email) for s in roster.students] == [
        (str(number), *who) for number, who in zip((11, 12, 13), PEOPLE, strict=True)
    ]
    assert [at.isoformat() for at in roster.at.values()] == ["2026-11-20T23:10:00+01:00"]
    assert roster.unmatched[0].what == "blatt.csv"
    assert "recognised by their cells" in roster.unmatched[0].why


def test_a_class_with_a_german_worksheet_has_no_strangers(tmp_path: Path):
    files = {f"{name}_{n}_assignsubmission_file_/a.py": CODE for n, (name, _) in enumerate(PEOPLE, 11)}
    sheet = tmp_path / "blatt.csv"
    lines = [",".join(f'"{cell}"' for cell in row) for row in worksheet(GERMAN, "Teilnehmer/in")]
    sheet.write_text("\n".join(lines), encoding="utf-8")
    with take(packed(tmp_path / "x.zip", files), "attention", 20, tmp_path / "out", sheet, PARIS) as intake:
        record: ClassRecord = intake.class_record
    assert {hand_in.students for hand_in in record.hand_ins} == {(email,) for _, email in PEOPLE}
    assert [hand_in.clock for hand_in in record.hand_ins].count("roster") == 1


def test_groups_are_found_by_their_titles_or_as_somebody_says():
    rows = [["Nr", "Ad", "Gruppe"], ["Katılımcı 1", "x y", "Blau"], ["Katılımcı 2", "z w", "Blau"]]
    assert {student.group for student in parsed(rows).students} == {"Blau"}
    rows[0][2] = "Takım"
    assert {student.group for student in parsed(rows).students} == {""}
    assert {student.group for student in parsed(rows, columns={"group": "Takım"}).students} == {"Blau"}


def test_a_time_that_is_not_understood_is_shown_and_stops_where_lateness_costs():
    rows = worksheet(GERMAN, "Teilnehmer/in", ("Freitag, 20. Florp 2026, 23:10", "-", "-"))
    roster = parsed(rows)
    assert roster.at == {}
    assert "'Freitag, 20. Florp 2026, 23:10'" in roster.unmatched[-1].why
    with pytest.raises(BadRoster, match=r"row 2: Anna Müller, 'Freitag, 20. Florp 2026, 23:10'. Write"):
        parsed(rows, needs_times=True)


def test_columns_that_somebody_names_are_taken():
    rows = [["Kto", "Post", "Cas"], ["x y", "a@b.example", "20/11/2026 10:00"], ["z w", "c@d.example", "-"]]
    assert find_columns(rows, "t.csv") == {"email": 1, "name": 0}
    roster = parsed(rows, columns={"id": "kto", "at": "Cas", "email": "Post"})
    assert [(s.id, s.email) for s in roster.students] == [("x y", "a@b.example"), ("z w", "c@d.example")]
    assert len(roster.at) == 1
    with pytest.raises(BadRoster, match="no column 'Kdo': the first line has Kto, Post, Cas"):
        parsed(rows, columns={"id": "Kdo"})


def test_names_in_two_columns_and_numbers_alone_are_found():
    names = [["Vorname", "Nachname"], ["Anna", "Müller"], ["Jörg", "Groß"]]
    assert [student.name for student in parsed(names).students] == ["Anna Müller", "Jörg Groß"]
    numbers = [["Matrikel", "Punkte"], ["1234567", "2"], ["1234568", "2"]]
    assert [student.id for student in parsed(numbers).students] == ["1234567", "1234568"]


def test_a_list_whose_titles_are_known_is_read_by_them_alone():
    rows = [["name", "phone", "ort"], ["Anna Müller", "0123456", "x@y.example"]]
    assert find_columns(rows, "t.csv") == {"name": 0}
    assert find_columns([["id"], ["student12"], ["student13"]], "t.csv") == {"id": 0}


@pytest.mark.parametrize(
    ("said", "titles"),
    [
        ("name=Ad,email=E", {"name": "Ad", "email": "E"}),
        ("name=Nom, prénom , EMAIL = Courriel", {"name": "Nom, prénom", "email": "Courriel"}),
        ("Ad", None),
        ("name=", None),
        ("name=A,name=B", None),
        ("nom=A", None),
    ],
)
def test_titles_are_said_by_their_meaning(said: str, titles: dict[str, str] | None):
    if titles is None:
        with pytest.raises(click.BadParameter, match="write it as name=TITLE"):
            ColumnTitles().convert(said, None, None)
    else:
        assert ColumnTitles().convert(said, None, None) == titles
