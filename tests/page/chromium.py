"""Debian's Chromium as tests use it: ended, and started anew, where it does not answer.

Chromium sometimes never says that a page is closed, and Playwright waits for it without end. A test that waits so would
hold up all that follow, so the browser of a step that takes too long is killed, and the step fails or is tried again.
`REQAP_KG_CHROMIUM` names another browser.
"""

from __future__ import annotations

import os
import shutil
import signal
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Error, Page, Playwright

CHROMIUM = os.environ.get("REQAP_KG_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
_ARGUMENTS = ("--no-sandbox", "--disable-dev-shm-usage")
PATIENCE = 30.0
"""Seconds that opening or closing may take; either takes a tenth of one on an idle machine."""


class Chromium:
    """A browser that is there whenever a page is asked for."""

    def __init__(self, playwright: Playwright, patience: float = PATIENCE) -> None:
        self.playwright, self._patience = playwright, patience
        self.mark = f"--reqap-kg-tests={uuid.uuid4()}"
        self._browser: Browser | None = None

    def start(self) -> Browser:
        """Starts it. Raises playwright's Error where it cannot."""
        arguments = [*_ARGUMENTS, self.mark]
        self._browser = self.playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        return self._browser

    def page(self, **options: Any) -> Page:
        """A page in a context of its own, with Playwright's options; of a new browser where there is none."""
        try:
            with self._watched():
                return self._running().new_context(**options).new_page()
        except Error:
            with self._watched():
                return self.start().new_context(**options).new_page()

    def leave(self, page: Page) -> None:
        """Closes a page and its context; where that takes too long, ends the browser."""
        with self._watched(), suppress(Error):
            page.context.close()

    def close(self) -> None:
        """Closes the browser, or ends it."""
        if self._browser is not None:
            with self._watched(), suppress(Error):
                self._browser.close()

    def _running(self) -> Browser:
        return self._browser if self._browser is not None and self._browser.is_connected() else self.start()

    @contextmanager
    def _watched(self) -> Iterator[None]:
        """Ends the browser where what is done takes too long."""
        timer = threading.Timer(self._patience, signal_processes, (self.mark,))
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()


def signal_processes(mark: str, sent: signal.Signals = signal.SIGKILL) -> None:
    """Sends a signal to every process with these words on its command line, such as those of one browser."""
    for line in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it ended meanwhile
            if mark.encode() in line.read_bytes():
                os.kill(int(line.parent.name), sent)
