"""Benchmarks: programs that each measure one thing and print tables; run them with `./dev bench NAME`.

They are not part of the distribution. Measured code does not depend on them.
"""
