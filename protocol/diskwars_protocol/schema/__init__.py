"""Documents of everything that is sent: JSON Schema, AsyncAPI, TypeScript, and examples.

- `board_bounds`: bounds of positions as the schema states them, from the tables that readers check
- `examples`: one consistent conversation as an example, and a sample of every action and question
- `schema`: JSON Schema and AsyncAPI documents of everything that is sent, generated from the structs
- `schema_roots`: what the schema and the TypeScript types describe: the shared types, and those of each registered
  ruleset
- `typescript`: TypeScript types of everything that is sent, generated from the structs like the JSON Schema
"""
