"""Without a wall each attack on the isolation shows something: else walls would be proven against nothing."""

import json
import subprocess
import time
from pathlib import Path

import pytest

from tests.conftest import NIGHTLY
from tests.hostile import ordinary_user
from tests.hostile.corpus import Attack, attacks, bites_here

pytestmark = pytest.mark.programs

BITING = [attack for attack in attacks() if attack.bites == "open"]
ITSELF = [attack for attack in attacks() if attack.bites == "itself"]
# The whole control takes minutes: outside of the nightly run a few attacks stand for it.
FEW = ("read-known_files", "escape-runs_a_shell", "escape-kills_everything", "escape-null_pointer")
ENDS_THE_CONTROL = "escape-kills_everything"  # tried last: those after it need another control
CHOSEN = [attack for attack in (*BITING, *ITSELF) if NIGHTLY or attack.id in FEW]
CHOSEN.sort(key=lambda attack: attack.id == ENDS_THE_CONTROL)
SILENCE_S = 120.0  # after which a control that writes nothing is taken to be stopped
STOPPED = "the grader itself was stopped"
BY_SIGNAL = 128  # where a shell's exit statuses of programs that a signal ended begin


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict]:
    """What each attack showed without a wall."""
    if reason := ordinary_user.why_not():
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("control")
    for parent in (folder, *folder.parents):
        if parent.name.startswith("pytest-"):
            parent.chmod(0o755)  # pytest's own are for their owner alone
    return try_all(folder, [attack.id for attack in CHOSEN])


def try_all(folder: Path, names: list[str]) -> dict[str, dict]:
    """What each attack shows, in as many controls as it takes: an attack may stop one."""
    found: dict[str, dict] = {}
    failed: set[str] = set()
    while left := [name for name in names if name not in found]:
        report = folder / f"report-{len(left)}-{len(failed)}.jsonl"
        stopped, printed = run_control(folder, report, left)
        lines = [json.loads(line) for line in report.read_text().splitlines()] if report.exists() else []
        found |= {line["id"]: line for line in lines if "id" in line}
        begun = {line["starts"] for line in lines if "starts" in line} - found.keys()
        if stopped:
            found |= {name: {"harm": [STOPPED], "told": STOPPED} for name in begun}
        elif not set(left) <= found.keys():  # an error of the control itself shows nothing of the attack
            assert begun and not begun & failed, printed
            failed |= begun
    return found


def run_control(folder: Path, report: Path, names: list[str]) -> tuple[bool, str]:
    """Run the control; whether a signal ended it or it became silent, and what it printed."""
    line = ordinary_user.command(folder, "-m", "tests.hostile.control", str(report), *names)
    printed = folder / "printed.txt"
    with printed.open("w") as output:
        process = subprocess.Popen(
            line, cwd=ordinary_user.ROOT, stdin=subprocess.DEVNULL, stdout=output, stderr=output
        )
        heard, size = time.monotonic(), 0
        while process.poll() is None and time.monotonic() - heard < SILENCE_S:
            time.sleep(0.2)
            now = report.stat().st_size if report.exists() else 0
            heard, size = (time.monotonic(), now) if now != size else (heard, size)
        silent = process.poll() is None
        process.kill()
        code = process.wait()
    return silent or not 0 <= code < BY_SIGNAL, printed.read_text()[-2_000:]


@pytest.mark.parametrize("attack", CHOSEN, ids=lambda attack: attack.id)
def test_without_a_wall_the_attack_shows_something(shown: dict[str, dict], attack: Attack):
    if not bites_here(attack):
        pytest.skip("this machine stops such attacks even without isolation")
    seen = shown[attack.id]
    if attack.bites == "itself":
        assert attack.says in seen["told"], seen
    else:
        assert any(seen.get(key) for key in ("leaked", "harm", "left", "written", "traces")), seen
