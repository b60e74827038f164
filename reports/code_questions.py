"""Questions about one's own code, in words: for the sheet on paper and for Moodle."""

from markupsafe import Markup, escape

from graders.language import tr, translatable
from graders.results.code_questions import Asks, CodeQuestion, Effect

_CODE = Markup("<code>{}</code>")
EFFECTS = {
    Effect.ERROR: translatable("It raises an error."),
    Effect.SHAPE: translatable("It returns something of another shape."),
    Effect.VALUES: translatable("It returns the same shape, with other values."),
    Effect.NOTHING: translatable("It returns exactly the same."),
}


def describe_call(question: CodeQuestion) -> str:
    """What is called, before the inputs."""
    return tr("Your `{symbol}` runs with these inputs:", symbol=question.symbol)


def ask(question: CodeQuestion) -> str:
    """The question itself."""
    message = {
        Asks.SHAPE: translatable("What is the shape of `{name}` after line {line}?")
        if question.name
        else translatable("What is the shape of what line {line} returns?"),
        Asks.LINE: translatable("Which line is the first that gives a variable the shape {shape}?"),
        Asks.VALUE: translatable("What is `{name}[{index}]` after line {line}?")
        if question.name
        else translatable("Line {line} returns a tensor. What is its entry [{index}]?"),
        Asks.RETURNED: translatable("Which number does it return?"),
        Asks.TRUE: translatable("How many entries of the mask that it returns are True?"),
        Asks.EDIT: translatable("Line {line} is `{before}`. What happens if it is `{after}` instead?"),
    }[question.asks]
    return tr(
        message,
        name=question.name,
        line=question.line,
        shape=str(question.shape),
        index=", ".join(map(str, question.index)),
        before=question.before,
        after=question.after,
    )


def with_code(sentence: str) -> Markup:
    """A sentence as HTML, in which what stands between backticks is code."""
    parts = sentence.split("`")
    marked = (_CODE.format(part) if n % 2 else escape(part) for n, part in enumerate(parts))
    return Markup().join(marked)


def choices(question: CodeQuestion) -> list[tuple[str, bool]]:
    """The answers to choose from, each with whether it is right; none where the answer is written."""
    if question.asks is not Asks.EDIT:
        return []
    return [(tr(sentence), effect.value == question.answer) for effect, sentence in EFFECTS.items()]


def shown_answer(question: CodeQuestion) -> str:
    """The answer, as the staff reads it."""
    if question.asks is Asks.EDIT:
        return tr(EFFECTS[Effect(question.answer)])
    if question.asks in (Asks.VALUE, Asks.RETURNED):
        return f"{float(question.answer):.10g}"
    return tr("line {line}", line=question.answer) if question.asks is Asks.LINE else question.answer
