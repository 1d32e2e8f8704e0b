"""Settings as command-line options: made from the fields of `Settings`, so that help and environment never disagree."""

import inspect
import re
from collections.abc import Callable, Iterable
from typing import Annotated, Any

import typer
from pydantic import ValidationError

from server.settings import Settings, variable


class BadSettings(Exception):
    """Settings that can't be; the message has one line for each."""


def option_of(field: str) -> str:
    """The option of a setting: `option_of("trusted_proxies")` is `--trusted-proxies`."""
    return "--" + field.replace("_", "-")


def default_text(field: str) -> str:
    """The default of a setting as people read it."""
    info = Settings.model_fields[field]
    if info.default_factory is not None:
        return (
            "~/.local/share/rummy500"
            if field == "data"
            else str(info.get_default(call_default_factory=True, validated_data={}))
        )
    if info.default is None or info.default == ():
        return "none"
    return f"{info.default:g}" if isinstance(info.default, float) else str(info.default)


def with_settings(function: Callable[..., Any], fields: Iterable[str]) -> Callable[..., Any]:
    """The same function with an option for each of the settings, passed on as text by keyword, for typer to read.

    The function's own parameters, which must be keyword-only or have defaults, stay as they are.
    """
    own = [
        parameter
        for parameter in inspect.signature(function, eval_str=True).parameters.values()
        if parameter.kind is not inspect.Parameter.VAR_KEYWORD
    ]
    parameters = list(own)
    for field in fields:
        shown = default_text(field)
        annotation = Annotated[
            str | None,
            typer.Option(
                option_of(field),
                help=Settings.model_fields[field].description,
                envvar=variable(field),
                show_envvar=True,
                show_default=shown,
                metavar="VALUE",
            ),
        ]
        parameters.append(inspect.Parameter(field, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation))

    def command(**values: Any) -> Any:
        return function(**values)

    command.__doc__ = function.__doc__
    command.__name__ = function.__name__
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return command


def load_settings(values: dict[str, str | None]) -> Settings:
    """The settings from the environment and from the options given; raises BadSettings naming each that can't be."""
    try:
        return Settings(**{field: value for field, value in values.items() if value is not None})  # type: ignore[arg-type]
    except ValidationError as error:
        lines = []
        for problem in error.errors(include_url=False, include_input=False):
            field = str(problem["loc"][0]) if problem["loc"] else "settings"
            message = re.sub(r"^Value error, ", "", problem["msg"])
            lines.append(f"{variable(field)} ({option_of(field)}): {message[0].lower()}{message[1:]}.")
        raise BadSettings("\n".join(lines)) from error
