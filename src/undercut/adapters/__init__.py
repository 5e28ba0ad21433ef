"""Interfaces to other programs: each module serves one library, and needs it."""
