"""Audits as they might be: one without a gap, one with every kind of gap."""

from graders.results.audit_result import AuditedCheck, AuditedExercise, Kind, Tried

EMPTY = ("constant", "zeros", "identity", "shuffled", "random")
CHECKS = (
    AuditedCheck("keeps_the_shape", shape_only=True, kept_because="the others need the shape"),
    AuditedCheck("is_the_references", shape_only=False),
    AuditedCheck("hides_what_is_masked", shape_only=False),
    AuditedCheck("attends_head_by_head", shape_only=False),
    AuditedCheck("gradients_reach_every_parameter", shape_only=False),
    AuditedCheck("keeps_its_inputs", shape_only=False),
)
BITING = tuple(check.name for check in CHECKS if not check.shape_only)
# name, by which checks caught, named as
MISTAKES = (
    ("MultiHeadAttention__unscaled", BITING, "MultiHeadAttention__unscaled"),
    ("MultiHeadAttention__scaled_by_embed_dim", BITING[:2], "MultiHeadAttention__scaled_by_embed_dim"),
    ("MultiHeadAttention__mask_ignored", BITING[1:2], "MultiHeadAttention__mask_ignored"),
    ("MultiHeadAttention__changes_x", BITING[-1:], "MultiHeadAttention__changes_x"),
    ("MultiHeadAttention__one_head", BITING[:4], "MultiHeadAttention__one_head"),
)
RIGHT = ("course", "einsum", "loop_over_heads", "of_torch", "own_softmax", "renamed_fused")


def exercise(name: str = "multi_head_attention", title: str = "Multi-head attention") -> AuditedExercise:
    """An exercise whose checks catch every known mistake."""
    tried = (
        Tried(Kind.REFERENCE, "MultiHeadAttention", "passed"),
        *(Tried(Kind.MISTAKE, who, "failed", failed, ((named,),)) for who, failed, named in MISTAKES),
        *(Tried(Kind.EMPTY, who, "failed", BITING) for who in EMPTY),
        *(Tried(Kind.RIGHT, who, "passed") for who in RIGHT),
    )
    return AuditedExercise(name, title, "attention", CHECKS, tried)


def with_gaps(name: str = "gpt_attention", title: str = "Causal self-attention") -> AuditedExercise:
    """An exercise with every kind of gap."""
    tried = (
        Tried(Kind.REFERENCE, "GPTAttention", "passed"),
        Tried(Kind.MISTAKE, "GPTAttention__unscaled", "failed", BITING[:4], (("GPTAttention__unscaled",),)),
        Tried(Kind.MISTAKE, "GPTAttention__dropout_of_scores", "passed"),
        Tried(Kind.MISTAKE, "GPTAttention__without_bias", "failed", BITING[:1]),
        Tried(
            Kind.MISTAKE,
            "GPTAttention__mask_of_rows",
            "failed",
            BITING[1:2],
            (("GPTAttention__mask_of_rows",), ("GPTAttention__unscaled", "GPTAttention__without_bias")),
        ),
        *(Tried(Kind.EMPTY, who, "failed", BITING[:4]) for who in EMPTY),
        *(Tried(Kind.RIGHT, who, "passed") for who in RIGHT[:4]),
        Tried(Kind.RIGHT, "own_softmax", "failed", BITING[:1], (), "4 of 4 values of the output differ"),
    )
    gaps = (
        "the right answer own_softmax is not accepted: is_the_references: 4 of 4 values of the output differ",
        "there are 5 right answers; at least 6 are needed",
        "GPTAttention__dropout_of_scores is not caught",
        "GPTAttention__without_bias is not named",
        "GPTAttention__mask_of_rows is named as GPTAttention__mask_of_rows | GPTAttention__unscaled"
        " + GPTAttention__without_bias",
        "the check keeps_its_inputs catches no mistake",
        *(f"the check keeps_its_inputs lets an empty answer pass ({who})" for who in EMPTY),
    )
    return AuditedExercise(name, title, "gpt", CHECKS, tried, gaps)
