"""The documentation site: `./dev docs` builds it from docs/, and the server shows it at /docs.

- `build`: builds the site strictly: a link that leads nowhere is an error
- `hooks`: what MkDocs does with the pages of docs/ beside its own work
"""
