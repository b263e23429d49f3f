"""A notebook's sliders, moved in a live JupyterLab."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

ROOT = pathlib.Path(__file__).parents[2]
CELL = """from pbverify.figures.notebook import lower_bound
from pbverify.figures.notebook.widgets import explore

explore(lower_bound.buckets, q=[4, 1, 2, 3, 6], N=[3, 1, 2, 5])"""
NOTEBOOK = {
    "cells": [
        {
            **{"cell_type": "code", "id": "a", "metadata": {}, "source": CELL},
            **{"execution_count": None, "outputs": []},
        }
    ],
    "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}
PICTURE = "document.querySelector('.jp-OutputArea img.widget-image')?.src"
HANDLE = "document.querySelector('.widget-slider .noUi-handle')"
SECONDS = 120.0
"""A machine that does other work may need that long; alone it takes ten."""


@pytest.fixture
def lab(tmp_path: pathlib.Path) -> Iterator[str]:
    """The address of a notebook in a new JupyterLab; skipped where there is none."""
    if importlib.util.find_spec("jupyterlab") is None:
        pytest.skip("no JupyterLab on this machine (extra `notebooks`)")
    (tmp_path / "n.ipynb").write_text(json.dumps(NOTEBOOK))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = [f"--port={port}", "--no-browser", "--allow-root", "--expose-app-in-browser"]
    options += ["--IdentityProvider.token=", "--ServerApp.port_retries=0"]
    places = {name: str(tmp_path) for name in ("JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR")}
    with open(tmp_path / "log", "wb") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", *options, f"--ServerApp.root_dir={tmp_path}"],
            env={**os.environ, **places, "PYTHONPATH": str(ROOT)},
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        yield f"http://127.0.0.1:{port}/lab/tree/n.ipynb"
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGTERM)
        server.wait(timeout=20)


def test_a_slider_moves_the_picture(page: Any, lab: str) -> None:
    """A key press on the first slider draws another picture, and one more draws again."""
    port = int(lab.rpartition(":")[2].partition("/")[0])
    _listening(port)
    page.visit(lab)
    page.wait("window.jupyterapp?.shell?.currentWidget?.context?.isReady", seconds=SECONDS)
    page.wait(
        "jupyterapp.shell.currentWidget.sessionContext.session?.kernel?.status === 'idle'",
        seconds=SECONDS,
    )
    page.evaluate("void jupyterapp.commands.execute('notebook:run-all-cells')")
    page.wait(PICTURE, seconds=SECONDS)
    for key, code in (("ArrowRight", 39), ("ArrowLeft", 37)):
        before = page.evaluate(PICTURE)
        page.evaluate(f"{HANDLE}.focus()")
        page.press(key, code)
        page.wait(f"{PICTURE} && {PICTURE} !== {json.dumps(before)}", seconds=SECONDS)
        assert page.evaluate(PICTURE) != before


def _listening(port: int) -> None:
    for _ in range(int(SECONDS / 0.2)):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 0.2):
            return
