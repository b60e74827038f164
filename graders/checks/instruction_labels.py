"""instruction_labels(prompt, answer, eos) -> (inputs, targets): the text, and the next id of each position.

The ids of prompt and answer are different numbers in most draws, so that each tells where it comes from. The
core is about the shift alone; what is hidden, the answer's first id and eos have checks of their own.
"""

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from graders.check_api import properties, rows_of_ints
from graders.check_api.check import Candidate, Stretched, Violation, check, require
from graders.check_api.options import Options
from graders.check_api.strategies.drawn import Drawn
from graders.check_api.strategies.lengths import SMALLEST
from graders.check_api.strategies.tensors import ids, patterns, seeds, sizes
from graders.language import tr

IGNORED, ALSO_IGNORED = -100, (-100, -1, 0)  # what other code hides with
OF_PROMPT, OF_ANSWER, WORDS = 1_000, 2_000, 900  # the least id, and how many there are
NAMES = ("inputs", "targets")
OF_A_LIBRARY = ("input_ids", "labels")
Rows = tuple[list[int], list[int]]


@dataclass(frozen=True, eq=False)
class Instruction(Drawn):
    """The ids of a prompt and of its answer, and the id that ends an answer."""

    prompt: list[int]
    answer: list[int]
    eos: int

    @property
    def text(self) -> list[int]:
        """All that is read and learned."""
        return [*self.prompt, *self.answer, self.eos]

    @property
    def due(self) -> Rows:
        """The inputs and the targets."""
        hidden = [IGNORED] * (len(self.prompt) - 1)
        return self.text[:-1], hidden + self.text[len(self.prompt) :]

    def normalise(self, answer: Any) -> Any:
        """Rows of numbers, whether they come as lists or as tensors."""
        return rows_of_ints.rows_as_lists(answer)


def instruction(of_prompt: int, of_answer: int, seed: int, shared: int = 0) -> Instruction:
    """A prompt and an answer of these lengths; `shared` ids of the answer stand in the prompt, too."""
    prompt, answer = (
        (least + ids(n, vocabulary=WORDS, seed=seed + least)).tolist()
        for n, least in ((of_prompt, OF_PROMPT), (of_answer, OF_ANSWER))
    )
    answer[:shared] = prompt[:shared]
    return Instruction(prompt, answer, (2, 7, 50)[seed % 3])


@st.composite
def instructions(draw: st.DrawFn, shared: bool = False) -> Instruction:
    """A prompt and an answer of two and more ids."""
    of_prompt, of_answer = draw(sizes(3, 6)), draw(sizes(3, 6))
    return instruction(of_prompt, of_answer, draw(seeds()), draw(sizes(1, 2)) if shared else 0)


@st.composite
def smallest(draw: st.DrawFn, of_prompt: int, of_answer: int) -> Instruction:
    """A prompt or an answer of one id."""
    more = draw(sizes(2, 4))
    return instruction(of_prompt or more, of_answer or more, draw(patterns()))


def read_rows(instruction_labels: Candidate, draw: Instruction) -> Rows:
    """Inputs and targets in their order: two checks are about tensors, a dict, the order."""
    inputs, targets = rows_of_ints.read_rows(instruction_labels(*draw.arguments), NAMES, OF_A_LIBRARY)
    return (targets, inputs) if _swapped(inputs, targets, draw) else (inputs, targets)


def _swapped(inputs: list[int], targets: list[int], draw: Instruction) -> bool:
    """Whether the targets come first: they end with eos, and the inputs begin with the prompt."""
    whole = draw.text[:-1]
    return inputs != whole == targets or (inputs[:1] == [IGNORED] and targets[:1] == whole[:1])


def learned(targets: list[int]) -> list[int]:
    """The targets that are not hidden, whatever hides them: another check is about -100."""
    return [target for target in targets if target not in ALSO_IGNORED]


