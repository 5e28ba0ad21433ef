"""The Python interface that `import undercut` provides: agents, beliefs, matches."""
