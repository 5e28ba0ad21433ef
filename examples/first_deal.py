"""Your first deal: look at the cards, ask an agent, play to the end."""

import undercut

game = undercut.load("gin")
deal = game.deal(seed=7)

view = deal.view(seat=0)
print(view)  # every field that this seat may know
print([card.name for card in view.hand if card.suit == "spades"])

# What would happen with the upcard in hand?
if view.upcard is not None:
    print(view.layout, "->", view.lay_out(view.hand | [view.upcard]))

# Two agents play on; each is asked with the view of its own seat.
agents = [undercut.agent("thrifty", game), undercut.agent("simple", game, seed=1)]
while not deal.is_over:
    action = agents[deal.seat].act(deal.view())
    print(f"seat {deal.seat}: {action}")
    deal.play(action)
print("points", deal.points())

# Any position is a line of text, and can be played again from there.
again = undercut.Deal.from_position(view.position, seed=3)
print(again, "the same hand:", again.view(0).hand == view.hand)
