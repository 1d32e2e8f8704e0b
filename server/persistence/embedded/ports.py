"""Free ports of the loopback interface, for the embedded servers."""

import socket


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on now; whoever uses it must be ready to find it taken."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
