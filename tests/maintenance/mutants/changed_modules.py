"""Import modules of ours with another syntax tree than their file has; the file stays as it is."""

import ast
import sys
from collections.abc import Callable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType

ROOT = Path(__file__).parents[3]
ChangeTree = Callable[[ast.Module], None]


def import_changed(changes: dict[str, ChangeTree]) -> None:
    """From now on this process imports these modules with a changed tree.

    Args:
        changes: by the module's file, relative to the root; none of them is imported yet.
    """
    by_module = {module_of(file): (ROOT / file, change) for file, change in changes.items()}
    assert not by_module.keys() & sys.modules.keys()
    sys.meta_path.insert(0, _Finder(by_module))


def module_of(file: str) -> str:
    """The name of the module in a file."""
    return file.removesuffix(".py").replace("/", ".")


class _Finder(MetaPathFinder):
    def __init__(self, changes: dict[str, tuple[Path, ChangeTree]]) -> None:
        self._changes = changes

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name not in self._changes:
            return None
        file, change = self._changes[name]
        return spec_from_file_location(name, file, loader=_Loader(name, file, change))


class _Loader(SourceFileLoader):
    def __init__(self, name: str, file: Path, change: ChangeTree) -> None:
        super().__init__(name, str(file))
        self._change = change

    def get_code(self, fullname: str) -> CodeType:
        """The code of the changed tree, which is stored nowhere."""
        tree = ast.parse(self.get_data(self.path))
        self._change(tree)
        return compile(ast.fix_missing_locations(tree), self.path, "exec", dont_inherit=True)
