"""What can be computed from enough outputs of a Mersenne Twister (MT19937)."""

from collections.abc import Sequence

# The recurrence: each word of the state is made of those 624, 623 and 227 words before it.
SIZE, MIDDLE = 624, 397
UPPER, LOWER, MATRIX = 0x80000000, 0x7FFFFFFF, 0x9908B0DF


def next_word(first: int, second: int, middle: int) -> int:
    """The output 624 after `first` and 623 after `second`, 227 after `middle`."""
    upper, lower = untemper(first), untemper(second)
    mixed = (upper & UPPER) | (lower & LOWER)
    return temper(untemper(middle) ^ (mixed >> 1) ^ (MATRIX if mixed & 1 else 0))


def follows_mersenne_twister(words: Sequence[int]) -> bool:
    """Whether any of these consecutive 32-bit outputs could have been computed from the others."""
    return any(
        next_word(words[n], words[n + 1], words[n + MIDDLE]) == words[n + SIZE]
        for n in range(len(words) - SIZE)
    )


def temper(word: int) -> int:
    word ^= word >> 11
    word ^= (word << 7) & 0x9D2C5680
    word ^= (word << 15) & 0xEFC60000
    return word ^ (word >> 18)


def untemper(word: int) -> int:
    word ^= word >> 18
    word ^= (word << 15) & 0xEFC60000
    restored = word
    for _ in range(4):  # seven more bits are right each time
        restored = word ^ ((restored << 7) & 0x9D2C5680)
    word = restored
    for _ in range(2):
        restored = word ^ (restored >> 11)
    return restored
