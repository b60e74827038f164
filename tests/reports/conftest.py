"""The tab of all tests that look at pages: a browser takes longer to start than a page to answer."""

import pytest

from tests.support.browser import shared_tab
from tests.support.devtools import Tab


@pytest.fixture
def tab() -> Tab:
    return shared_tab()
