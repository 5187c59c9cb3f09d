"""Mutation testing of the rules: changes of the code that cites a rule, against the tests that name it."""
