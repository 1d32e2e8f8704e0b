"""The listening socket: opened first of all, so that a taken port is told before anything is started."""

import errno
import ipaddress
import socket

from server.cli.parts import CannotStart


def listening_socket(host: str, port: int) -> socket.socket:
    """A bound socket for the address; raises CannotStart with a line for a person."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except OSError as error:
        raise CannotStart(f"There is no address {host!r} to listen on: {error.strerror or error}.") from error
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(2048)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            reason = f"Port {port} of {host} is taken: stop what listens there, or choose another with --port."
        elif error.errno == errno.EACCES:
            reason = f"No permission to listen on port {port}: choose one above 1023 with --port."
        else:
            reason = f"Cannot listen on {host} port {port}: {error.strerror}."
        raise CannotStart(reason) from error
    listener.setblocking(False)
    return listener


def url_of(listener: socket.socket) -> str:
    """An address that a browser on this machine can open."""
    host, port = listener.getsockname()[:2]
    address = ipaddress.ip_address(host)
    if address.is_unspecified:
        host = "127.0.0.1" if address.version == 4 else "::1"
    return f"http://{host}:{port}" if address.version == 4 or host == "127.0.0.1" else f"http://[{host}]:{port}"
