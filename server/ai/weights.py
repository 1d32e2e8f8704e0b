"""The weights of the normal player and the expert, as data, and which are for which table.

Made by `tools/train_expert.py`; what each place means stands in `server.ai.evaluate`.
"""

from collections.abc import Sequence

from server.ai.sight import Sight

# fmt: off
TWO_TEN: tuple[float, ...] = (
    0.9858, -2.9668, 1.3225, -2.5776, 0.7694, -1.8732, 0.7979, -1.8379, 0.0418, 0.1777, 0.391, -0.0987, 0.2747,
    -0.5129, -4.311, 1.1785, -0.4601, -3.9698, 0.6897, 11.0392, 1.3932, 0.0659, 1.0265, 6.061, 17.1429, 0.06,
    1.9134, 5.0101, 2.3597, 0.4599, 0.092, 0.2806, 1.0, -0.4914, -0.0882, 0.0, -0.1754, -0.336, -0.0843, -0.0363,
    -0.0488, 0.596, -0.0566, 0.0442, -0.2267, 0.0,
)
TWO_THIRTEEN: tuple[float, ...] = (
    1.0725, -1.6048, 1.5937, -3.955, 0.5219, -1.6593, 0.6202, -2.3176, -0.4254, 0.5269, 0.1604, -0.1129, 0.0409,
    -0.7645, -6.5443, 0.6983, -0.4612, -4.8307, 1.544, 12.1213, 1.0654, -0.3384, 0.9527, 5.9893, 7.4989, -0.4035,
    5.3881, -31.9859, 0.5855, 0.2527, -0.1988, 0.4994, 1.0, -0.3927, 0.1121, 0.0, -0.0888, -0.1048, 0.0488, 0.0697,
    0.0241, 1.007, -0.0188, -0.4307, -0.4768, 0.0,
)
TWO_THIRTEEN_HOARDS: tuple[float, ...] = (
    0.544, -0.8544, 1.1148, -3.9412, 0.5697, -1.7523, 0.6183, -2.1112, -0.5992, 0.6015, 0.2139, -0.0576, -0.0074,
    -0.9497, -6.8551, 0.8061, -0.4337, -5.0981, 1.6888, 13.8185, 0.8694, -0.4837, 1.0438, 7.6772, 9.2376, -0.5015,
    5.3881, -31.9859, 0.7153, 0.2527, -0.1767, 0.417, 1.0, -0.5061, 0.2015, 0.0, -0.0313, -0.4831, 0.0483, 0.0827,
    0.0329, 0.8404, -0.1239, 0.0305, -0.7555, 0.035,
)
MORE: tuple[float, ...] = (
    0.8147, -2.0551, 1.5821, -1.5497, 0.5678, -0.7795, 0.7572, -1.3027, 1.3736, -1.3462, 0.1249, -0.6641, 0.0298,
    -1.2094, -4.0521, 0.5874, -0.651, -6.2113, 1.2348, 4.9512, -0.9236, 2.2881, 0.8073, -1.9092, 10.0626, -0.1163,
    4.2718, -26.6713, 4.7391, -0.0848, 0.3239, 0.427, 1.0, -0.4559, 0.1239, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
    0.0, 0.0, 0.0,
)
NORMAL: tuple[float, ...] = (
    0.0, 0.0, 0.0, 0.0, 0.309, -1.438, 0.25, -1.344, 0.025, -0.455, 0.127, 0.0, 0.0, -0.698, 3.91, 0.0, 0.0, 0.0,
    0.532, 4.755, 1.5, 1.0, 1.0, 5.832, 26.588, 0.542, 15.0, -30.0, 0.0, 0.0, 0.0, 0.3, 0.0, 0.0, 0.0, 0.0, 0.0,
    0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
)
NORMAL_THREE: tuple[float, ...] = (
    0.0, 0.0, 0.0, 0.0, 0.309, -1.438, 0.25, -1.344, 0.025, -0.455, 0.127, 0.0, 0.0, -0.22, 0.0, 0.0, 0.0, 0.0,
    0.532, 4.755, 1.5, 1.0, 1.0, 5.832, 26.588, 0.542, 15.0, -30.0, 0.0, 0.0, 0.0, 0.3, 0.0, 0.0, 0.0, 5.0, 0.0,
    0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
)
NORMAL_MANY: tuple[float, ...] = (
    0.0, 0.0, 0.0, 0.0, 0.309, -1.438, 0.25, -1.344, 0.025, -0.455, 0.127, 0.0, 0.0, -0.698, 3.91, 0.0, 0.0, 0.0,
    0.532, 4.755, 1.1, 1.0, 1.0, 5.832, 26.588, 0.542, 15.0, -30.0, 0.0, 0.0, 0.0, 0.3, 0.0, 0.0, 0.0, 0.0, 0.0,
    0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
)
# fmt: on


def weights_for(sight: Sight) -> Sequence[float]:
    """The expert's weights for a table: by its number of seats, and whether the top of the pile must be melded.

    With two seats and a free top they go by how the opponent plays: early to the table or holding back.
    """
    if sight.seats > 2:
        return MORE
    if sight.must_meld:
        return TWO_TEN
    return between(TWO_THIRTEEN, TWO_THIRTEEN_HOARDS, sight.hoards)


def between(one: Sequence[float], other: Sequence[float], share: float) -> Sequence[float]:
    """The weights `share` of the way from one row to the other."""
    if share <= 0.0:
        return one
    return [a + share * (b - a) for a, b in zip(one, other, strict=True)]


def normal_weights(sight: Sight) -> Sequence[float]:
    """The normal player's weights: by the number of seats, where the top of the pile is free.

    With three it looks at the top five cards of the pile only, and is the opponent a beginner can beat; with more it
    fears less that the round ends at once.
    """
    if sight.seats == 2 or sight.must_meld:
        return NORMAL
    return NORMAL_THREE if sight.seats == 3 else NORMAL_MANY
