"""Information-set Monte Carlo tree search for any game, with a plain player as rollout policy.

The search samples determinizations of the hidden cards; all share one tree. On each determinization
it tries every candidate move, so the moves are compared on the same cards. Below, it follows the
tree to a move that was not tried yet, adds a node for it, and the plain player finishes the deal for
every seat. In the tree each seat maximises its own value. The worse half of the candidates is dropped
repeatedly (successive halving). A move replaces the plain player's only if its lead is significant.

`build` makes the kernels for one game; the functions below are templates with holes.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import numpy as np

from undercut.cards.french import NONE
from undercut.games.contract import Rules
from undercut.games.rules.holes import apply, is_over, observe
from undercut.games.rules.holes import legal as legal_actions
from undercut.kernels.jit import hole, hole_value, kernel, specialise
from undercut.kernels.records import (
    Action,
    Buffer,
    Layout,
    Options,
    Seat,
    State,
    View,
    record_in,
    words_for,
)
from undercut.kernels.rng import Generator
from undercut.play.agent import Turn
from undercut.text.spec import Option

CERTAIN = 1 << 20  # what a deal is worth to a seat that cannot do better
NODES = 2048  # in the tree, at most; further iterations only play out
MOVES = 16  # in question at once, at most


class Search(NamedTuple):
    """The settings of a search."""

    iterations: Annotated[int, Option(1, 1_000_000_000, "deals played out for one decision")] = 400
    seconds: Annotated[
        float, Option(0.0, 3600.0, "if not 0, as many deals as there is time for")
    ] = 0.0
    depth: Annotated[
        int, Option(0, 100, "moves that the tree may follow after the one in question")
    ] = 2
    exploration: Annotated[
        float, Option(0.0, 10.0, "how much a move seldom tried is worth trying")
    ] = 0.4
    trust: Annotated[
        float, Option(0.0, 10.0, "standard errors by which a move must lead the plain player's")
    ] = 1.0


# A node is this many numbers; its value is that of the seat that chose its move, in parts of
# CERTAIN, summed over visits.
_PARENT, _CHILD, _SIBLING, _ACTION, _CHOOSER, _VISITS, _CHANCES, _VALUE, _NODE = range(9)
# A move in question: its node, its value on the present deal, and over all deals the sum of its
# lead over the plain player's move and of the square of that.
_PLACE, _WORTH, _LEAD, _SQUARE, _MOVE = range(5)

# Holes for a game: its rules, then the members of a `Plan`.


@hole
def play_plainly(view: View, turn: Turn[Options, Search]) -> Action:
    """Play deals to their end."""


@hole
def list_moves(view: View, turn: Turn[Options, Search], out: Buffer) -> int:
    """Write the moves that are worth a search; return how many there are."""


@hole
def sample(
    view: View, options: Options, settings: Search, generator: Generator, state: State
) -> None:
    """Deal the cards that the view hides."""


@hole
def worth(state: State, options: Options, seat: Seat) -> int:
    """The value of a deal that is over to a seat, up to CERTAIN."""


# Offsets in the workspace.

state_layout: Layout = hole_value()
view_layout: Layout = hole_value()
state_end: int = hole_value()
deal_end: int = hole_value()
view_end: int = hole_value()
legal_end: int = hole_value()
moves_end: int = hole_value()
space_end: int = hole_value()
root_end: int = hole_value()


@dataclass(frozen=True)
class Plan:
    """What a search needs beside the rules of a game; the holes above describe each member."""

    play_plainly: Callable[..., Action]
    list_moves: Callable[..., int]
    sample: Callable[..., None]
    worth: Callable[..., int]
    space: int  # int64 numbers of workspace for the first two


def build(rules: Rules, plan: Plan) -> tuple[Callable[..., Action], int]:
    """The kernel that chooses by searching, and the size of its workspace."""
    bound: dict[str, Any] = {
        "apply": rules.apply,
        "legal_actions": rules.legal,
        "observe": rules.observe,
        "is_over": rules.is_over,
        "play_plainly": plan.play_plainly,
        "list_moves": plan.list_moves,
        "sample": plan.sample,
        "worth": plan.worth,
        "state_layout": np.dtype(rules.STATE),
        "view_layout": np.dtype(rules.VIEW),
    }
    end = 0
    for name, words in (
        ("state_end", words_for(rules.STATE)),
        ("deal_end", words_for(rules.STATE)),
        ("view_end", words_for(rules.VIEW)),
        ("legal_end", rules.LEGAL),
        ("moves_end", rules.LEGAL),
        ("space_end", plan.space),
        ("root_end", _MOVE * MOVES),
    ):
        end += words
        bound[name] = end
    # A template calls others by their names, which mean copies of them in its own copy.
    for template in (_moves_in, _descend, _play_out, _note, _try_all, _search, _choose):
        bound[template.__name__] = specialise(template, rules.NAME, **bound)
    return bound["_choose"], end + _NODE * NODES


def _choose(view: View, turn: Turn[Options, Search]) -> Action:
    """The move that does best in the search."""
    moves = turn.workspace[legal_end:moves_end]
    space = turn.workspace[moves_end:space_end]
    plainly = Turn(turn.legal, turn.options, turn.settings, turn.generator, space)
    plain = play_plainly(view, plainly)
    count = list_moves(view, plainly, moves)
    count = _put_first(plain, moves, count)
    if count == 1:
        return int(plain)
    return int(_search(view, turn, count))


@kernel
def _put_first(plain: Action, moves: Buffer, count: int) -> int:
    """Put the plain player's move before all others; return how many there are."""
    place = count
    for i in range(count):
        if moves[i] == plain:
            place = i
    if place == count:
        count += 1
    moves[place] = moves[0]
    moves[0] = plain
    return count


