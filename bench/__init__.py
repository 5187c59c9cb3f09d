"""Benchmarks: programs that each measure one thing and print tables; run them with `./dev bench NAME`.

- `__main__`: command line of the benchmarks: run programs by name, print their tables, write them into a page
- `against`: comparison of this tree with another revision of the repository, in turn: `./dev bench against REV`
- `capacity`: how far the server scales: a plan from measured costs, and a simulation of it with failures
- `flames`: flame graphs of a loaded server, of this tree and of another revision
- `load`: load generators: players, spectators and strangers, and the connections that they use
- `matches`: the matches that are measured
- `measured_code`: the code that each program measures, and the commit at which a section of the page was measured
- `measuring`: measured processes, and tables of what was measured
- `programs`: benchmarks: each module measures one thing, with `tables(effort)`
- `result_page`: the page of all figures: summary, how to read it, all bounds, the tables, and the profiles
- `rivals`: other servers and event stores, as they are installed and run for comparison
- `servers`: the servers that are measured: ours, and bare ones to compare it with
"""
