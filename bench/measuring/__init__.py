"""Measured processes, and tables of what was measured.

- `processes`: measured programs as child processes, with their CPU time and memory
- `tables`: tables of figures with bounds, medians, and the machine they come from
"""
