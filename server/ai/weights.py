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
    1.1671, -1.9472, 1.262, -3.9999, 0.6506, -1.532, 0.6624, -1.711, -0.626, 0.5269, 0.1725, -0.2041, 0.1056,
    -0.8658, -6.5443, 0.6983, -0.423, -4.8307, 1.5686, 11.4991, 1.0147, -0.6244, 0.9527, 6.5306, 7.4989, -0.486,
    5.3881, -31.9859, 0.5855, 0.2527, -0.1988, 0.295, 1.0, -0.3927, 0.1175, 0.0, -0.0888, -0.1048, 0.0488, 0.0697,
    0.0241, 1.007, -0.0188, -0.2421, -0.0579, 0.03,
)
TWO_THIRTEEN_HOARDS: tuple[float, ...] = (
    0.3526, -0.7927, 1.333, -4.1095, 0.7487, -2.1781, 0.7151, -2.1144, -0.5457, 0.8003, -0.3486, -0.2045, -0.0429,
    -1.1656, -6.3559, 0.309, -0.4172, -4.8467, 1.9379, 12.6477, 1.2963, 0.0752, 1.0754, 4.5794, 15.2809, -0.4668,
    5.3881, -31.9859, 0.945, 0.2527, -0.2546, 0.3755, 1.0, -0.4926, -0.5246, 0.0, -0.3467, -0.4835, 0.0273, 0.0767,
    -0.0141, 0.9514, -0.1144, -0.111, -0.2708, 0.0398,
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
