"""A Rummy player that searches: tree search over sampled hidden cards, heuristic play beyond it.

Information-set Monte Carlo tree search: the cards it cannot know are dealt afresh many times, and
all these deals share one tree. On each deal every move in question is tried, so that they are
compared on the same cards; below, the tree is followed to a move not tried before, which becomes a
new node, and the heuristic player finishes the round for both seats. In the tree each seat goes
for its own good, so the other player is taken for one who plays well. What counts is the chance to
win the game from the scores after the round. The worse half of the moves is dropped again and
again, and another move than the heuristic's is played only if it is better beyond chance.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from undercut.agents import rummy_heuristic
from undercut.agents.rummy_guess import guess
from undercut.agents.rummy_hand import best_put_down, loose_cards
from undercut.agents.rummy_heuristic import coming, discard_value, discards
from undercut.agents.rummy_restrictions import restrict
from undercut.core.cards import NONE, lowest, size
from undercut.core.game import Action, Buffer, Options, Seat, State, View
from undercut.core.jit import cold_kernel, kernel
from undercut.core.rng import Generator
from undercut.core.spec import join_fields
from undercut.core.workspace import record_in, words_for
from undercut.games import rummy
from undercut.games.rummy import Phase


class Search(NamedTuple):
    """How it searches. The heuristic's settings, which follow, are how rounds are played out."""

    iterations: int = 400  # rounds played out for one decision
    seconds: float = 0.0  # if not 0, as many rounds as there is time for
    width: int = 4  # discards weighed in one position
    draws_only: int = 0  # search only what to draw; the heuristic does the rest
    depth: int = 2  # moves that the tree may follow behind the one in question
    craft: int = 4  # how much better than by chance the other hand is taken to be
    exploration: float = 0.4  # how much a move seldom tried is worth trying
    trust: float = 1.0  # standard errors by which a move must lead the heuristic's


Settings: Any = join_fields("Settings", Search, rummy_heuristic.Settings)

LIMITS = rummy_heuristic.LIMITS | {
    "iterations": (1.0, 1_000_000_000.0),
    "seconds": (0.0, 3600.0),
    "width": (1.0, 11.0),
    "draws_only": (0.0, 1.0),
    "depth": (0.0, 100.0),
    "craft": (0.0, 100.0),
    "exploration": (0.0, 10.0),
    "trust": (0.0, 10.0),
}

NODES = 2048  # in the tree, at most; further iterations only play out
CERTAIN = 1 << 20  # the value of a game that is won

# A node is so many numbers; its value is the root's, in parts of CERTAIN, summed over visits.
_PARENT, _CHILD, _SIBLING, _ACTION, _VISITS, _CHANCES, _VALUE, _NODE = range(8)
# A move in question: its node, its value on the present deal, and over all deals the sum of its
# lead over the heuristic's move and of the square of that.
_PLACE, _WORTH, _LEAD, _SQUARE, _MOVE = range(5)
_MOVES = 16  # in question at once, at most

_STATE_END = words_for(rummy.STATE)
_DEAL_END = _STATE_END + words_for(rummy.STATE)
_VIEW_END = _DEAL_END + words_for(rummy.VIEW)
_LEGAL_END = _VIEW_END + rummy.LEGAL
_MOVES_END = _LEGAL_END + rummy.LEGAL
_SPACE_END = _MOVES_END + rummy_heuristic.WORKSPACE
_ROOT_END = _SPACE_END + _MOVE * _MOVES
WORKSPACE = _ROOT_END + _NODE * NODES

_STATE_LAYOUT = np.dtype(rummy.STATE)
_VIEW_LAYOUT = np.dtype(rummy.VIEW)


@kernel
def choose(
    view: View,
    legal: Buffer,
    options: Options,
    settings: Any,
    generator: Generator,
    workspace: Buffer,
) -> Action:
    """The move that does best in the search."""
    moves, space = workspace[_LEGAL_END:_MOVES_END], workspace[_MOVES_END:_SPACE_END]
    plain = rummy_heuristic.choose(view, legal, options, settings, generator, space)
    if settings.draws_only and view.phase == Phase.PLAY:
        return plain
    count = list_moves(view, legal, options, settings, moves, space)
    count = _put_first(plain, moves, count)
    if count == 1:
        return plain
    return _search(view, options, settings, generator, workspace, count)


@kernel
def _put_first(plain: Action, moves: Buffer, count: int) -> int:
    """Put the heuristic's move before all others; return how many there are."""
    place = count
    for i in range(count):
        if moves[i] == plain:
            place = i
    if place == count:
        count += 1
    moves[place] = moves[0]
    moves[0] = plain
    return count


