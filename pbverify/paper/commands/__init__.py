"""Commands of the command line that only make sense for this paper."""

from __future__ import annotations

import typer


def add_commands(app: typer.Typer) -> None:
    """Add the commands that play the paper's algorithm."""
    from pbverify.paper.commands import bench, experiment, instance, run

    app.command("instance", epilog=instance.MENUS)(instance.write_instance)
    app.command("run", epilog=run.MENU)(run.run_instance)
    app.command("experiment")(experiment.run_experiment)
    app.add_typer(bench.app, name="bench")
