"""Serves the site on this machine only, rebuilds it when a source changes, and reloads the open pages.

The pages on disk stay as they are: the line that reloads a page is put in while it is sent.
A rebuild that fails says why, and the last good site stays up.
"""

from __future__ import annotations

import errno
import threading
import traceback
from collections.abc import Callable
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from .errors import BookError

RELOAD_URL = "/__reload"
RELOAD_SCRIPT = f'<script>new EventSource("{RELOAD_URL}").onmessage = () => location.reload();</script>'
IGNORED = {".git", ".venv", "__pycache__", "_site", "build", "dist", "node_modules"}
KEEP_ALIVE = 15  # seconds between the comments that find out whether a page has gone


class Version:
    """Counts the rebuilds, and lets pages wait for the next one."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self.number = 0

    def advance(self) -> None:
        """Wake all who wait."""
        with self._condition:
            self.number += 1
            self._condition.notify_all()

    def wait_beyond(self, number: int, timeout: float) -> bool:
        """Wait until `number` is out of date; return False when the time is up first."""
        with self._condition:
            return self._condition.wait_for(lambda: self.number > number, timeout)


class Handler(SimpleHTTPRequestHandler):
    """Sends files without caching, HTML with the reload script, and a stream of rebuilds."""

    version: Version
    protocol_version = "HTTP/1.1"
    extensions_map = {  # noqa: RUF012 (the base class declares it so)
        **SimpleHTTPRequestHandler.extensions_map,
        ".bin": "application/octet-stream",
        ".css": "text/css; charset=utf-8",
        ".html": "text/html; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
        ".json": "application/json",
        ".mjs": "text/javascript; charset=utf-8",
        ".svg": "image/svg+xml",
        ".wasm": "application/wasm",
        ".woff2": "font/woff2",
    }

    def do_GET(self) -> None:
        """Answer with the stream, a page, or any other file."""
        if self.path == RELOAD_URL:
            self._send_rebuilds()
        elif page := self._page():
            self._send_page(page)
        else:
            super().do_GET()

    def _page(self) -> Path | None:
        path = Path(self.translate_path(self.path))
        if path.is_dir() and self.path.split("?")[0].endswith("/"):
            path = path / "index.html"
        return path if path.suffix == ".html" and path.is_file() else None

    def _send_page(self, page: Path) -> None:
        html = page.read_text(encoding="utf-8")
        head, end, rest = html.rpartition("</body>")
        body = f"{head}{RELOAD_SCRIPT}{end}{rest}".encode()
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", self.extensions_map[".html"])
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _send_rebuilds(self) -> None:
        known = self.version.number
        self.close_connection = True
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        try:
            while not self.version.wait_beyond(known, KEEP_ALIVE):
                self.wfile.write(b": still here\n\n")
                self.wfile.flush()
            self.wfile.write(b"data: rebuilt\n\n")
        except (BrokenPipeError, ConnectionResetError):
            pass  # the reader closed the page

    def end_headers(self) -> None:
        """Add to every answer that it must not be kept."""
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def list_directory(self, path: Any) -> None:
        """Show no listing: the published site would not have one either."""
        self.send_error(HTTPStatus.NOT_FOUND)

    def log_message(self, format: str, *args: Any) -> None:
        """Keep the terminal for the builds; only what is missing is worth a line."""
        if args and str(args[1] if len(args) > 1 else "") == "404":
            print(f"not found: {self.path}")


def make_server(site: Path, port: int, version: Version) -> ThreadingHTTPServer:
    """Bind to 127.0.0.1; raise BookError when the port is taken. Port 0 takes any free one."""
    handler = type("SiteHandler", (Handler,), {"version": version})
    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), lambda *args: handler(*args, directory=str(site)))
    except OSError as error:
        if error.errno not in (errno.EADDRINUSE, errno.EACCES):
            raise
        reason = "is in use" if error.errno == errno.EADDRINUSE else "is not open to you"
        advice = f"port {port} {reason}. Choose another: make serve PORT={port + 1}"
        raise BookError("serve", None, advice) from None
    server.daemon_threads = True
    return server


def attempt(rebuild: Callable[[], bool], version: Version) -> bool:
    """Rebuild, and tell the open pages; if that fails, keep what is served."""
    try:
        done = rebuild()
    except Exception:  # the builder itself broke; a server that ends with it would be no help
        traceback.print_exc()
        done = False
    if done:
        version.advance()
    else:
        print("The last good site is still served.", flush=True)
    return done


def is_source(root: Path, path: str) -> bool:
    """Tell a source from what builds, tools and editors write."""
    parts = Path(path).relative_to(root).parts
    hidden = any(part.startswith((".", "#")) for part in parts)
    return not hidden and not IGNORED.intersection(parts) and not path.endswith("~")


def watch_sources(root: Path, changed: Callable[[list[str]], Any], stop: threading.Event) -> None:
    """Call `changed` with the changed sources' paths, never twice at a time, until `stop` is set.

    The root itself is watched apart from the folders in it, since a watch that went down into
    node_modules would be slow to start and could use up the system's watches.
    """
    from watchfiles import watch

    one_at_a_time = threading.Lock()

    def follow(paths: list[Path], recursive: bool) -> None:
        for changes in watch(
            *paths,
            watch_filter=lambda _, path: is_source(root, path) and not Path(path).is_dir(),
            recursive=recursive,
            stop_event=stop,
            raise_interrupt=False,
        ):
            with one_at_a_time:
                changed(sorted({Path(path).relative_to(root).as_posix() for _, path in changes}))

    folders = [path for path in sorted(root.iterdir()) if path.is_dir() and is_source(root, str(path))]
    threading.Thread(target=follow, args=([root], False), daemon=True).start()
    if folders:
        threading.Thread(target=follow, args=(folders, True), daemon=True).start()


def serve(root: Path, port: int, rebuild: Callable[[], bool], site: Path | None = None) -> None:
    """Build, then serve `site` (default `root/_site`) until Ctrl-C, building again when a source changes.

    `rebuild()` returns False when it could not build, having said why and left the site alone.
    """
    root = root.resolve()
    version, stop = Version(), threading.Event()
    server = make_server(site or root / "_site", port, version)

    def changed(names: list[str]) -> None:
        print(f"changed: {', '.join(names[:3])}{' and more' if len(names) > 3 else ''}", flush=True)
        attempt(rebuild, version)

    attempt(rebuild, version)
    watch_sources(root, changed, stop)
    print(f"http://127.0.0.1:{server.server_address[1]}/ (Ctrl-C ends it)", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print()
    finally:
        stop.set()
        server.server_close()
