"""The words of the site's search: Sphinx asks for the stem of a word once, not again for every page."""

from functools import cache

from sphinx.application import Sphinx
from sphinx.search.en import SearchEnglish
from sphinx.search.fr import SearchFrench


class English(SearchEnglish):
    """English, whose stems are remembered."""

    @cache  # noqa: B019  (there is one for a build)
    def stem(self, word: str) -> str:
        return super().stem(word)


class French(SearchFrench):
    """French, whose stems are remembered."""

    @cache  # noqa: B019
    def stem(self, word: str) -> str:
        return super().stem(word)


def remember_stems(app: Sphinx) -> None:
    """Have Sphinx find the stem of each word once in a build."""
    app.add_search_language(English)
    app.add_search_language(French)
