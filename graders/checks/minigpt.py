"""MiniGPT, trained: minigpt.safetensors with its weights; encode(text, chars), decode(ids, chars)."""

import math

from graders.check_api.check import Violation, require
from graders.check_api.criterion import ModelFacts, Share, Stage, criterion
from graders.language import number, tr, translatable

SYMBOL = "MiniGPT"
BESIDE = ("encode", "decode")
COUNTED = translatable(
    "The loss that counts was measured where the model gets no more than what lies before a token"
)
GAIN = 0.1  # bits that the context brings to any model that uses it; one that does not brings none


@criterion(points=1, at=Stage.OPENED)
def opens_and_fits(seen: ModelFacts) -> str:
    """the checkpoint opens, and its weights fit MiniGPT(**config)

    fr: le fichier s'ouvre, et ses poids vont dans MiniGPT(**config)
    """
    found = seen.trained
    return tr(
        "{numbers} numbers, {tokens} tokens, a context of {block}",
        numbers=number(found.parameters, ","),
        tokens=number(found.vocab_size, ","),
        block=number(found.block_size, ","),
    )


@criterion(points=1, at=Stage.ENCODED)
def gives_the_text_back(seen: ModelFacts) -> str | None:
    """decoding what was encoded gives the text back

    fr: décoder ce qui a été encodé redonne le texte
    """
    says = tr("{garbled}. Do encode and decode use the order of chars, and that alone?", garbled=seen.garbled)
    require(seen.garbled is None, says)
    return tr("remark: {what}", what=seen.notes[0]) if seen.notes else None


@criterion(points=1, at=Stage.MEASURED)
def sees_no_future(seen: ModelFacts) -> None:
    """what comes after a position does not change its logits

    fr: ce qui suit une position ne change pas ses logits
    """
    unlike = seen.unlike
    if unlike is None:
        return
    if unlike.forgetful:
        says = tr(
            "the same ids should give the same logits in evaluation mode, but give others each time: "
            "is dropout active there?"
        )
        raise Violation(f"{says} {tr(COUNTED)}")
    says = tr(
        "at {places} of {tried} places the logits change once the rest of the window is there, "
        "by up to {bits} bits: is the causal mask applied in every block?",
        places=unlike.places,
        tried=unlike.tried,
        bits=number(unlike.difference, ".2f"),
    )
    raise Violation(f"{says} {tr(COUNTED)}")


@criterion(points=1, at=Stage.MEASURED)
def uses_its_context(seen: ModelFacts) -> str:
    """with the whole context the loss is lower than with one token of it

    fr: avec tout le contexte, la perte est plus basse qu'avec un seul token
    """
    found = seen.trained
    assert found.one_token is not None
    assert found.whole_context is not None
    gain = found.one_token - found.whole_context
    told = tr(
        "{one} bits per token with one token of context, {whole} with all",
        one=number(found.one_token, ".2f"),
        whole=number(found.whole_context, ".2f"),
    )
    if found.whole_context >= math.log2(found.vocab_size):
        raise Violation(
            tr(
                "{told}: no better than guessing among {tokens} tokens. Is it trained?",
                told=told,
                tokens=number(found.vocab_size, ","),
            )
        )
    if gain < max(GAIN, 2 * seen.gain_error):
        raise Violation(
            tr(
                "{told}: the model predicts from the last token, as a bigram does. Was it trained for long?",
                told=told,
            )
        )
    return told


@criterion(points=8, at=Stage.MEASURED)
def beats_the_bigram(seen: ModelFacts) -> Share:
    """its loss on text that it never saw lies below a bigram's, and reaches the target

    fr: sa perte sur un texte jamais vu est sous celle d'un bigramme, et atteint l'objectif
    """
    found = seen.trained
    assert found.counted is not None
    assert found.bigram is not None
    assert found.target is not None
    if seen.garbled is not None:
        raise Violation(tr("not counted: what encode makes of the text does not stand for the text"))
    share = min(1.0, max(0.0, (found.bigram - found.counted) / (found.bigram - found.target)))
    says = tr(
        "{bits} bits per character on {corpus}; "
        "a bigram's is {bigram} (no points), the target {target} (all)",
        bits=number(found.counted, ".3f"),
        corpus=found.corpus,
        bigram=number(found.bigram, ".2f"),
        target=number(found.target, ".2f"),
    )
    return Share(share, says)
