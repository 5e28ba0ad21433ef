"""Our agents play OpenSpiel's own gin: python examples/their_gin.py [agent] [hands]

Their history is played again here, card by card; what our agent's seat may know of that is all
that the agent is shown. Where the rules differ (docs/oracles.md) it plays what is legal there.
"""

import sys
from random import Random as Chance

import pyspiel

from undercut.cards.french import mask
from undercut.cards.melds import find_meld
from undercut.games.families import parse_game
from undercut.games.gin.rules import layout as ours
from undercut.play.agent import Random
from undercut.play.chance_nodes import ChanceDeal
from undercut.players.catalog import parse_agent
from undercut.text.errors import IllegalAction

theirs = pyspiel.gin_rummy
# Their suits are in the order spades, clubs, diamonds, hearts.
CARD = [13 * ((card // 13 + 3) % 4) + card % 13 for card in range(52)]
UTILS = theirs.GinRummyUtils(13, 4, 10)
MELD = {
    theirs.MELD_ACTION_BASE + number: ours.MELD + find_meld(mask(CARD[card] for card in cards))
    for number, cards in UTILS.int_to_meld.items()
}
PLAIN = {
    theirs.DRAW_UPCARD_ACTION: ours.TAKE,
    theirs.DRAW_STOCK_ACTION: ours.DRAW,
    theirs.KNOCK_ACTION: None,  # the card that is thrown comes next
}


class Replay:
    """Their hand, played again by our rules."""

    def __init__(self, game) -> None:
        self.table, self.knocks, self.layoffs_end = ChanceDeal(game), False, False

    def play(self, player: int, action: int) -> None:
        """One entry of their history; an error where it is not legal here."""
        if player < 0:
            self.table.draw(CARD[action])
        elif action == theirs.KNOCK_ACTION:
            self.knocks = True
        elif action == theirs.PASS_ACTION:
            self._pass()
        elif action in PLAIN:
            self.table.apply(PLAIN[action])
        elif action in MELD:
            self.table.apply(MELD[action])
        elif self.table.deal.observe().phase == ours.Phase.DEFEND:
            fitting = [a for a in self.table.deal.actions if _laid_off(a) == CARD[action]]
            self.table.apply(fitting[0] if fitting else -1)
        else:
            self.table.apply(CARD[action] + (ours.KNOCK if self.knocks else 0))

    def _pass(self) -> None:
        """There a defender passes twice: after the lay-offs, and after the melds."""
        if self.table.deal.observe().phase == ours.Phase.DEFEND and not self.layoffs_end:
            self.layoffs_end = True
        else:
            self.table.apply(ours.PASS if ours.PASS in self.table.deal.actions else ours.DONE)


def _laid_off(action: int) -> int | None:
    return (action - ours.LAY_ON_SET) % 52 if action >= ours.LAY_ON_SET else None


class Guest:
    """An agent of ours at their table."""

    def __init__(self, spec: str) -> None:
        self.game = parse_game("gin")
        self.agent, self.chance = parse_agent(spec, self.game), Random.from_seed(1)
        self.asked, self.lost, self.next = 0, 0, []

    def step(self, state) -> int:
        """Its answer, in their numbers."""
        self.asked += 1
        if not self.next:
            self.next = self._translated(self._choice(state))
        answer, legal = self.next.pop(0), state.legal_actions()
        if answer in MELD and answer not in legal and theirs.PASS_ACTION in legal:
            self.next = [answer]  # there the lay-offs come first, and a pass ends them
            return theirs.PASS_ACTION
        if answer in legal:
            return answer
        self.lost, self.next = self.lost + 1, []
        return legal[0]

    def _choice(self, state) -> int:
        replay = Replay(self.game)
        try:
            for item in state.full_history():
                replay.play(item.player, item.action)
        except IllegalAction:  # here the rules differ
            return -1
        deal = replay.table.deal
        if replay.table.needs_card or deal.is_over or deal.seat != state.current_player():
            return -1
        return self.agent.act(deal.observe(), deal.actions, self.chance)

    def _translated(self, action: int) -> list[int]:
        """An action of ours, as one or two of theirs."""
        plain = {number: there for there, number in [*PLAIN.items(), *MELD.items()]}
        if action in plain:
            return [plain[action]]
        if action in (ours.PASS, ours.DONE):
            return [theirs.PASS_ACTION]
        if action >= ours.LAY_ON_SET:
            return [CARD.index(_laid_off(action))]
        if action < 0:
            return [action]
        card = CARD.index(action % ours.KNOCK)
        return [theirs.KNOCK_ACTION, card] if action >= ours.KNOCK else [card]


def play(spec: str, hands: int) -> tuple[list[float], Guest]:
    """What an agent gains in each hand from OpenSpiel's own simple bot."""
    guest, chance, gained = Guest(spec), Chance(1), []
    game = pyspiel.load_game("gin_rummy")
    host = pyspiel.make_simple_gin_rummy_bot(game.get_parameters(), 1)
    for _ in range(hands):
        state, guest.next = game.new_initial_state(), []
        host.restart()
        while not state.is_terminal():
            if state.is_chance_node():
                action = chance.choice(state.legal_actions())
            else:
                action = (guest, host)[state.current_player()].step(state)
            state.apply_action(action)
        gained.append(state.returns()[0])
    return gained, guest


if __name__ == "__main__":
    name = sys.argv[1] if len(sys.argv) > 1 else "simple"
    points, guest = play(name, int(sys.argv[2]) if len(sys.argv) > 2 else 20)
    print(f"{name}: {sum(points) / len(points):+.1f} points a hand from OpenSpiel's simple bot")
    print(f"asked {guest.asked} times, {guest.lost} answers were not legal there")
