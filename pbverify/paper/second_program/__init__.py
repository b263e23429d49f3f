"""The independent checker: a program that shares no code with the rest of pbverify."""
