"""Groups of commands: help without a command, and commands that are imported when they are called.

`--help` lists the commands by their lines of data, so it imports none of them.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Mapping, Sequence
from typing import Any

import typer
from typer.core import TyperGroup

from pbverify.claims.paper import Command, installed_papers


class LazyGroup(TyperGroup):
    """Commands known by data: those of the command line, then those of installed papers."""

    own: Sequence[Command] = ()

    @classmethod
    def of(cls, commands: Sequence[Command]) -> type[LazyGroup]:
        """A group of these commands and those of installed papers."""
        return type("Commands", (cls,), {"own": commands})

    @functools.cached_property
    def known(self) -> Mapping[str, Command]:
        """Every command by its name."""
        of_papers = [command for paper in installed_papers() for command in paper.commands]
        return {command.name: command for command in (*self.own, *of_papers)}

    def list_commands(self, ctx: Any) -> list[str]:
        return list(self.known)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        return imported(self.known[cmd_name]) if cmd_name in self.known else None

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(each.name, each.line) for each in self.known.values()])


def imported(command: Command) -> Any:
    """The command itself, from a function or from a group."""
    module, _, name = command.target.partition(":")
    target = getattr(importlib.import_module(module), name)
    if not isinstance(target, typer.Typer):
        one = typer.Typer(add_completion=False, rich_markup_mode=None)
        one.command(command.name)(target)
        target = one
    found = typer.main.get_command(target)
    found.name = command.name
    return found


def show_help_without_command(context: typer.Context) -> None:
    """Print the help of a group of commands that was called without one, and stop."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(0)
