"""The option `--heads` and those that go with it: attention drawn on a sentence, by `grade` and `check`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from graders.cli.option_purpose import Purpose
from graders.cli.translated_command import option
from graders.heads.request import BY_CHARACTER, WORDS, BadRequest, PretrainedModel, Request, ask_for
from graders.language import tr, translatable

COURSE_LAYER, COURSE_HEADS = 5, "1,2,6,11"  # of CamemBERT, as the course draws them
DIGITS = 20  # of a number that are read: Python refuses to read thousands


def heads_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command `--heads` and the options for it; see `take_heads`."""
    for add_option in (
        option(
            Purpose.HEADS,
            "--heads-only",
            metavar="N,N,...",
            help=translatable("The heads of that layer, from 1.  [default: 1,2,6,11]"),
        ),
        option(
            Purpose.HEADS,
            "--heads-layer",
            type=click.IntRange(1),
            help=translatable("The layer of the pretrained model, from 1.  [default: 5]"),
        ),
        option(
            Purpose.HEADS,
            "--heads-model",
            metavar="DIR",
            type=click.Path(exists=True, file_okay=False, path_type=Path),
            help=translatable(
                "Draw a pretrained model's heads too, such as CamemBERT's: a folder with config.json, "
                "tokenizer.json and safetensors; needs the package transformers."
            ),
        ),
        option(
            Purpose.HEADS,
            "--heads-tokens",
            type=click.Choice([WORDS, BY_CHARACTER]),
            help=translatable(
                "How the sentence is cut; a trained model has its own tokens.  [default: words]"
            ),
        ),
        option(
            Purpose.HEADS,
            "--heads",
            metavar="SENTENCE",
            help=translatable(
                "Draw the attention of each student's heads on this sentence, on their page: for no points."
            ),
        ),
    ):
        command = add_option(command)
    return command


def take_heads(options: dict[str, Any]) -> Request | None:
    """Take `--heads` and the options for it out of a command's options; None if nothing is to be drawn.

    Raises:
        click.UsageError: they do not fit together, or the sentence cannot be drawn.
    """
    sentence, by, folder, layer, only = (
        options.pop(name) for name in ("heads", "heads_tokens", "heads_model", "heads_layer", "heads_only")
    )
    if sentence is None:
        if (by, folder, layer, only) != (None,) * 4:
            raise click.UsageError(tr("the options --heads-... go with --heads SENTENCE"))
        return None
    if folder is None and (layer, only) != (None, None):
        raise click.UsageError(tr("--heads-layer and --heads-only go with --heads-model DIR"))
    model = None
    if folder is not None:
        model = PretrainedModel(folder, layer or COURSE_LAYER, _numbers(only or COURSE_HEADS))
    try:
        return ask_for(sentence, by or WORDS, model)
    except BadRequest as error:
        raise click.UsageError(str(error)) from error


def _numbers(text: str) -> tuple[int, ...]:
    words = [word.strip() for word in text.split(",")]
    if not all(word.isdecimal() and 0 < int(word[:DIGITS]) <= 1_000 for word in words) or len(words) > 16:
        raise click.UsageError(
            tr("--heads-only takes up to 16 numbers from 1, such as {example}", example=COURSE_HEADS)
        )
    return tuple(dict.fromkeys(map(int, words)))
