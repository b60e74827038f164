"""Names that are markup, escapes and paths.

ends: opened
says:
"""

from pathlib import Path

import torch


def make(folder: Path) -> Path:
    path = folder / "minigpt.pt"
    torch.save(
        {"<script>x</script>": torch.ones(1), "\x1b[2J": torch.ones(1), "../../x": torch.ones(1)}, path
    )
    return path
