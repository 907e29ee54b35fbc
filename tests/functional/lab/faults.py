"""What a link does to frames (DelayedLink), drawn by a seed: by a share of them, in bursts, or by a list."""

import random
from typing import Callable, Collection

Happens = Callable[[], bool]


def at_random(share: float, seed: int) -> Happens:
    chance = random.Random(seed)
    return lambda: chance.random() < share


def in_bursts(share: float, length: float, seed: int) -> Happens:
    """Gilbert and Elliott: a good state and a bad one, which lasts for so many frames on average, and in which
    all is lost; that share of all frames is in it."""
    chance = random.Random(seed)
    is_bad = False

    def happens() -> bool:
        nonlocal is_bad
        leaves = 1 / length if is_bad else share / (length * (1 - share))
        if chance.random() < leaves:
            is_bad = not is_bad
        return is_bad
    return happens


def to_these(numbers: Collection[int]) -> Happens:
    """Frames by their number, from 0 on."""
    seen = -1

    def happens() -> bool:
        nonlocal seen
        seen += 1
        return seen in numbers
    return happens
