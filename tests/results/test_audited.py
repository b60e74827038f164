"""Of an audited exercise: which mistakes were caught and named, and what answers keep."""

from graders.results.audit_result import AuditedCheck, AuditedExercise, Kind, Tried


def tried(kind: Kind, name: str, outcome: str = "failed", **more: object) -> Tried:
    return Tried(kind, name, outcome, **more)  # type: ignore[arg-type]


def test_mistakes_are_caught_by_checks_and_named_as_themselves_or_as_another():
    itself = tried(Kind.MISTAKE, "f__a", failed=("core",), named=(("f__a",),))
    other = tried(Kind.MISTAKE, "f__b", failed=("core", "side"), named=(("f__a",),))
    either = tried(Kind.MISTAKE, "f__c", failed=("side",), named=(("f__c",), ("f__a",)))
    unseen = tried(Kind.MISTAKE, "f__d", "passed")
    right, wrong = tried(Kind.RIGHT, "plain", "passed"), tried(Kind.RIGHT, "odd", failed=("core",))
    checks = (AuditedCheck("core", False, share=0.75), AuditedCheck("side", False, share=0.25))
    audited = AuditedExercise("f", "F", "first", checks, (itself, other, either, unseen, right, wrong))
    assert audited.caught == [itself, other, either]
    assert audited.named == [itself]
    assert audited.misnamed == [other, either]
    assert audited.accepted == [right]
    assert audited.of(Kind.EMPTY) == []
    assert [audited.keeps(t) for t in audited.tried] == [0.25, 0.0, 0.75, 1.0, 1.0, 0.25]
    assert (audited.catches("core"), audited.catches("side")) == (["f__a", "f__b"], ["f__b", "f__c"])
