"""One of several server processes: started by the supervisor, which gives it its settings and the listening socket."""

import os
import socket
import sys
import threading

from server import logs
from server.cli.process import end_on_signals, serve
from server.settings import Settings


def main() -> int:
    """Read the settings from stdin, serve, and say `ready` on the pipe named first; returns the exit status."""
    ready_pipe, listener_handle = int(sys.argv[1]), int(sys.argv[2])
    end_on_signals()
    with open(0, "rb", buffering=0, closefd=False) as stdin:
        settings = Settings.model_validate_json(stdin.readline())
    logs.configure(settings.log, settings.log_level)
    threading.Thread(target=_end_with_supervisor, daemon=True).start()
    listener = socket.socket(fileno=listener_handle)

    def tell() -> None:
        os.write(ready_pipe, b"ready\n")
        os.close(ready_pipe)

    return serve(settings, listener, tell)


def _end_with_supervisor() -> None:
    """Our stdin closes when the supervisor dies, however it dies: then nobody would look after us."""
    while os.read(0, 64):
        continue
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
