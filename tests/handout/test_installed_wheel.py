"""Where pip has installed softmark, students get the wheel from which it was installed."""

from importlib import metadata
from pathlib import Path

import pytest

from graders.handout import wheel
from graders.handout.refused import HandoutRefused
from graders.handout.reproducible_zip import make_zip


class Installed(metadata.Distribution):
    """A distribution with these files below a folder."""

    def __init__(self, names, folder=Path()):
        self.names, self.folder = names, folder

    def read_text(self, filename):
        return "".join(f"{name},,\n" for name in self.names) if filename == "RECORD" else None

    def locate_file(self, path):
        return self.folder / path


def test_without_a_checkout_or_an_installation_softmark_must_be_named(monkeypatch, tmp_path):
    monkeypatch.setattr(wheel.locations, "ROOT", tmp_path)
    for installed in ([], ["softmark.pth"]):
        monkeypatch.setattr(wheel.metadata, "distribution", lambda _, files=installed: Installed(files))
        with pytest.raises(HandoutRefused, match="--softmark"):
            wheel.build_wheel()


def test_where_pip_has_installed_softmark_the_wheel_is_what_it_was_installed_from(monkeypatch, tmp_path):
    info = "softmark-0.1.0.dist-info"
    built = {
        "graders/grade.py": b"pass",
        f"{info}/METADATA": b"Name: softmark\nVersion: 0.1.0\n",
        f"{info}/RECORD": b"",
    }
    of_pip = (f"{info}/INSTALLER", f"{info}/direct_url.json", "graders/grade.pyc", "../bin/softmark")
    site = tmp_path / "site"
    for name, data in {**built, **dict.fromkeys(of_pip, b"pip")}.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_bytes(data)
    monkeypatch.setattr(wheel.locations, "ROOT", site)
    monkeypatch.setattr(wheel.metadata, "distribution", lambda _: Installed([*built, *of_pip], site))
    assert wheel.build_wheel() == wheel.name_by_content(make_zip(built), {})
