"""The weights of the normal player and the expert, as data, and which are for which table.

Made by `tools/train_expert.py`; what each place means stands in `server.ai.evaluate`.
"""

from collections.abc import Sequence

from server.ai.sight import Sight

# fmt: off
TWO_TEN: tuple[float, ...] = (
    1.2439, -3.9879, 1.4638, -1.6943, 0.5399, -1.1366, 0.5096, -1.6784, 0.4273, -0.2921, 0.1164, 0.0888,
    0.0384, -0.6486, -3.3366, 1.0843, -0.2583, -2.2958, 0.3373, 10.1805, 1.9987, 0.4501, 1.9152, 2.7018,
    20.9489, -0.1263, 4.7571, 9.4575, 1.0218, 0.3574, -0.0393, 0.4506, 1.0, 0.0, 0.0, 0.0,
)
TWO_THIRTEEN: tuple[float, ...] = (
    1.534, -4.5986, 2.0698, -2.4764, 0.2787, -0.5846, 0.656, -1.3671, 0.0803, -0.2343, 0.1464, -0.0697,
    0.1552, -0.854, -2.3383, 1.1851, -0.2862, -3.8867, 0.8595, 9.1936, 2.1143, 0.0971, 1.531, 3.5508, 15.6007,
    -0.1209, 3.6387, -11.5328, 0.433, 0.337, -0.0819, 0.478, 1.0, 0.0, 0.0, 0.0,
)
MORE: tuple[float, ...] = (
    1.0505, -2.7123, 0.9179, -1.6924, 0.3804, 0.7863, 0.596, -0.8419, 1.3342, -0.8932, 0.1095, -0.6332,
    0.0986, -1.2594, -6.6637, 0.3944, -0.5471, -4.6508, 0.8271, 1.2363, -0.5592, 2.2897, 1.207, -2.1904,
    31.5051, 0.1002, 17.4128, -5.9422, 4.9208, 0.046, 0.3172, 0.3677, 1.0, 0.0, 0.0, 0.0,
)
NORMAL: tuple[float, ...] = (
    0.0, 0.0, 0.0, 0.0, -0.3, -1.0, -0.05, -1.0, 0.6, -0.6, 0.0, 0.0, 0.0, -0.5, -4.0, 0.5, 0.0, 0.0, 0.6,
    5.0, 1.5, 1.0, 1.0, 4.0, 15.0, 0.0, 15.0, -30.0, 0.0, 0.0, 0.0, 0.3, 0.0, 0.0, 0.0, 0.0,
)
# fmt: on


def weights_for(sight: Sight) -> Sequence[float]:
    """The expert's weights for a table: by its number of seats, and whether the top of the pile must be melded."""
    if sight.seats > 2:
        return MORE
    return TWO_TEN if sight.must_meld else TWO_THIRTEEN
