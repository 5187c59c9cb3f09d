"""Loops that run beside the requests: deadlines, polls, ratings, and matches that are given up.

- `archiving`: the loop that moves the records of old matches from the database to the archive
- `devices`: the loop that stores that devices are in use for as long as they are connected: a token expires that is
  not used
- `head_polling`: polls for records of other nodes, once a second
- `loops`: start of the loops of a server, each as a task with a name
- `old_matches`: the loops that end matches in which nothing happens, and remove old ones from the database
- `operator_act_poller`: the loop by which a node carries out acts of operators, wherever they were done: it polls
  the stored acts
- `quiet_matches`: the loop that packs the state of matches in which nothing happens, so that thousands of them take
  little memory
- `rating_loop`: the loop that counts matches in the ratings when they have ended
- `repeat`: work that a server repeats for as long as it runs, in spite of all faults
- `server_clock`: the wall clock of a server: that of its database, which all of its nodes share, continued by the
  monotonic clock
- `time_limits`: the loop that finds overdue decisions and hands them to their matches, which let the house answer
"""
