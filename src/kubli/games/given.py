"""What programs hand in, checked before anything changes: one clear sentence for whatever is wrong."""

import operator
from typing import Any

__all__ = ["GivenError", "whole_number"]


class GivenError(ValueError):
    """Something handed in may not be; nothing has changed.

    Attributes:
        rule: the id of the rule that says so ("DA-3"), or FORMAT.
    """

    def __init__(self, sentence: str, rule: str = "FORMAT") -> None:
        """Say why in a sentence."""
        super().__init__(sentence)
        self.rule = rule


def whole_number(
    name: str, value: Any, least: int | None = None, most: int | None = None, error: type[GivenError] = GivenError
) -> int:
    """An int, or what NumPy has for one, in its range.

    Raises:
        GivenError: (the kind that is asked for) it is something else, a bool too, or out of range.
    """
    if isinstance(value, bool):
        raise error(f"{name} must be a whole number, not {value!r}.")
    try:
        number = operator.index(value)
    except TypeError:
        raise error(f"{name} must be a whole number, not {value!r:.60}.") from None
    if (least is not None and number < least) or (most is not None and number > most):
        wanted = f"at least {least}" if most is None else f"from {least} to {most}"
        raise error(f"{name} must be {wanted}, not {number}.")
    return number
