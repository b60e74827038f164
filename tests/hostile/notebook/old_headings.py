"""An old notebook has headings of level a hundred million, which a converter writes out.

outcome: passed
points: 2
"""

import json
from pathlib import Path

from tests.hostile.honest import RIGHT


def make(folder: Path) -> Path:
    heading = {"cell_type": "heading", "level": 100_000_000, "source": "title"}
    code = {"cell_type": "code", "input": RIGHT, "outputs": [{"output_type": "pyerr"}] * 100_000}
    whole = {"nbformat": 3, "metadata": 7, "worksheets": [{"cells": [heading] * 30}, {"cells": [code]}]}
    (folder / "work.ipynb").write_text(json.dumps(whole), encoding="utf-8")
    return folder / "work.ipynb"