def _search(view: View, turn: Turn[Options, Search], count: int) -> Action:
    root, tree = turn.workspace[space_end:root_end], turn.workspace[root_end:]
    _clear(tree, 0, NONE, NONE, NONE)
    for i in range(count):
        _add(tree, 0, int(turn.workspace[legal_end + i]), int(view.me), i + 1)
        root[_MOVE * i + _PLACE] = i + 1
        root[_MOVE * i + _LEAD] = 0
        root[_MOVE * i + _SQUARE] = 0
    nodes, deals, halvings = count + 1, 0, _halvings(count)
    share = int(turn.settings.iterations) // halvings
    for _ in range(halvings):
        for _ in range(max(1, share // count)):
            nodes = _try_all(view, turn, count, nodes)
            deals += 1
        count = _drop_worse_half(root, count)
    lead, square = root[_MOVE + _LEAD] / deals, root[_MOVE + _SQUARE] / deals
    error = math.sqrt(max(0.0, square - lead * lead) / deals)
    best = 1 if lead > turn.settings.trust * error else 0
    return int(tree[_NODE * root[_MOVE * best + _PLACE] + _ACTION])


@kernel
def _halvings(count: int) -> int:
    """How often moves are dropped until the plain player's and one other are left."""
    halvings = 1
    while count > 2:
        count = 1 + count // 2
        halvings += 1
    return halvings


def _try_all(view: View, turn: Turn[Options, Search], count: int, nodes: int) -> int:
    """Deal the hidden cards and try every move on this deal; return how many nodes there are."""
    workspace, options = turn.workspace, turn.options
    state = record_in(workspace[:state_end], state_layout)
    root, tree = workspace[space_end:root_end], workspace[root_end:]
    deal = record_in(workspace[state_end:deal_end], state_layout)
    sample(view, options, turn.settings, turn.generator, deal)
    for i in range(count):
        for word in range(state_end):
            workspace[word] = workspace[state_end + word]
        place = int(root[_MOVE * i + _PLACE])
        apply(state, options, int(tree[_NODE * place + _ACTION]))
        node = _descend(state, turn, place, nodes)
        nodes = max(nodes, node + 1)
        _play_out(state, turn)
        _note(state, options, tree, node)
        value = int(worth(state, options, int(view.me)))
        root[_MOVE * i + _WORTH] = value
        lead = value - int(root[_WORTH])
        root[_MOVE * i + _LEAD] += lead
        root[_MOVE * i + _SQUARE] += lead * lead
    return nodes


@kernel
def _drop_worse_half(root: Buffer, count: int) -> int:
    """Sort all moves but the first by their lead and keep half of them; return how many."""
    for i in range(2, count):
        for j in range(i, 1, -1):
            if root[_MOVE * j + _LEAD] > root[_MOVE * (j - 1) + _LEAD]:
                for k in range(_MOVE):
                    one, other = _MOVE * j + k, _MOVE * (j - 1) + k
                    root[one], root[other] = root[other], root[one]
    return 1 + max(1, count // 2) if count > 2 else count


@kernel
def _clear(tree: Buffer, node: int, parent: int, action: Action, chooser: Seat) -> None:
    tree[_NODE * node + _PARENT] = parent
    tree[_NODE * node + _CHILD] = NONE
    tree[_NODE * node + _SIBLING] = NONE
    tree[_NODE * node + _ACTION] = action
    tree[_NODE * node + _CHOOSER] = chooser
    tree[_NODE * node + _VISITS] = 0
    tree[_NODE * node + _CHANCES] = 0
    tree[_NODE * node + _VALUE] = 0


@kernel
def _add(tree: Buffer, node: int, move: Action, chooser: Seat, nodes: int) -> int:
    _clear(tree, nodes, node, move, chooser)
    tree[_NODE * nodes + _CHANCES] = 1
    tree[_NODE * nodes + _SIBLING] = tree[_NODE * node + _CHILD]
    tree[_NODE * node + _CHILD] = nodes
    return nodes


def _descend(state: State, turn: Turn[Options, Search], node: int, nodes: int) -> int:
    """Go down the tree from a node to a move not tried before; return the node it ends in."""
    tree, moves = turn.workspace[root_end:], turn.workspace[legal_end:moves_end]
    depth = 0
    while depth < turn.settings.depth and not is_over(state):
        count = _moves_in(state, turn)
        move = int(moves[0])
        if count > 1:
            depth += 1
            child, untried = _pick(tree, node, moves[:count], int(state.seat), turn.settings)
            if untried != NONE:
                if nodes == NODES:
                    return node
                child = _add(tree, node, untried, int(state.seat), nodes)
                depth = int(turn.settings.depth)
            node = child
            move = int(tree[_NODE * node + _ACTION])
        apply(state, turn.options, move)
    return node


def _moves_in(state: State, turn: Turn[Options, Search]) -> int:
    """Write the moves worth a search in a position; return how many there are."""
    workspace, options = turn.workspace, turn.options
    view = record_in(workspace[deal_end:view_end], view_layout)
    legal, space = workspace[view_end:legal_end], workspace[moves_end:space_end]
    count = legal_actions(state, options, legal)
    observe(state, options, int(state.seat), view)
    inner = Turn(legal[:count], options, turn.settings, turn.generator, space)
    return int(list_moves(view, inner, workspace[legal_end:moves_end]))


@kernel
def _pick(
    tree: Buffer, node: int, moves: Buffer, chooser: Seat, settings: Search
) -> tuple[int, Action]:
    """The child to follow, and the first move that has none yet, or NONE."""
    best, most = NONE, -1e9
    for move in moves:
        child = _find(tree, node, int(move), chooser)
        if child == NONE:
            return NONE, int(move)
        tree[_NODE * child + _CHANCES] += 1
        visits = tree[_NODE * child + _VISITS]
        mean = tree[_NODE * child + _VALUE] / (visits * CERTAIN)
        chances = tree[_NODE * child + _CHANCES]
        mean += settings.exploration * math.sqrt(math.log(chances) / visits)
        if mean > most:
            best, most = child, mean
    return best, NONE


@kernel
def _find(tree: Buffer, node: int, move: Action, chooser: Seat) -> int:
    """The child for a move of a seat; who moves next may depend on the hidden cards."""
    child = int(tree[_NODE * node + _CHILD])
    while child != NONE:
        place = _NODE * child
        if tree[place + _ACTION] == move and tree[place + _CHOOSER] == chooser:
            break
        child = int(tree[place + _SIBLING])
    return child


def _play_out(state: State, turn: Turn[Options, Search]) -> None:
    """Let the plain player finish the deal for every seat."""
    workspace, options = turn.workspace, turn.options
    view = record_in(workspace[deal_end:view_end], view_layout)
    legal, space = workspace[view_end:legal_end], workspace[moves_end:space_end]
    while not is_over(state):
        count = legal_actions(state, options, legal)
        action = int(legal[0])
        if count > 1:
            observe(state, options, int(state.seat), view)
            inner = Turn(legal[:count], options, turn.settings, turn.generator, space)
            action = int(play_plainly(view, inner))
        apply(state, options, action)


def _note(state: State, options: Options, tree: Buffer, node: int) -> None:
    """Add what a deal was worth to every move that led there."""
    while node != 0:
        tree[_NODE * node + _VISITS] += 1
        tree[_NODE * node + _VALUE] += int(worth(state, options, tree[_NODE * node + _CHOOSER]))
        node = int(tree[_NODE * node + _PARENT])
