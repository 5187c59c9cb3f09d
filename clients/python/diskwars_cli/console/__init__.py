"""Input, output, errors and stop signals of all verbs.

- `command`: parts that all verbs share: exit codes, the error shown to the user, and the name of the program
- `console`: plain console: lines on standard input and output
- `fault_log`: the log of a server that runs inside a verb: kept in a file, and its first error told in one line
- `output`: output of all verbs: tables, colour, and text that any terminal can show
- `progress`: progress line of a long run, overwritten in place and removed at the end
- `prompt`: interactive console: a prompt with history, completion and a status line, on prompt_toolkit
- `signals`: stop signals for every verb: an orderly stop, wherever the program is
"""
