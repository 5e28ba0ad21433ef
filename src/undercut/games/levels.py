"""Levels of opponents that several games have."""

from undercut.games.contract import Level

MASTER = Level("master", "blueprint", "Judges a hand at a glance, and rarely errs.")
GRANDMASTER = Level(
    "grandmaster",
    "champion",
    "Tries the best moves on many deals that fit all that is known. The best there is here.",
)


def beginner(spec: str) -> Level:
    """A level that forgets and errs."""
    about = "Goes by what lies open, forgets the rest, and often keeps the wrong card."
    return Level("beginner", spec, about)


def casual(spec: str) -> Level:
    """A level that forgets and errs less often."""
    return Level("casual", spec, "Goes by what lies open, and is not too particular.")


def expert(spec: str) -> Level:
    """A level that remembers everything and errs rarely."""
    about = "Remembers everything, and plays the second-best card now and then."
    return Level("expert", spec, about)
