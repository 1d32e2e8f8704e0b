"""Chromium for the tests: Debian's, found on PATH, installed by apt-get where root may; never skipped in silence."""

import os
import shutil
import subprocess

ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--hide-scrollbars",
]  # fmt: skip
NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")


def executable() -> str:
    """The browser's path."""
    for _ in range(2):
        found = next(filter(None, map(shutil.which, NAMES)), None)
        if found and (_has_thai() or os.geteuid() != 0):
            return found
        if os.geteuid() == 0 and shutil.which("apt-get"):
            packages = ["chromium", "fonts-noto-core"]
            subprocess.run(["apt-get", "update", "-qq"], check=True, timeout=300)
            subprocess.run(
                ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages], check=True, timeout=900
            )
    if found:
        return found
    raise RuntimeError("the browser tests need Chromium: apt-get install -y chromium fonts-noto-core")


def _has_thai() -> bool:
    """Whether a font for the Thai pages is there."""
    fonts = shutil.which("fc-list")
    return bool(fonts and subprocess.run([fonts, ":lang=th"], capture_output=True, timeout=60).stdout)
