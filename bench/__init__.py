"""How fast is it? One program per question, each printing tables: `python -m bench.NAME` in the project's folder."""
