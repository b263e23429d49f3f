"""Powers of n whose exponents are not fixed: the order of an expression, on all paths at once."""

from pbverify.prover.powers.exponents import Cell as Cell
from pbverify.prover.powers.exponents import Exponent as Exponent
from pbverify.prover.powers.exponents import cells as cells
from pbverify.prover.powers.orders import OpenError as OpenError
from pbverify.prover.powers.orders import Order as Order
from pbverify.prover.powers.orders import order_of as order_of
