"""Counts for Prometheus."""

from __future__ import annotations

from prometheus_client import CONTENT_TYPE_LATEST, Counter, Gauge, Histogram, generate_latest

REQUESTS = Counter("rummy500_http_requests_total", "HTTP requests.", ["path", "method", "status"])
SECONDS = Histogram("rummy500_http_seconds", "Seconds to answer an HTTP request.", ["path"])
STREAMS = Gauge("rummy500_streams", "Open streams.", ["kind"])
OPEN = Gauge("rummy500_open_sockets", "Sockets that are open in this process.")
FRAMES = Counter("rummy500_stream_frames_total", "Frames sent to streams.")
SLOW = Counter("rummy500_streams_too_slow_total", "Streams closed because their reader was too slow.")


def requests(path: str, method: str, status: int, seconds: float) -> None:
    """Counts one HTTP request."""
    REQUESTS.labels(
        path, method if method in {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} else "other", str(status)
    ).inc()
    SECONDS.labels(path).observe(seconds)


def text() -> tuple[bytes, str]:
    """The metrics and their content type."""
    return generate_latest(), CONTENT_TYPE_LATEST
