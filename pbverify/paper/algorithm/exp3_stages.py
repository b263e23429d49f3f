r"""What Prudent-EXP3 is told, and what it fixes for a stage and for a phase.

N_s = 2^(s-1) N_0,   gamma_s = sqrt(2 delta ln A / N_s),   R_s = sqrt(2 N_s ln A / delta),
K_s = 1 + max(0, ceil(log2(R_s s (s+1) / Lambda))),        alpha_{s,k} = 2^(k - K_s).
"""

from __future__ import annotations

import dataclasses
from fractions import Fraction

from pbverify.errors import InputError
from pbverify.files.codec import mapping
from pbverify.numerics import Arithmetic, Number, power_of_two_above, rational
from pbverify.paper.formulas import prudent_exp3 as formulas

NAME = "prudent-exp3"


@dataclasses.dataclass(frozen=True)
class Exp3Settings:
    """What Prudent-EXP3 is told besides the comparator; it knows neither horizon nor delays."""

    safety: Fraction = Fraction(1)
    """Lambda: the expected regret to the comparator that is allowed."""
    first_clock: Fraction = Fraction(1)
    """N_0: the largest clock of the first stage; the horizon, if that is known."""
    budget: Fraction | None = None
    """A number in place of R_s in every stage, so that phases end early in small games."""
    threshold: Fraction = Fraction(1)
    """A factor on the exit threshold 2 R_s + m_t, to see what a weaker test costs."""

    def __post_init__(self) -> None:
        for field in OPTIONS:
            value = getattr(self, field)
            least, words = (1, "a number >= 1") if field == "first_clock" else (0, "a number > 0")
            if value is not None and (value < least or value == 0):
                raise InputError(words, field, str(value))

    def with_options(self, **changes: object) -> Exp3Settings:
        """The same settings with some of them replaced, from texts."""
        for option in changes:
            if option not in OPTIONS:
                raise InputError(f"an option among {', '.join(OPTIONS)}", "set", option)
        values = {option: rational(value, option) for option, value in changes.items()}
        return dataclasses.replace(self, **values)

    def to_json(self) -> dict[str, str | None]:
        values = {option: getattr(self, option) for option in OPTIONS}
        return {"name": NAME, **{k: None if v is None else str(v) for k, v in values.items()}}

    @staticmethod
    def from_json(value: object) -> Exp3Settings:
        """The settings that `to_json` wrote; every one must be there."""
        given = mapping(value, "learner")
        if given.keys() != {"name", *OPTIONS} or given["name"] != NAME:
            expected = f'an object with name "{NAME}" and {", ".join(OPTIONS)}'
            raise InputError(expected, "learner", value)
        return UNTOLD.with_options(
            **{option: given[option] for option in OPTIONS if (option, given[option]) != ABSENT}
        )


OPTIONS = tuple(field.name for field in dataclasses.fields(Exp3Settings))
UNTOLD = Exp3Settings()
"""An allowed regret of 1, and nothing known of the horizon."""
ABSENT = ("budget", None)


@dataclasses.dataclass(frozen=True, slots=True)
class Exp3Stage:
    """The quantities of stage s."""

    number: int
    largest_clock: Fraction
    """N_s."""
    rate: Number
    """gamma_s."""
    budget: Number
    """R_s."""
    phases: int
    """K_s."""

    def alpha(self, phase: int) -> Fraction:
        """alpha_{s,k} = 2^(k - K_s)."""
        return Fraction(1, 2 ** (self.phases - phase))


def stage(
    arithmetic: Arithmetic,
    settings: Exp3Settings,
    number: int,
    *,
    arms: int,
    delta: Fraction,
    round: int = 1,
) -> Exp3Stage:
    """Stage s = `number`, in a round that a message may name."""
    largest = settings.first_clock * 2 ** (number - 1)
    known = {
        "N": arithmetic.exact(largest),
        "A": arithmetic.exact(arms),
        "delta": arithmetic.exact(delta),
    }
    budget = formulas.BUDGET(arithmetic, **known)
    if settings.budget is not None:
        budget = arithmetic.exact(settings.budget)
    share = budget * arithmetic.exact(number * (number + 1) / settings.safety)
    doublings = _doublings(arithmetic, share, round=round)
    return Exp3Stage(number, largest, formulas.RATE(arithmetic, **known), budget, 1 + doublings)


def _doublings(arithmetic: Arithmetic, value: Number, *, round: int) -> int:
    """max(0, ceil(log2(value)))."""
    power = power_of_two_above(arithmetic, value, round=round)
    return max(0, int(arithmetic.to_float(power)).bit_length() - 1)
