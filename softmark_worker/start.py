"""Starts a program of this package by path: `python start.py PROGRAM ARGUMENT`.

Student code runs in the same process. So no folder of ours is on the import path, where `import wire` would
find one of our files: the package is known by its own name, and found by the place of this file.
"""

import gc
import importlib.util
import sys
from pathlib import Path

PACKAGE = "softmark_worker"


def main() -> None:
    """Run the program that the command line names, with its one argument."""
    gc.disable()  # until torch is imported: collections take a tenth of that time and find nothing
    load_package()
    program, argument = sys.argv[1:]
    importlib.import_module(f"{PACKAGE}.{program}").main(argument)


def load_package() -> None:
    """Let this process import the package by its name, and nothing else that lies beside it."""
    folder = Path(__file__).parent
    spec = importlib.util.spec_from_file_location(
        PACKAGE, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    assert spec is not None
    sys.modules[PACKAGE] = importlib.util.module_from_spec(spec)


if __name__ == "__main__":
    main()
