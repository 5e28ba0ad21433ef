"""Duel, a complete game in one folder: its rules, its text, an agent, a screen.

Nothing in the package knows it: `register` in `__main__.py` adds it. From the folder `examples`:

    python -m duel play --game duel
    python -m duel match duel miser random -n 1000
"""
