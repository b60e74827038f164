"""A section for each known mistake: what it is, its smallest case, why it is wrong, where it is taught.

It says what a student's page would say of code with this mistake, and no line of a solution.
"""

import re
from collections.abc import Mapping
from html import escape
from typing import Any

from graders.course.exercise import Assignment, Exercise
from graders.language import Language, current_language, line, text_in
from graders.results.mistake_address import section_name
from graders.results.result import Mistake
from reports.figures import heat_maps
from reports.figures.who_sees import draw_reach
from reports.words import mistake_name, summarize_mistakes
from tests.maintenance.site.smallest_cases import Kept, as_case

WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "what": "What it is",
        "case": "Smallest case",
        "why": "Why it is wrong",
        "due": "It should hold that {check}.",
        "look": "Where to look",
        "hint": "hint",
        "taught": "Where it is taught",
        "place": "{assignment}, exercise [{exercise}](#{contract})",
        "cost": "It answers rightly, and costs more time or memory than it should: no single case shows it.",
        "trained": "It shows in what a trained model predicts, and in no single case.",
        "none": "No check that compares values shows it.",
    },
    "fr": {
        "what": "Ce que c'est",
        "case": "Plus petit cas",
        "why": "Pourquoi c'est faux",
        "due": "Ce qui doit être vrai : {check}.",
        "look": "Où chercher",
        "hint": "indice",
        "taught": "Où c'est enseigné",
        "place": "{assignment}, exercice [{exercise}](#{contract})",
        "cost": "La réponse est juste, mais elle coûte plus de temps ou de mémoire que prévu : aucun cas "
        "ne le montre.",
        "trained": "Elle se voit dans ce que prédit un modèle entraîné, et dans aucun cas isolé.",
        "none": "Aucune vérification qui compare des valeurs ne la montre.",
    },
}


def index_of_mistakes(exercise: Exercise, docs: Mapping[str, str | None]) -> str:
    """The mistakes of an exercise in a list of links."""
    return ", ".join(f"[{mistake_name(name)}](#{section_name(exercise.name, name)})" for name in docs)


def mistake_section(
    assignment: Assignment, exercise: Exercise, name: str, doc: str, kept: Mapping[str, Kept | None]
) -> str:
    """The section of one mistake, as Markdown with HTML in it."""
    word, hint = _words(), text_in(doc, current_language())
    what = summarize_mistakes([[Mistake(name, text_in(doc), text_in(doc, "fr"))]])
    case = kept.get(name.partition("__")[2])
    taught = word["place"].format(
        assignment=assignment.title, exercise=exercise.title, contract=contract_label(exercise)
    )
    parts = [
        f"({section_name(exercise.name, name)})=",
        f"### {mistake_name(name)}",
        f"<p>{escape(what, quote=False)}.</p>",
        _case(exercise, case) if case else _without_case(exercise, name),
        f"<details><summary>{word['look']} ({word['hint']})</summary>{_paragraphs(hint)}</details>",
        f"{word['taught']}{_colon()} {taught}",
    ]
    return "\n\n".join(parts)


def contract_label(exercise: Exercise) -> str:
    """The label of what is asked, on the page of an exercise: its title differs by language."""
    return f"{exercise.name}--contract"


def _words() -> dict[str, str]:
    return WORDS[current_language()]


def _colon() -> str:
    return "\u00a0:" if current_language() == "fr" else ":"


def _without_case(exercise: Exercise, name: str) -> str:
    reason = "trained" if exercise.rule else "cost" if name in exercise.mistakes_of_cost else "none"
    return f"<p>{_words()[reason]}</p>"


def _case(exercise: Exercise, kept: Kept) -> str:
    word, said = _words(), kept[current_language()]
    check = next((each for each in exercise.checks if each.name == kept["check"]), None)
    due = word["due"].format(check=line(check.doc, current_language())) if check else ""
    given = "<br>".join(escape(each, quote=False) for each in said["given"] if each)
    parts = [
        f"<p><strong>{word['case']}</strong><br><span class=given>{given}</span></p>" if given else "",
        f"<p><strong>{word['why']}</strong><br>{escape(due, quote=False)}<br>{_lines(said['says'])}</p>",
        _pictures(kept),
    ]
    return f'<div class="case">{"".join(parts)}</div>'


def _lines(text: str) -> str:
    return "<br>".join(escape(each, quote=False) for each in text.splitlines() if each.strip())


def _paragraphs(text: str) -> str:
    return "".join(f"<p>{escape(each, quote=False)}</p>" for each in re.split(r"\n\s*\n", text))


def _pictures(kept: Kept) -> str:
    """The expected and the actual tensor, as a student's page draws them."""
    case = as_case(kept)
    pair = heat_maps.pair(case)
    drawn = [_map(picture.title, picture.part, picture.drawing) for picture in pair.pictures] if pair else []
    reach = draw_reach(case.reach) if case.reach else None
    drawn += [str(reach)] if reach else []
    if not drawn:
        return ""
    caption = f"<figcaption>{escape(pair.caption)}</figcaption>" if pair and pair.caption else ""
    return f'<figure class="maps"><div class="pair">{"".join(drawn)}</div>{caption}</figure>'


def _map(title: str, part: str, drawing: Any) -> str:
    name = f"<strong>{escape(title)}</strong> <span>{escape(part)}</span>"
    return f'<div class="map"><p>{name}</p>{_on_a_line(str(drawing))}</div>'


def _on_a_line(drawing: str) -> str:
    return " ".join(drawing.split("\n"))  # Markdown would end a block of HTML at an empty line
