"""Records: canonical JSON, sealed values, the hash chain, fair dice, and the match file.

- `canonical`: canonical JSON: the one spelling of a value, and the content that messages and records must not have
- `canonical_fast`: shortcuts for canonical JSON: cheap tests that return True only where the definition in
  `canonical` agrees
- `fairness`: fair dice: hash chains of server and seats, step keys, draws and shuffles, and commitments to cards
- `figures`: the figures of content: what its hash covers and verification compares
- `match_file`: the match file: one line for the header and one for each record, written, read and checked here
- `records`: records of one match and the hash chain over them, as stored and as one viewer receives them
- `sealed`: sealed values: secrets in a record, replaced by digests until an opening reveals them
"""
