"""The cards and disks, as data."""
