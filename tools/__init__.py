"""Commands that write parts of the repository."""
