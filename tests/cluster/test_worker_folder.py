"""What a killed worker leaves on the disk is removed when the next one starts; a living one keeps its own."""

import os
import tempfile
from pathlib import Path

from graders.cluster.worker_folder import PREFIX, sweep, worker_folder


def test_the_folder_of_a_killed_worker_is_removed_and_that_of_a_living_one_stays(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for name in (f"{PREFIX}dead", "elsewhere", f"{PREFIX}young"):
        (tmp_path / name / "softmark-submission").mkdir(parents=True)
    (tmp_path / f"{PREFIX}link").symlink_to(tmp_path / "elsewhere")
    for name in (f"{PREFIX}dead", "elsewhere"):
        os.utime(tmp_path / name, (1, 1))
    with worker_folder() as own:
        assert tempfile.gettempdir() == str(own)
        os.utime(own, (1, 1))
        sweep(tmp_path)
        assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
            ["elsewhere", f"{PREFIX}link", f"{PREFIX}young", own.name]
        )
    assert tempfile.gettempdir() == str(tmp_path)
    assert not own.exists()
    assert (tmp_path / "elsewhere/softmark-submission").is_dir()
