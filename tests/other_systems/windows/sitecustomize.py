"""Python imports this file at its start where this folder is on PYTHONPATH."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))
import take_away

sys.path.pop()
take_away.windows()
