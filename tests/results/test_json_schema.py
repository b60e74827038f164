"""Results and classes are read as they were written, and nothing else is taken for one."""

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest

from graders.classroom import class_record
from graders.classroom.class_record import ClassRecord, HandIn
from graders.results.result import from_json, to_json
from tests.reports import class_of_twelve, sample


@pytest.mark.parametrize("result", class_of_twelve.results(), ids=lambda result: result.submission.id)
def test_a_result_is_read_as_it_was_written(result):
    assert from_json(to_json(result)) == result


def test_a_key_that_a_newer_version_wrote_is_skipped():
    data = json.loads(to_json(sample.result()))
    data["newer"] = data["exercises"][0]["newer"] = {"any": [1]}
    assert from_json(json.dumps(data)) == sample.result()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"schema": "softmark/result/9"}, "not of schema softmark/result/1"),
        ({"schema": 1}, "schema"),
        ({"points": "all"}, "points"),
        ({"exercises": [{"name": "x"}]}, "title"),
        ({"language": "de"}, "language"),
    ],
    ids=["another schema", "no schema", "points in words", "an exercise without a title", "a language"],
)
def test_what_is_not_a_result_is_refused_with_the_key_that_is_wrong(change, reason):
    data = json.loads(to_json(sample.result())) | change
    with pytest.raises(ValueError, match=reason):
        from_json(json.dumps(data))


def test_a_schema_that_is_not_the_first_key_counts_and_of_two_the_last():
    text, key = to_json(sample.result()), '"schema": "softmark/result/1"'
    data = json.loads(text)
    data["schema"] = data.pop("schema")
    assert from_json(json.dumps(data)) == sample.result()
    for more in (", " + key.replace("/1", "/9"), ""):
        without = text.replace(key + ",", "" if not more else f"{key},", 1).rstrip().removesuffix("}")
        with pytest.raises(ValueError, match="schema"):
            from_json(f"{without}{more}}}")


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"schema": NaN}'])
def test_what_is_no_json_object_is_refused(text):
    with pytest.raises(ValueError, match=r"."):
        from_json(text)


def of_one(at: datetime) -> ClassRecord:
    return ClassRecord("attention", 20, hand_ins=(HandIn("alice", "alice.py", at),))


@pytest.mark.parametrize(
    "offset", [timedelta(), timedelta(hours=2), timedelta(hours=-9.5), timedelta(minutes=9, seconds=21)]
)
def test_a_time_is_the_same_moment_after_reading(offset):
    at = datetime(1899, 12, 30, 22, 15, 7, 25, tzinfo=timezone(offset))
    read = class_record.from_json(class_record.to_json(of_one(at))).hand_ins[0].at
    assert read == at
    assert read.astimezone(UTC) == at.astimezone(UTC)


def test_a_time_without_a_zone_is_refused():
    text = class_record.to_json(of_one(datetime(2026, 11, 20)))
    with pytest.raises(ValueError, match="no time zone"):
        class_record.from_json(text)
