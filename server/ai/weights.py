"""The expert's weights, as data, and which of them are for which table; made by `tools/train_expert.py`."""

from collections.abc import Sequence

from server.ai.sight import Sight

TWO: tuple[float, ...] = (
    1.2439,
    -3.9879,
    1.4638,
    -1.6943,
    0.5399,
    -1.1366,
    0.5096,
    -1.6784,
    0.4273,
    -0.2921,
    0.1164,
    0.0888,
    0.0384,
    -0.6486,
    -3.3366,
    1.0843,
    -0.2583,
    -2.2958,
    0.3373,
    10.1805,
    1.9987,
    0.4501,
    1.9152,
    2.7018,
    20.9489,
    -0.1263,
    4.7571,
    9.4575,
    1.0218,
    0.3574,
    -0.0393,
    0.4506,
)
MORE: tuple[float, ...] = (
    1.0,
    -1.6,
    0.9,
    -1.6,
    -0.3,
    -1.0,
    -0.05,
    -1.0,
    0.6,
    -0.6,
    0,
    0,
    0.12,
    -0.5,
    -4,
    0.5,
    -0.15,
    -2,
    0.6,
    5,
    1.5,
    1.0,
    0.5,
    4,
    15,
    0,
    15,
    -30,
    2,
    0,
    0,
    0.3,
)


def weights_for(sight: Sight) -> Sequence[float]:
    """The weights for a table: its number of seats, and whether the top of the pile must be melded."""
    return TWO if sight.seats == 2 else MORE
