"""What sessions inside the tests' process need is imported before them.

Such a session forgets what it imports itself, and numpy cannot be imported twice. What takes long
to import or remembers what it read, such as the sources of pbverify, is paid for once.
"""

from pbverify.claims import judge, sources
from pbverify.paper import pictures, second_program, sorts
from pbverify.paper.cases import phase
from pbverify.pytest_plugin import session
from pbverify.report import gather, summary, table

IMPORTED = (judge, sources, pictures, second_program, sorts, phase, session, gather, summary, table)
