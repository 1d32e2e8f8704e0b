"""Counts for Prometheus."""

from __future__ import annotations

from functools import lru_cache

from prometheus_client import CONTENT_TYPE_LATEST, Counter, Gauge, Histogram, generate_latest

REQUESTS = Counter("rummy500_http_requests_total", "HTTP requests.", ["path", "method", "status"])
SECONDS = Histogram("rummy500_http_seconds", "Seconds to answer an HTTP request.", ["path"])
STREAMS = Gauge("rummy500_streams", "Open streams.", ["kind"])
for _kind_of_stream in ("table", "lobby", "own"):
    STREAMS.labels(_kind_of_stream)  # shown as 0 before the first is opened
OPEN = Gauge("rummy500_open_sockets", "Sockets that are open in this process.")
FRAMES = Counter("rummy500_stream_frames_total", "Frames sent to streams.")
SLOW = Counter("rummy500_streams_too_slow_total", "Streams closed because their reader was too slow.")


def requests(path: str, method: str, status: int, seconds: float) -> None:
    """Counts one HTTP request."""
    count, spread = _kind(
        path, method if method in {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} else "other", status
    )
    count.inc()
    spread.observe(seconds)


@lru_cache(maxsize=2048)
def _kind(path: str, method: str, status: int) -> tuple[Counter, Histogram]:
    return REQUESTS.labels(path, method, str(status)), SECONDS.labels(path)


def text() -> tuple[bytes, str]:
    """The metrics and their content type."""
    return generate_latest(), CONTENT_TYPE_LATEST
