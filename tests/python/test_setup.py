"""The set-up: a step is done once, anew when its lock file changes, and says what went wrong."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("book_setup", ROOT / "scripts" / "setup.py")
assert spec is not None
assert spec.loader is not None
setup = importlib.util.module_from_spec(spec)
spec.loader.exec_module(setup)


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project of lock files alone, in which every command that set-up runs is only written down."""
    for layer in ("site", "lab", "dev"):
        (tmp_path / "requirements").mkdir(exist_ok=True)
        (tmp_path / "requirements" / f"{layer}.txt").write_text(f"{layer}==1\n")
    (tmp_path / "package-lock.json").write_text("{}")
    ran: list[str] = []
    monkeypatch.setattr(setup, "ROOT", tmp_path)
    monkeypatch.setattr(setup, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(setup, "check_versions", lambda: None)
    monkeypatch.setattr(setup, "find_chromium", lambda: "/usr/bin/chromium")

    def run(name, command, remedy, env=None):
        ran.append(name)
        (tmp_path / ".venv" / "lib" / "python3.11" / "site-packages").mkdir(parents=True, exist_ok=True)

    monkeypatch.setattr(setup, "run", run)
    return tmp_path, ran


def test_a_second_set_up_does_nothing(project):
    _, ran = project
    setup.set_up("test")
    assert len(ran) == 5
    setup.set_up("test")
    assert len(ran) == 5


def test_building_the_site_installs_neither_torch_nor_test_tools(project):
    _, ran = project
    setup.set_up("site")
    assert ran == [
        "the virtual environment",
        "the Python packages of requirements/site.txt",
        "the node packages",
    ]
    names = (ROOT / "requirements" / "site.txt").read_text().split()
    assert not any(name.startswith(("torch", "playwright", "pytest")) for name in names)


def test_a_changed_lock_file_is_installed_again_and_nothing_else(project):
    folder, ran = project
    setup.set_up("test")
    ran.clear()
    (folder / "requirements" / "lab.txt").write_text("lab==2\n")
    setup.set_up("test")
    assert ran == ["the Python packages of requirements/lab.txt"]


def test_a_step_that_failed_is_tried_again(project, monkeypatch):
    _, ran = project
    working = setup.run

    def failing(name, *rest):
        if "lab.txt" in name:
            raise setup.StepFailed("no connection")
        working(name, *rest)

    monkeypatch.setattr(setup, "run", failing)
    with pytest.raises(setup.StepFailed):
        setup.set_up("lab")
    monkeypatch.setattr(setup, "run", working)
    ran.clear()
    setup.set_up("lab")
    assert ran == ["the Python packages of requirements/lab.txt", "the node packages"]


def test_a_failing_command_is_named_with_its_last_lines_and_what_to_do():
    command = [sys.executable, "-c", "print('no such package'); raise SystemExit(3)"]
    with pytest.raises(
        setup.StepFailed, match=r"(?s)the packages failed \(status 3\)\. Try again\..*no such package"
    ):
        setup.run("the packages", command, "Try again.")


def test_a_missing_command_is_named():
    with pytest.raises(setup.StepFailed, match="'no-such-command' is not installed. Install it."):
        setup.run("the step", ["no-such-command"], "Install it.")


def test_the_usage_is_printed_for_an_unknown_word():
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "setup.py", "everything"], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "site|lab|test" in done.stderr


def test_every_command_of_the_readme_is_in_the_makefile():
    makefile = (ROOT / "Makefile").read_text()
    for name in ("site", "serve", "test", "lab", "figures", "check-data", "lint", "bench", "clean", "help"):
        assert f"\n{name}:" in makefile, name
        assert f"make {name}" in (ROOT / "README.md").read_text(), name


def test_every_package_has_its_reason_beside_it():
    readme = (ROOT / "README.md").read_text()
    package = json.loads((ROOT / "package.json").read_text())
    for name in [*package["dependencies"], *package["devDependencies"], *package["overrides"]]:
        assert f"`{name}`" in readme, name
    for path in (ROOT / "requirements").glob("*.in"):
        rows = [row for row in path.read_text().splitlines() if row and not row.startswith(("#", "-"))]
        assert all("#" in row for row in rows), path
