"""What is wrong with a field of a request, said to a person: "must be a whole number", not in pydantic's words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SENTENCES = {
    "extra_forbidden": "is not a field of this request",
    "missing": "is missing",
    "bool_type": "must be true or false",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "int_parsing_size": "must be a smaller number",
    "float_type": "must be a number",
    "finite_number": "must be a number",
    "string_type": "must be a text",
    "list_type": "must be a list",
    "tuple_type": "must be a list",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "none_required": "must be null",
    "literal_error": "must be {expected}",
    "greater_than_equal": "must be at least {ge}",
    "greater_than": "must be more than {gt}",
    "less_than_equal": "must be at most {le}",
    "less_than": "must be less than {lt}",
    "too_short": "must have at least {min_length} entries",
    "too_long": "must have at most {max_length} entries",
    "string_too_short": "must have at least {min_length} characters",
    "string_too_long": "must have at most {max_length} characters",
}


def wrong(entry: Mapping[str, Any]) -> str:
    """One entry of a validation error as the end of a sentence that begins with the field's name."""
    context: Mapping[str, Any] = entry.get("ctx", {})
    if entry["type"] == "value_error":
        return str(context.get("error", "has a value that will not do"))
    sentence = SENTENCES.get(entry["type"])
    return entry["msg"] if sentence is None else sentence.format_map(context)
