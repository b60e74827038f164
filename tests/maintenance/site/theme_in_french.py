"""What the theme says on each page in English alone, in French."""

import re

WORDS = {
    ">Skip to content<": ">Aller au contenu<",
    "<span>Back to top</span>": "<span>Haut de page</span>",
    "<span>Next</span>": "<span>Suivant</span>",
    "<span>Previous</span>": "<span>Précédent</span>",
    " On this page\n": " Sur cette page\n",
    " Made with <a": " Fait avec <a",
    "Sphinx</a> and <a": "Sphinx</a> et <a",
    'aria-label="Toggle site navigation sidebar"': 'aria-label="Montrer la liste des pages"',
    'aria-label="Toggle table of contents sidebar"': 'aria-label="Montrer le sommaire de la page"',
    'aria-label="Toggle Light / Dark / Auto color theme"': 'aria-label="Changer les couleurs\u00a0: claires, '
    'sombres, ou celles du système"',
    'aria-label="Toggle navigation of ': 'aria-label="Montrer les pages de\u00a0: ',
    "<title>Contents</title>": "<title>Sommaire</title>",
    "<title>Expand</title>": "<title>Déplier</title>",
    "<title>Light mode</title>": "<title>Couleurs claires</title>",
    "<title>Dark mode</title>": "<title>Couleurs sombres</title>",
    "<title>Auto light/dark, in light mode</title>": "<title>Couleurs du système, claires</title>",
    "<title>Auto light/dark, in dark mode</title>": "<title>Couleurs du système, sombres</title>",
}
OF_THE_SEARCH = {
    "Please activate JavaScript to enable the search functionality.": "La recherche a besoin de JavaScript.",
}
OWNER = re.compile(r"(<a [^>]*>@pradyunsg</a>)'s\s*(<a [^>]*>Furo</a>)")


def say_in_french(page: str) -> str:
    """The text of a page with the theme's own words in French."""
    for english, french in (WORDS | OF_THE_SEARCH).items():
        page = page.replace(english, french)
    return OWNER.sub(r"\2 de \1", page)
