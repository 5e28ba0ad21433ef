"""What `import undercut` adds for people who write Python: agents to ask, matches to play."""
