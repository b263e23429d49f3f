"""What sessions inside the tests' process need is imported before them.

Such a session forgets what it imports itself, and numpy cannot be imported twice.
"""

from pbverify.claims import judge
from pbverify.paper import sorts
from pbverify.paper.cases import phase
from pbverify.report import gather

IMPORTED = (judge, sorts, phase, gather)
