"""`pbverify new-claim`: a lemma file of one's own to start from."""

from __future__ import annotations

import pathlib
import re
import string
from typing import Annotated

import typer

from pbverify.claims.library import REGISTER
from pbverify.claims.register import Register
from pbverify.errors import FileError, InputError
from pbverify.files.documents import made_folder, replacing

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_LONGEST = 60


def new_claim(name: str, folder: pathlib.Path) -> pathlib.Path:
    """Write the lemma file of a new claim, add its row to the folder's register."""
    if len(name) > _LONGEST or not _NAME.fullmatch(name):
        raise InputError("lower-case words joined by dashes", "name", name)
    path, register = folder / f"lemma_{name.replace('-', '_')}.py", folder / REGISTER
    if path.exists():
        raise FileError(f"{path.name} exists already.")
    if register.exists() and name in Register.load(register).rows:
        raise InputError("a new id", "name", name)
    rows = register.read_text(encoding="utf-8").rstrip() + "\n\n" if register.exists() else ""
    _write(path, LEMMA.substitute(name=name))
    _write(register, rows + ROW.substitute(name=name))
    return path


def _write(path: pathlib.Path, text: str) -> None:
    made_folder(path.parent)
    with replacing(path) as file:
        file.write(text.encode())


ROW = string.Template("""\
[[claim]]
id = "$name"
label = ""
place = ""
kind = "pathwise"
fidelity = "stated"
uses = []
expected = { any = "HOLDS" }
erratum = ""
""")

LEMMA = string.Template('''\
r"""$name: say here what you claim, in words and in symbols.

    x_{t+1} = x_t  unless feedback arrives at the end of round t

Kind: pathwise. Uses: nothing.
"""

from fractions import Fraction

from pbverify.bandits.learners.exp3 import exp3
from pbverify.claims.judging import survive
from pbverify.claims.claim import Claim, Kind, Pair, Relation
from pbverify.bandits.trial import Trial
from pbverify.bandits.strategies import instances


def new_learner(arithmetic, instance):
    """Your learner: a subclass of pbverify.algorithms.protocol.Learner."""
    return exp3(arithmetic, arms=instance.arms, horizon=instance.rounds)


TRIAL = Trial(new_learner)


def law_waits_for_feedback(play):
    """What you claim, as pairs lhs <= rhs (or =, or <), each with where it arises."""
    for t in play.rounds[:-1]:
        if not play.arrivals(t):
            for arm in play.arms:
                before, after = play.law(t)[arm], play.law(t + 1)[arm]
                yield Pair(after, before, Relation.EQUAL, where={"t": t, "arm": arm})


STATEMENT = Claim(
    "$name",
    kind=Kind.PATHWISE,
    statement="x_{t+1} = x_t unless feedback arrives at the end of round t",
    then=(law_waits_for_feedback, TRIAL.keeps_the_protocol),
    # A verdict needs each of these to have been met.
    must_meet={"late feedback": lambda play: play.instance.delays.total > 0},
    about=TRIAL.sort,
)
CLAIMS = (STATEMENT,)

# Known false: a checker that cannot refute this one would have no teeth.
TOO_STRONG = STATEMENT.sharpened(law_waits_for_feedback, by=Fraction(1, 1000))


def judged(claim, profile):
    return survive(claim, instances().map(TRIAL.play), examples=profile.examples)


def test_statement(judge, profile):
    """No generated game breaks the claim."""
    judge(judged(STATEMENT, profile))


def test_a_stronger_claim_is_refuted(judge, profile):
    """The same checker refutes a claim that is known to be false."""
    judge.teeth(judged(TOO_STRONG, profile))
''')


def write_claim(
    name: Annotated[str, typer.Argument(metavar="NAME", help="words joined by dashes")],
    output: Annotated[
        pathlib.Path, typer.Option("--output", "-o", help="folder of lemma files")
    ] = pathlib.Path("lemmas"),
) -> None:
    """Write a lemma file that runs at once, and its row in the register beside it.

    It claims something true about EXP3 with delays; put your own learner and claim in its place.
    """
    path = new_claim(name, output)
    typer.echo(f"wrote {path}, and a row in {path.parent / 'paper.toml'}")
    typer.echo(f"judge it: pytest {output}, or: pbverify verify {name} --lemmas {output}")
