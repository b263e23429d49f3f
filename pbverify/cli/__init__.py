"""The command line: `pbverify COMMAND`; `pbverify COMMAND --help` teaches it.

Exit codes: 0 as expected, 1 a verdict differs, 2 bad usage or input, 3 undecided. A user's mistake
costs one line on standard error, never a traceback. A command is imported when it is called.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from pbverify import __version__
from pbverify.claims.paper import Command
from pbverify.cli.groups import LazyGroup, show_help_without_command
from pbverify.errors import PbverifyError, UndecidedError, printable

COMMANDS = (
    Command("claims", "pbverify.cli.claims:print_claims", "The register: what is claimed."),
    Command("verify", "pbverify.cli.verify:verify_claims", "Judge the claims, all or some."),
    Command("show", "pbverify.cli.show:show_claim", "All that is known of a statement or claim."),
    Command("replay", "pbverify.cli.replay:replay_file", "Recompute a counterexample."),
    Command("report", "pbverify.cli.report:write_pages", "Write pages to open in a browser."),
    Command("errata", "pbverify.cli.errata:write_errata", "Write what to send to the authors."),
    Command("diff", "pbverify.cli.diff:print_differences", "Compare two files of verdicts."),
    Command("prove", "pbverify.cli.prove:prove_inequality", "Prove an inequality, or refute it."),
    Command("register", "pbverify.cli.register:propose_register", "Bring the register up to date."),
    Command("new-claim", "pbverify.cli.new_claim:write_claim", "Start a lemma file of your own."),
    Command("campaign", "pbverify.cli.campaign:app", "Search overnight, resumable."),
)
"""The commands that know no paper, in the order of `--help`."""


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"pbverify {__version__}")
        raise typer.Exit(0)


app = typer.Typer(
    cls=LazyGroup.of(COMMANDS),
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

_UsageError: Any = typer.BadParameter.__bases__[0]  # click's, which typer may bring along


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="print the version"),
    ] = False,
) -> None:
    """Judge the claims of a paper, and play the algorithm of the first one: Prudent-Banker.

    A first look:

    pbverify verify --profile quick

    pbverify show thm:main

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
