"""Claims as data, and how they are judged: pairs, evidence, verdicts, witnesses, the register.

Nothing here knows what a claim is about: that is the business of a paper's sorts of case.
"""