def _show(row: list[int]) -> str:
    return " ".join(map(str, row[:40])) or tr("nothing")


def _say(found: list[int], due: list[int], draw: Instruction, name: str) -> None:
    """Require a row to be what is due; the message shows both and the question."""
    if found != due:
        raise Violation(
            tr(
                "for prompt {prompt}, answer {answer} and eos {eos}, {name} should be {due}, but is {found}",
                prompt=_show(draw.prompt),
                answer=_show(draw.answer),
                eos=draw.eos,
                name=name,
                due=_show(due),
                found=_show(found),
            )
        )


@check(points=1, given=instructions(), shape_only=True)
def gives_two_lists(instruction_labels: Candidate, draw: Instruction) -> str | None:
    """the answer is (inputs, targets), two lists of ints, with as many as prompt and answer have together

    fr: la réponse est (inputs, targets), deux listes d'entiers, avec autant que la consigne et la réponse
    ensemble
    """
    answer = instruction_labels(*draw.arguments)
    remark = rows_of_ints.returns_lists(answer, NAMES)
    due = len(draw.prompt) + len(draw.answer)
    for name, row in zip(NAMES, rows_of_ints.read_rows(answer, NAMES), strict=True):
        # Where eos is missing, its own check says so.
        message = tr("{name} should hold {due} ints, but holds {n}", name=name, due=due, n=len(row))
        require(len(row) in (due, due - 1), message)
    return remark


@check(
    points=8.5,
    given=instructions(),
    core=True,
    stretched=[
        Stretched(lambda n, seed: instruction(n, 3, seed)),
        Stretched(lambda n, seed: instruction(3, n, seed)),
    ],
)
def predicts_what_comes_next(instruction_labels: Candidate, draw: Instruction) -> None:
    """inputs is the text, and each target that is learned is the id that comes next

    fr: inputs est le texte, et chaque cible apprise est l'identifiant qui suit
    """
    inputs, targets = rows_of_ints.read_rows(instruction_labels(*draw.arguments), NAMES, OF_A_LIBRARY)
    swapped = tr("inputs and targets are swapped: the answer should be (inputs, targets)")
    require(not _swapped(inputs, targets, draw), swapped)
    whole = draw.text
    # One position more or less is for other checks, and so is what is hidden.
    wrong = inputs not in (whole[:-2], whole[:-1], whole)
    _say(inputs, whole[:-1] if wrong else inputs, draw, "inputs")
    require(any(word >= OF_ANSWER for word in targets), tr("targets should hold ids of the answer"))
    for place, (target, due) in enumerate(zip(targets, whole[1:], strict=False)):
        if target not in (*ALSO_IGNORED, due):
            message = tr(
                "at position {place} of targets stands {found}, where the text goes on with {due}",
                place=place,
                found=target,
                due=due,
            )
            raise Violation(message)


@check(points=3.7, given=instructions())
def hides_the_prompt(instruction_labels: Candidate, draw: Instruction) -> None:
    """no id of the prompt is learned: it is -100 among the targets

    fr: aucun identifiant de la consigne n'est appris : il vaut -100 parmi les cibles
    """
    _, targets = read_rows(instruction_labels, draw)
    prompt = [target for target in targets if OF_PROMPT <= target < OF_ANSWER]
    message = tr("{n} ids of the prompt are learned, {first} for one", n=len(prompt), first=_show(prompt[:1]))
    require(not prompt, message)
    others = [target for target in targets if target in ALSO_IGNORED and target != IGNORED]
    require(not others, tr("what is hidden should be -100, but is {found}", found=_show(others[:1])))
    require(any(word >= OF_ANSWER for word in targets), tr("targets should hold ids of the answer"))


