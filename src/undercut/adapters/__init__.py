"""Doors for other people's programs: each module here is for one library, and needs it."""
