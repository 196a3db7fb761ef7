"""Interrupting the lab: what runs is saved, what waits is not begun, and every process ends."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PROGRAM = """
import sys, time
from pathlib import Path
from lab04.lab import _in_worker, _pool

def work(folder, n):
    Path(folder, f"started-{n}").touch()
    try:
        while True:
            time.sleep(0.01)
    finally:
        Path(folder, f"saved-{n}").touch()

try:
    with _pool(2) as pool:
        for future in [pool.submit(_in_worker, work, sys.argv[1], n) for n in range(6)]:
            future.result()
except KeyboardInterrupt:
    sys.exit(130)
"""


@pytest.mark.parametrize("send", [os.killpg, os.kill], ids=["from the terminal", "to the parent alone"])
def test_an_interrupt_saves_what_runs_and_begins_nothing_more(send, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    process = subprocess.Popen(
        [sys.executable, program, tmp_path], start_new_session=True, stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 120
    while len(list(tmp_path.glob("started-*"))) < 2:
        assert time.monotonic() < deadline, "the work never began"
        assert process.poll() is None, process.communicate()[1]
        time.sleep(0.02)
    send(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=120)
    assert process.returncode == 130, said
    assert sorted(p.name for p in tmp_path.glob("s*-*")) == ["saved-0", "saved-1", "started-0", "started-1"]
    assert "Traceback" not in said
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)