@cold_kernel
def list_moves(
    view: View, legal: Buffer, options: Options, settings: Any, out: Buffer, space: Buffer
) -> int:
    """Write the moves worth a search; return how many there are.

    The best put-down stands for putting everything down. It has no alternative when it is going
    out, or when the turn's first put-down is made.
    """
    if view.phase == Phase.DRAW:
        for i in range(len(legal)):
            out[i] = legal[i]
        return len(legal)
    count = 0
    if legal[len(legal) - 1] >= rummy.MELD:
        allowed = restrict(view, legal, settings, space)
        action = best_put_down(view, space[:allowed])
        if action != NONE:
            out[0] = action
            count = 1
            is_out = size(loose_cards(view, int(view.hand))) <= 1
            if is_out or view.fresh != 0 or settings.meld_everything or settings.as_coded:
                return 1
    return _list_discards(view, options, settings, out, count)


@kernel
def _list_discards(view: View, options: Options, settings: Any, out: Buffer, count: int) -> int:
    """Write the discards that the heuristic thinks best, the best first."""
    live = coming(view)
    left = discards(view, options)
    for _ in range(min(int(settings.width), size(left))):
        best, most = NONE, -1e9
        cards = left
        while cards:
            card = lowest(cards)
            cards ^= 1 << card
            value = discard_value(view, card, live, settings)
            if value > most:
                best, most = card, value
        left ^= 1 << best
        out[count] = best
        count += 1
    return count


