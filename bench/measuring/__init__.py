"""Measured processes, and tables of what was measured.

- `flames`: flame graphs as SVG
- `page_times`: what a player waits for on the page, in a real Chromium
- `plots`: plots of figures over time, as SVG
- `processes`: measured programs as child processes, with their CPU time and memory
- `stack_sampler`: runs a module and samples the stacks of its main thread
- `stage_times`: CPU time of one action by part of the server, measured by the server itself while it is under load
- `tables`: tables of figures with bounds, medians, and the machine they come from
"""
