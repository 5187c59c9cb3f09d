"""Builds the files of a release from one commit, twice, and tries what it has built.

- `artifacts`: version of a tag; wheel, source distribution and image context of a commit, the same bytes each time
- `statements`: list of components, provenance and checksums of the files of a release
- `trials`: installation of a built package into an environment of its own, and a match that it plays
"""
