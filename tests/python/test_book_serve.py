"""The local server: addresses, types, live reload, and what happens when a rebuild fails."""

import contextlib
import queue
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest

from bookbuild.errors import BookError
from bookbuild.serve import RELOAD_SCRIPT, Version, attempt, is_source, make_server, watch_sources

PAGE = "<!DOCTYPE html><html><body><p>naïve</p></body></html>"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "site").mkdir()
    (tmp_path / "index.html").write_text(PAGE, encoding="utf-8")
    for name in ("a.js", "a.wasm", "a.woff2", "a.json", "a.css", "a.svg", "a.bin"):
        (tmp_path / "site" / name).write_bytes(b"{}")
    return tmp_path


@pytest.fixture
def server(site: Path) -> Iterator[ThreadingHTTPServer]:
    server = make_server(site, 0, Version())
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def get(server: ThreadingHTTPServer, path: str):
    return urllib.request.urlopen(f"http://127.0.0.1:{server.server_address[1]}{path}", timeout=10)


def test_it_listens_on_this_machine_only(server: ThreadingHTTPServer) -> None:
    assert server.server_address[0] == "127.0.0.1"


@pytest.mark.parametrize("path", ["/", "/index.html", "/index.html?a=1"])
def test_a_page_is_sent_with_the_reload_script_and_left_alone_on_disk(
    server: ThreadingHTTPServer, site: Path, path: str
) -> None:
    with get(server, path) as answer:
        assert answer.read().decode() == PAGE.replace("</body>", RELOAD_SCRIPT + "</body>")
        assert answer.headers["Cache-Control"] == "no-store"
    assert (site / "index.html").read_text(encoding="utf-8") == PAGE


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.js", "text/javascript; charset=utf-8"),
        ("a.wasm", "application/wasm"),
        ("a.woff2", "font/woff2"),
        ("a.json", "application/json"),
        ("a.css", "text/css; charset=utf-8"),
        ("a.svg", "image/svg+xml"),
        ("a.bin", "application/octet-stream"),
    ],
)
def test_types_do_not_depend_on_the_machine(server: ThreadingHTTPServer, name: str, kind: str) -> None:
    with get(server, f"/site/{name}") as answer:
        assert answer.headers["Content-Type"] == kind
        assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", ["/missing.html", "/site/", "/../secret.txt", "/%2e%2e/secret.txt"])
def test_nothing_but_the_site_is_sent(server: ThreadingHTTPServer, site: Path, path: str) -> None:
    (site.parent / "secret.txt").write_text("secret")
    with pytest.raises(urllib.error.HTTPError, match="404"):
        get(server, path)


def test_a_busy_port_is_named(server: ThreadingHTTPServer, site: Path) -> None:
    port = server.server_address[1]
    with pytest.raises(
        BookError, match=rf"port {port} is in use. Choose another: make serve PORT={port + 1}"
    ):
        make_server(site, port, Version())


def test_an_open_page_hears_of_a_rebuild(site: Path) -> None:
    version = Version()
    server = make_server(site, 0, version)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with get(server, "/__reload") as stream:
        assert stream.headers["Content-Type"] == "text/event-stream"
        assert attempt(lambda: True, version)
        assert stream.readline() == b"data: rebuilt\n"
    server.shutdown()
    server.server_close()


def failed() -> bool:
    """A build that found a fault, and has said so."""
    return False


def broken() -> bool:
    raise RuntimeError("the builder itself broke")


@pytest.mark.parametrize("rebuild", [failed, broken])
def test_after_a_failed_rebuild_no_page_reloads(
    rebuild: Callable[[], bool], capsys: pytest.CaptureFixture[str]
) -> None:
    version = Version()
    assert not attempt(rebuild, version)
    assert version.number == 0
    assert "still served" in capsys.readouterr().out


def test_a_change_in_a_folder_or_beside_it_is_seen_and_a_built_file_is_not(tmp_path: Path) -> None:
    for folder in ("chapters", "build", "demos/dist"):
        (tmp_path / folder).mkdir(parents=True)
    seen: queue.Queue[list[str]] = queue.Queue()
    stop = threading.Event()
    watch_sources(tmp_path, seen.put, stop)
    expected = {"chapters/a.qmd", "index.qmd"}
    found: set[str] = set()
    for _ in range(50):  # a watch needs a moment to begin, so go on writing until it tells
        for name in ("build/x.json", "demos/dist/book.js", "chapters/a.qmd", "index.qmd"):
            (tmp_path / name).write_text(str(len(found)))
        with contextlib.suppress(queue.Empty):
            found.update(seen.get(timeout=1))
        if found == expected:
            break
    stop.set()
    assert found == expected


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("chapters/a.qmd", True),
        ("demos/book.js", True),
        ("data/a.json", True),
        ("demos/dist/book.js", False),
        ("_site/index.html", False),
        ("build/cells/a.json", False),
        (".venv/lib/a.py", False),
        ("node_modules/a/b.js", False),
        ("chapters/.a.qmd.swp", False),
        ("chapters/a.qmd~", False),
    ],
)
def test_what_starts_a_rebuild(tmp_path: Path, path: str, source: bool) -> None:
    assert is_source(tmp_path, str(tmp_path / path)) is source
