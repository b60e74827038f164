"""Known mistakes are kept as data; joined they are for readers alone."""

import json

from graders.results.mistakes import join_mistakes, join_names
from graders.results.result import Mistake, Outcome, from_json, to_json
from reports.class_statistics import tally
from tests.reports import sample

A, B, C = (Mistake(f"f__{name}", f"mend {name}.", f"réparez {name}.") for name in "abc")


def test_alternatives_and_mistakes_at_once_are_joined_in_two_languages():
    joined = join_mistakes(((A, B), (C,)))
    assert joined is not None
    assert joined.name == "f__a + f__b | f__c" == join_names([["f__a", "f__b"], ["f__c"]])
    assert joined.hint == "mend a. And: mend b. Or: mend c."
    assert joined.hint_fr == "réparez a. Et\u00a0: réparez b. Ou bien\u00a0: réparez c."


def test_one_mistake_is_itself_and_none_is_none():
    assert join_mistakes(((A,),)) == A
    assert join_mistakes(()) is None
    assert join_mistakes(((Mistake("f__a", "mend a."),),)) == Mistake("f__a", "mend a.")


def test_mistakes_come_back_from_json_whatever_their_hints_say():
    odd = Mistake("f__odd + even | both", "this And: that Or: nothing", "ceci Et\u00a0: rien")
    finding = sample.finding(Outcome.FAILED, mistake=join_mistakes(((odd,),)), mistakes=((odd,),))
    result = from_json(to_json(sample.result(sample.exercise(finding))))
    [exercise] = result.exercises
    assert exercise.findings[0].mistakes == ((odd,),)
    assert list(tally.mistakes_in(exercise)) == [odd.name]


def test_a_result_that_was_written_without_mistakes_has_its_mistake_as_the_only_one():
    finding = sample.finding(Outcome.FAILED, mistake=A)
    data = json.loads(to_json(sample.result(sample.exercise(finding))))
    del data["exercises"][0]["findings"][0]["mistakes"]
    [exercise] = from_json(json.dumps(data)).exercises
    assert exercise.findings[0].mistakes == ()
    assert exercise.findings[0].alternatives == ((A,),)
    assert tally.mistakes_in(exercise) == {"f__a": ((A,),)}
