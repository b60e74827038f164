"""MiniGPT, trained: minigpt.safetensors with its weights; encode(text, chars), decode(ids, chars)."""

import math

from graders.check_api.check import Violation, require
from graders.check_api.criterion import NEAR, Cause, Doubt, ModelFacts, Share, Stage, criterion
from graders.check_api.drawn_attention import CAUSAL, DrawnAttention
from graders.check_api.options import Options
from graders.language import number, tr, translatable

COUNTED = translatable(
    "The loss that counts was measured where the model gets no more than what lies before a token"
)
UNMOVED = {
    Cause.IDS: translatable(
        "At {places} of {tried} places nothing changes where an id {near} or more back is another one: "
        "does each position look at all that lies before it in the window?"
    ),
    Cause.WEIGHTS: translatable(
        "At {places} of {tried} places nothing changes where all weights are slightly others: "
        "are these numbers learnt weights?"
    ),
}
TABLE = translatable(
    "It is not counted: these are the answers of a table of counts. "
    "Those of a Transformer depend on every id of the window and on its weights"
)
GAIN = 0.1  # bits that every model gains if it uses its context; one that does not gains none


@criterion(points=1, at=Stage.OPENED)
def opens_and_fits(facts: ModelFacts) -> str:
    """the checkpoint opens, and its weights fit MiniGPT(**config)

    fr: le fichier s'ouvre, et ses poids vont dans MiniGPT(**config)
    """
    trained = facts.trained
    return tr(
        "{numbers} numbers, {tokens} tokens, a context of {block}",
        numbers=number(trained.parameters, ","),
        tokens=number(trained.vocab_size, ","),
        block=number(trained.block_size, ","),
    )


@criterion(points=1, at=Stage.ENCODED)
def gives_the_text_back(facts: ModelFacts) -> str | None:
    """decoding what was encoded gives the text back

    fr: décoder ce qui a été encodé redonne le texte
    """
    message = tr(
        "{garbled}. Do encode and decode use the order of chars, and that alone?", garbled=facts.garbled
    )
    require(facts.garbled is None, message)
    return tr("remark: {what}", what=facts.notes[0]) if facts.notes else None


@criterion(points=1, at=Stage.COMPARED)
def sees_no_future(facts: ModelFacts) -> None:
    """what comes after a position does not change its logits

    fr: ce qui suit une position ne change pas ses logits
    """
    unlike = facts.unlike
    if unlike is None:
        return
    counted = "" if facts.trained.counted is None else f" {tr(COUNTED)}"
    if unlike.forgetful:
        message = tr(
            "the same ids should give the same logits in evaluation mode, but give others each time: "
            "is dropout active there?"
        )
        raise Violation(f"{message}{counted}")
    message = tr(
        "at {places} of {tried} places the logits change once the rest of the window is there, "
        "by up to {bits} bits: is the causal mask applied in every block?",
        places=unlike.places,
        tried=unlike.tried,
        bits=number(unlike.difference, ".2f"),
    )
    raise Violation(f"{message}{counted}")


@criterion(points=1, at=Stage.MEASURED)
def uses_its_context(facts: ModelFacts) -> str:
    """with the whole context the loss is lower than with one token of it

    fr: avec tout le contexte, la perte est plus basse qu'avec un seul token
    """
    trained = facts.trained
    assert trained.one_token is not None
    assert trained.whole_context is not None
    gain = trained.one_token - trained.whole_context
    losses = tr(
        "{one} bits per token with one token of context, {whole} with all",
        one=number(trained.one_token, ".2f"),
        whole=number(trained.whole_context, ".2f"),
    )
    if trained.whole_context >= math.log2(trained.vocab_size):
        raise Violation(
            tr(
                "{told}: no better than guessing among {tokens} tokens. Is it trained?",
                told=losses,
                tokens=number(trained.vocab_size, ","),
            )
        )
    if gain < max(GAIN, 2 * facts.gain_error):
        raise Violation(
            tr(
                "{told}: the model predicts from the last token, as a bigram does. Was it trained for long?",
                told=losses,
            )
        )
    for unmoved in facts.unmoved:
        if unmoved.is_table:
            counts = {"places": unmoved.places, "tried": unmoved.tried, "near": NEAR}
            raise Violation(f"{losses}. {tr(UNMOVED[unmoved.cause], **counts)}")
    return losses


@criterion(points=8, at=Stage.MEASURED)
def beats_the_bigram(facts: ModelFacts) -> Share | Doubt:
    """its loss on the held-out text lies below a bigram's, and reaches the target

    fr: sa perte sur le texte mis de côté est sous celle d'un bigramme, et atteint l'objectif
    """
    trained = facts.trained
    assert trained.counted is not None
    assert trained.bigram is not None
    assert trained.target is not None
    if facts.garbled is not None:
        raise Violation(tr("not counted: what encode makes of the text does not stand for the text"))
    if trained.least is not None and trained.counted < trained.least:
        return _doubt(trained.counted, trained.least, trained.corpus)
    share = min(1.0, max(0.0, (trained.bigram - trained.counted) / (trained.bigram - trained.target)))
    message = tr(
        "{bits} bits per character on {corpus}; "
        "a bigram's is {bigram} (no points), the target {target} (all)",
        bits=number(trained.counted, ".3f"),
        corpus=trained.corpus,
        bigram=number(trained.bigram, ".2f"),
        target=number(trained.target, ".2f"),
    )
    if share and any(unmoved.is_table for unmoved in facts.unmoved):
        return Share(0.0, f"{message}. {tr(TABLE)}")
    return Share(share, message)


def _doubt(counted: float, least: float, corpus: str) -> Doubt:
    values = {"bits": number(counted, ".3f"), "least": number(least, ".2f"), "corpus": corpus}
    says = tr(
        "{bits} bits per character on {corpus}: less than {least} is hardly possible on text that a model "
        "has never seen. Was it trained on the held-out part too? Your instructor decides",
        **values,
    )
    staff = tr(
        "{bits} bits per character on {corpus}, where less than {least} is hardly possible: the model "
        "probably knows the held-out text by heart. Measure it on a text of your own (--corpus FILE)",
        **values,
    )
    return Doubt(says, staff)


options = Options(
    symbol="MiniGPT",
    beside=("encode", "decode"),
    drawn=DrawnAttention(None, CAUSAL),
)