@check(points=3.7, given=instructions())
def learns_the_whole_answer(instruction_labels: Candidate, draw: Instruction) -> None:
    """every id of the answer is learned, the first too, in its order

    fr: chaque identifiant de la réponse est appris, le premier aussi, dans l'ordre
    """
    _, targets = read_rows(instruction_labels, draw)
    answer = [target for target in targets if target >= OF_ANSWER]
    _say(answer, draw.answer, draw, tr("what is learned of the answer"))


@check(points=3.7, given=instructions())
def learns_where_the_answer_ends(instruction_labels: Candidate, draw: Instruction) -> None:
    """the last target that is learned is eos, once

    fr: la dernière cible apprise est eos, une seule fois
    """
    _, targets = read_rows(instruction_labels, draw)
    ends = [target for target in learned(targets) if not OF_PROMPT <= target < OF_ANSWER]
    last = [target for target in ends if target < OF_ANSWER]
    _say(last, [draw.eos], draw, tr("what is learned behind the answer"))
    require(ends[-1:] == [draw.eos] and len(ends) > 1, tr("eos should be learned behind the answer"))


@check(points=1.5, given=instructions(shared=True))
def hides_by_place(instruction_labels: Candidate, draw: Instruction) -> None:
    """an id of the answer is learned also where the prompt holds the same id

    fr: un identifiant de la réponse est appris même si la consigne contient le même
    """
    _, targets = read_rows(instruction_labels, draw)
    plain = Instruction(draw.prompt, [OF_ANSWER + n for n in range(len(draw.answer))], draw.eos)
    _, usual = read_rows(instruction_labels, plain)
    require(any(word >= OF_ANSWER for word in usual), tr("targets should hold ids of the answer"))
    renamed = dict(zip(plain.answer, draw.answer, strict=True))
    _say(targets, [renamed.get(target, target) for target in usual], draw, "targets")


@check(points=0.8, given=[smallest(1, 0), smallest(0, 1)], draws=4, kept_because=SMALLEST)
def takes_one_id_alone(instruction_labels: Candidate, draw: Instruction) -> None:
    """a prompt of one id, and an answer of one id, are answered as longer ones are

    fr: une consigne d'un seul identifiant, et une réponse d'un seul, sont traitées comme de plus longues
    """
    rows = read_rows(instruction_labels, draw)
    usual = instruction(4, 3, 1)
    if read_rows(instruction_labels, usual) == usual.due:
        for name, row, due in zip(NAMES, rows, draw.due, strict=True):
            _say(row, due, draw, name)
    require(rows != read_rows(instruction_labels, usual), tr("the answer does not depend on the ids"))


@check(points=1, given=instructions(), on_its_word=True)
def leaves_the_lists_alone(instruction_labels: Candidate, draw: Instruction) -> str | None:
    """the lists keep their ids, and the second call answers as the first

    fr: les listes gardent leurs identifiants, et le deuxième appel répond comme le premier
    """
    first = read_rows(instruction_labels, draw)
    call = instruction_labels.observed_call(*draw.arguments)
    for name, before, after in zip(("prompt", "answer"), draw.arguments, call.args, strict=False):
        counts = {"n": len(after), "before": len(before)}
        message = tr("{name} holds {n} ids after the call, and held {before}", name=name, **counts)
        require(list(after) == before, message)
    require(read_rows(instruction_labels, draw) == first, tr("the second call gives another answer"))
    other = instruction(len(draw.prompt), len(draw.answer), draw.prompt[0])
    require(read_rows(instruction_labels, other) != first, tr("the answer does not depend on the ids"))
    return None if call.random_state_kept else tr(properties.RANDOM)


def diagnostic_draws(seed: int) -> list[Instruction]:
    """Texts that tell the known mistakes apart."""
    return [
        instruction(4, 3, seed),
        instruction(5, 3, seed + 1),
        instruction(3, 6, seed + 2),
        instruction(3, 4, seed + 3, shared=2),
        instruction(2, 5, seed + 4),
        instruction(6, 2, seed + 5, shared=1),
    ]


options = Options(diagnostic_draws=diagnostic_draws)
