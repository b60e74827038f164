"""Names are said to be UTF-8 and are not.

outcome: unreadable
says: broken zip
"""

from pathlib import Path

from tests.hostile.honest import RIGHT, packed


def make(folder: Path) -> Path:
    path = packed(folder, ("answers.py", RIGHT), ("\xe9\xe9.py", "x = 1"))
    path.write_bytes(path.read_bytes().replace("\xe9\xe9".encode(), b"\xed\xa0\x80\xff"))
    return path
