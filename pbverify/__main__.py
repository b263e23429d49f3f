"""`python -m pbverify`."""

from pbverify.cli import main

main()
