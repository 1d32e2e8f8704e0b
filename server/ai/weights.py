"""The weights of the normal player and the expert, as data, and which are for which table.

Made by `tools/train_expert.py`; what each place means stands in `server.ai.evaluate`.
"""

from collections.abc import Sequence

from server.ai.sight import Sight

# fmt: off
TWO_TEN: tuple[float, ...] = (
    1.4146, -3.2742, 1.5558, -2.1192, 0.5742, -1.5158, 0.6094, -2.0188, 0.4437, 0.101, 0.1779, 0.0797, 0.0577,
    -0.1985, 0.8737, 1.7816, -0.2824, -2.0819, 0.4936, 11.0795, 1.5342, -0.2865, 2.0557, 4.5117, 18.6988,
    -0.178, 1.9134, 5.0101, 2.037, 0.4599, -0.124, 0.4482, 1.0, -0.2856, -0.0978, 0.0,
)
TWO_THIRTEEN: tuple[float, ...] = (
    1.7317, -3.4359, 2.0008, -3.7645, 0.3994, -0.7446, 0.5371, -1.4808, -0.0101, -0.2422, 0.1867, -0.0938,
    0.2712, -0.3425, -2.9367, 0.9488, -0.3842, -4.6182, 1.6355, 11.4196, 1.9681, 0.0997, 0.9046, 5.5219,
    18.3013, -0.2692, 5.3881, -31.9859, -0.9853, 0.2527, -0.0585, 0.4758, 1.0, -0.1773, 0.0895, 0.0,
)
MORE: tuple[float, ...] = (
    0.8147, -2.0551, 1.5821, -1.5497, 0.5678, -0.7795, 0.7572, -1.3027, 1.3736, -1.3462, 0.1249, -0.6641,
    0.0298, -1.2094, -4.0521, 0.5874, -0.651, -6.2113, 1.2348, 4.9512, -0.9236, 2.2881, 0.8073, -1.9092,
    10.0626, -0.1163, 4.2718, -26.6713, 4.7391, -0.0848, 0.3239, 0.427, 1.0, -0.4559, 0.1239, 0.0,
)
NORMAL: tuple[float, ...] = (
    0.0, 0.0, 0.0, 0.0, 0.309, -1.438, 0.25, -1.344, 0.025, -0.455, 0.127, 0.0, 0.0, -0.698, 3.91, 0.0, 0.0,
    0.0, 0.532, 4.755, 1.5, 1.0, 1.0, 5.832, 26.588, 0.542, 15.0, -30.0, 0.0, 0.0, 0.0, 0.3, 0.0, 0.0, 0.0,
    0.0,
)
# fmt: on


def weights_for(sight: Sight) -> Sequence[float]:
    """The expert's weights for a table: by its number of seats, and whether the top of the pile must be melded."""
    if sight.seats > 2:
        return MORE
    return TWO_TEN if sight.must_meld else TWO_THIRTEEN
