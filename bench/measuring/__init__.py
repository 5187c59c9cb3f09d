"""Measured processes, and tables of what was measured.

- `page_times`: what a player waits for on the page, in a real Chromium
- `processes`: measured programs as child processes, with their CPU time and memory
- `stage_times`: CPU time of one action by part of the server, measured by the server itself while it is under load
- `tables`: tables of figures with bounds, medians, and the machine they come from
"""