@cold_kernel
def _search(
    view: View,
    options: Options,
    settings: Any,
    generator: Generator,
    workspace: Buffer,
    count: int,
) -> Action:
    root, tree = workspace[_SPACE_END:_ROOT_END], workspace[_ROOT_END:]
    _clear(tree, 0, NONE, NONE)
    for i in range(count):
        _add(tree, 0, int(workspace[_LEGAL_END + i]), i + 1)
        root[_MOVE * i + _PLACE] = i + 1
        root[_MOVE * i + _LEAD] = 0
        root[_MOVE * i + _SQUARE] = 0
    nodes, deals, halvings = count + 1, 0, _halvings(count)
    share = int(settings.iterations) // halvings
    for _ in range(halvings):
        for _ in range(max(1, share // count)):
            nodes = _try_all(view, options, settings, generator, workspace, count, nodes)
            deals += 1
        count = _drop_worse_half(root, count)
    lead, square = root[_MOVE + _LEAD] / deals, root[_MOVE + _SQUARE] / deals
    error = math.sqrt(max(0.0, square - lead * lead) / deals)
    best = 1 if lead > settings.trust * error else 0
    return int(tree[_NODE * root[_MOVE * best + _PLACE] + _ACTION])


@kernel
def _halvings(count: int) -> int:
    """How often moves are dropped until the heuristic's and one other are left."""
    halvings = 1
    while count > 2:
        count = 1 + count // 2
        halvings += 1
    return halvings


@cold_kernel
def _try_all(
    view: View,
    options: Options,
    settings: Any,
    generator: Generator,
    workspace: Buffer,
    count: int,
    nodes: int,
) -> int:
    """Deal the hidden cards and try every move on this deal; return how many nodes there are."""
    state = record_in(workspace[:_STATE_END], _STATE_LAYOUT)
    root, tree = workspace[_SPACE_END:_ROOT_END], workspace[_ROOT_END:]
    deal = record_in(workspace[_STATE_END:_DEAL_END], _STATE_LAYOUT)
    guess(view, options, int(settings.craft), generator, deal)
    for i in range(count):
        for word in range(_STATE_END):
            workspace[word] = workspace[_STATE_END + word]
        place = int(root[_MOVE * i + _PLACE])
        rummy.apply(state, options, int(tree[_NODE * place + _ACTION]))
        node = _descend(state, options, settings, int(view.me), generator, place, nodes, workspace)
        nodes = max(nodes, node + 1)
        _play_out(state, options, settings, generator, workspace)
        worth = _worth(state, options, int(view.me))
        _note(tree, node, worth)
        root[_MOVE * i + _WORTH] = worth
        lead = worth - int(root[_WORTH])
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
def _clear(tree: Buffer, node: int, parent: int, action: Action) -> None:
    tree[_NODE * node + _PARENT] = parent
    tree[_NODE * node + _CHILD] = NONE
    tree[_NODE * node + _SIBLING] = NONE
    tree[_NODE * node + _ACTION] = action
    tree[_NODE * node + _VISITS] = 0
    tree[_NODE * node + _CHANCES] = 0
    tree[_NODE * node + _VALUE] = 0


@kernel
def _descend(
    state: State,
    options: Options,
    settings: Any,
    me: Seat,
    generator: Generator,
    node: int,
    nodes: int,
    workspace: Buffer,
) -> int:
    """Go down the tree from a node to a move not tried before; return the node it ends in."""
    tree = workspace[_ROOT_END:]
    moves = workspace[_LEGAL_END:_MOVES_END]
    depth = 0
    while depth < settings.depth and not rummy.is_over(state):
        count = _list_moves_in(state, options, settings, generator, workspace)
        move = int(moves[0])
        if count > 1:
            depth += 1
            child, untried = _pick(tree, node, moves[:count], state.seat == me, settings)
            if untried != NONE:
                if nodes == NODES:
                    return node
                child = _add(tree, node, untried, nodes)
                depth = int(settings.depth)
            node = child
            move = int(tree[_NODE * node + _ACTION])
        rummy.apply(state, options, move)
    return node


@kernel
def _list_moves_in(
    state: State, options: Options, settings: Any, generator: Generator, workspace: Buffer
) -> int:
    view = record_in(workspace[_DEAL_END:_VIEW_END], _VIEW_LAYOUT)
    legal = workspace[_VIEW_END:_LEGAL_END]
    moves = workspace[_LEGAL_END:_MOVES_END]
    space = workspace[_MOVES_END:_SPACE_END]
    count = rummy.legal(state, options, legal)
    rummy.observe(state, options, int(state.seat), view)
    if settings.draws_only and view.phase == Phase.PLAY:
        moves[0] = rummy_heuristic.choose(view, legal[:count], options, settings, generator, space)
        return 1
    return list_moves(view, legal[:count], options, settings, moves, space)


@kernel
def _pick(
    tree: Buffer, node: int, moves: Buffer, is_mine: bool, settings: Any
) -> tuple[int, Action]:
    """The child to follow, and the first move that has none yet, or NONE."""
    best, most = NONE, -1e9
    for move in moves:
        child = _find(tree, node, int(move))
        if child == NONE:
            return NONE, int(move)
        tree[_NODE * child + _CHANCES] += 1
        visits = tree[_NODE * child + _VISITS]
        mean = tree[_NODE * child + _VALUE] / (visits * CERTAIN)
        if not is_mine:
            mean = 1.0 - mean
        chances = tree[_NODE * child + _CHANCES]
        mean += settings.exploration * math.sqrt(math.log(chances) / visits)
        if mean > most:
            best, most = child, mean
    return best, NONE


@kernel
def _find(tree: Buffer, node: int, move: Action) -> int:
    child = int(tree[_NODE * node + _CHILD])
    while child != NONE and tree[_NODE * child + _ACTION] != move:
        child = int(tree[_NODE * child + _SIBLING])
    return child


@kernel
def _add(tree: Buffer, node: int, move: Action, nodes: int) -> int:
    _clear(tree, nodes, node, move)
    tree[_NODE * nodes + _CHANCES] = 1
    tree[_NODE * nodes + _SIBLING] = tree[_NODE * node + _CHILD]
    tree[_NODE * node + _CHILD] = nodes
    return nodes


@cold_kernel
def _play_out(
    state: State, options: Options, settings: Any, generator: Generator, workspace: Buffer
) -> None:
    """Let the heuristic player finish the round for both seats."""
    view = record_in(workspace[_DEAL_END:_VIEW_END], _VIEW_LAYOUT)
    legal = workspace[_VIEW_END:_LEGAL_END]
    space = workspace[_MOVES_END:_SPACE_END]
    while not rummy.is_over(state):
        count = rummy.legal(state, options, legal)
        action = int(legal[0])
        if count > 1:
            rummy.observe(state, options, int(state.seat), view)
            action = rummy_heuristic.choose(
                view, legal[:count], options, settings, generator, space
            )
        rummy.apply(state, options, action)


@kernel
def _worth(state: State, options: Options, me: Seat) -> int:
    """The chance to win the game once a round is over, judged by the points still missing."""
    mine, theirs = int(state.scores[me]), int(state.scores[1 - me])
    mine += rummy.gain(state, options, me)
    theirs += rummy.gain(state, options, 1 - me)
    if mine >= options.target or theirs >= options.target:
        if mine == theirs:
            return CERTAIN // 2
        return CERTAIN if mine > theirs else 0
    missing, other = options.target - mine, options.target - theirs
    return CERTAIN * other // (missing + other)


@kernel
def _note(tree: Buffer, node: int, worth: int) -> None:
    while node != NONE:
        tree[_NODE * node + _VISITS] += 1
        tree[_NODE * node + _VALUE] += worth
        node = int(tree[_NODE * node + _PARENT])
