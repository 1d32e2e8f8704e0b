"""Which release this is."""

from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version


def version() -> str:
    """The version of the installed distribution, or `0+checkout` where the sources run without being installed."""
    try:
        return installed_version("rummy500-server")
    except PackageNotFoundError:
        return "0+checkout"
