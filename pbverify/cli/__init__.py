"""The command line: `pbverify COMMAND`; `pbverify COMMAND --help` teaches it.

Exit codes: 0 as expected, 1 a verdict differs, 2 bad usage or input, 3 undecided. A user's mistake
costs one line on standard error, never a traceback.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import typer

from pbverify.claims.library import installed_papers
from pbverify.cli import (
    campaign,
    claims,
    diff,
    new_claim,
    prove,
    register,
    replay,
    report,
    show,
    verify,
)
from pbverify.cli.options import show_help_without_command
from pbverify.errors import PbverifyError, UndecidedError, printable

app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for paper in installed_papers():
    if paper.commands is not None:
        paper.commands(app)
app.command("claims")(claims.print_claims)
app.command("verify")(verify.verify_claims)
app.command("show")(show.show_claim)
app.command("replay")(replay.replay_file)
app.command("report")(report.write_pages)
app.command("diff")(diff.print_differences)
app.command("prove")(prove.prove_inequality)
app.command("register")(register.propose_register)
app.command("new-claim")(new_claim.write_claim)
app.add_typer(campaign.app, name="campaign")

_UsageError: Any = typer.BadParameter.__bases__[0]  # click's, which typer may bring along


@app.callback(invoke_without_command=True)
def _root(context: typer.Context) -> None:
    """Replay the Prudent-Banker paper's algorithm and judge its claims.

    A first look:

    pbverify instance --rounds 500 --delays geometric --seed 1 -o small.json

    pbverify run small.json --reading repaired -o trace.json

    pbverify verify --profile quick

    pbverify report -o pages
    """
    show_help_without_command(context)


def main() -> None:
    """Entry point of the `pbverify` command."""
    sys.exit(execute(sys.argv[1:]))


def execute(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit code."""
    if any("\0" in argument for argument in arguments):
        return _complain("no argument may hold a null character", code=2)
    try:
        return app(list(arguments), standalone_mode=False) or 0
    except UndecidedError as error:
        return _complain(error, code=3)
    except PbverifyError as error:
        return _complain(error, code=2)
    except _UsageError as error:
        return _complain(error.format_message(), code=2)
    except (typer.Abort, KeyboardInterrupt):
        return _complain("interrupted", code=130)
    except MemoryError:
        return _complain("not enough memory for an input of this size", code=2)
    except OSError as error:
        return _complain(f"cannot write the output: {error.strerror}", code=2)


def _complain(message: object, *, code: int) -> int:
    line = printable(" ".join(str(message).split()))
    typer.echo(f"pbverify: {line}", err=True)
    return code
