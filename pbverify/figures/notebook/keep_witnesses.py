"""Keep one witness per refuted claim for the notebooks: run this module with SOURCE and TARGET.

SOURCE is where `pbverify verify` left its witnesses; TARGET is the folder beside the notebooks.
"""

from __future__ import annotations

import pathlib
import sys

from pbverify.claims.library import Library, find_folder
from pbverify.figures.notebook.counterexamples import collect, refuted_ids

if __name__ == "__main__":
    library = Library.load(find_folder())
    kept = collect(library, pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
    missing = [id for id in refuted_ids(library) if id not in kept]
    sys.exit(f"no witness of {', '.join(missing)}: run `pbverify verify` first" if missing else 0)
