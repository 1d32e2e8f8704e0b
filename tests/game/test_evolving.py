"""New versions of frozen records."""

from dataclasses import FrozenInstanceError, dataclass, replace

import pytest

from server.game.evolving import evolver


@dataclass(frozen=True, slots=True)
class Place:
    """A record."""

    name: str
    cards: tuple[int, ...] = ()
    held: int | None = None


evolve = evolver(Place)


def test_an_evolved_record_is_a_frozen_one_with_the_changes() -> None:
    """It equals what `dataclasses.replace` makes, of the same class, as unchangeable; the old one is as it was."""
    old = Place("a", (1, 2), 5)
    new = evolve(old, cards=(3,), held=None)
    assert new == replace(old, cards=(3,), held=None)
    assert hash(new) == hash(replace(old, cards=(3,), held=None))
    assert type(new) is Place
    assert old == Place("a", (1, 2), 5)
    with pytest.raises(FrozenInstanceError):
        new.name = "b"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        evolve(old, nobody=1)
