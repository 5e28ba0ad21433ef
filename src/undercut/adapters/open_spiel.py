"""OpenSpiel: our games as its own, with chance nodes, information states and serialisation.

Importing this module registers a game for every preset: `python_undercut_gin`,
`python_undercut_rummy_classic` and so on. House rules are parameters:
`pyspiel.load_game("python_undercut_gin(knock_limit=5)")`. docs/adapters.md explains the rest.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from undercut.adapters.learner_seat import above_others, encoded_presets
from undercut.cards.french import Card
from undercut.games.contract import Game, Notation
from undercut.games.families import parse_game
from undercut.games.table.position import format_position
from undercut.kernels.records import Action, Array, Seat, View
from undercut.lab.extras import need
from undercut.play.agent import Random
from undercut.play.ask import ask
from undercut.play.chance_nodes import ChanceDeal, find_source
from undercut.play.known_decks import pack_size
from undercut.play.seeds import Purpose, derive
from undercut.players.catalog import parse_agent
from undercut.players.observation import Observation

need("pyspiel", "adapters")

import pyspiel  # noqa: E402

PREFIX = "python_undercut_"
TRIES = 200  # of a resampling, before it gives up


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # it has no types
    """One deal of a rule set; returns are a seat's points minus the mean of the others."""

    preset: str  # each subclass has both
    kind: object

    def __init__(self, parameters: dict[str, object] | None = None) -> None:
        rules = _rule_set(self.preset, parameters or {})
        self.rule_set, self.source = rules, find_source(rules)
        self.seen = Observation(rules)
        description = rules.family.description
        self.names = [text for text, _ in description.pack.names] if description else []
        most = float(self.source.most_points(rules.options))
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.rules.ACTIONS,
            max_chance_outcomes=pack_size(rules),
            num_players=rules.seats,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=self.source.most_actions(rules.options),
        )
        super().__init__(self.kind, info, parameters or {})

    def new_initial_state(self) -> "SpielState":
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        return self.source.most_draws(self.rule_set.options)

    def make_py_observer(
        self, iig_obs_type: object = None, params: object = None
    ) -> "SpielObserver":
        if params:
            raise ValueError(f"observers have no parameters: {params}")
        wanted = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return SpielObserver(self, wanted)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A deal in progress. Every card that is dealt or drawn is an action of the chance player."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self._game = _Held(game)
        starter = max(0, int(getattr(game.rule_set.options, "first_starter", 0)))
        self._table = ChanceDeal(game.rule_set, starter)
        self._histories: list[tuple[str, ...]] = [()] * game.rule_set.seats
        self._open: tuple[str, ...] = ()

    def current_player(self) -> int:
        table = self._table
        if table.needs_card:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if table.deal.is_over else table.deal.seat

    def is_terminal(self) -> bool:
        return self._table.is_dealt and not self._table.needs_card and self._table.deal.is_over

    def _legal_actions(self, player: Seat) -> list[Action]:
        return sorted(self._table.deal.actions)

    def chance_outcomes(self) -> list[tuple[Card, float]]:
        """The possible cards, each equally likely."""
        cards = self._table.next_cards()
        return [(card, 1 / len(cards)) for card in cards]

    def _apply_action(self, action: int) -> None:
        table = self._table
        if not table.needs_card:
            seat = table.deal.seat
            table.apply(action)
            if not table.needs_card:
                self._tell(seat, action, ())
            return
        waiting, seat = table.waiting, table.deal.seat if table.is_dealt else 0
        drawn = (*table.drawn, action)
        table.draw(action)
        if table.needs_card:
            return
        if waiting is None:
            self._histories = [(self._dealt(player),) for player in self._players]
            self._open = (self._format_upcard(0),)
        else:
            self._tell(seat, waiting, drawn)

    @property
    def is_dealt(self) -> bool:
        return self._table.is_dealt

    @property
    def _notation(self) -> Notation:
        return self._game.held.rule_set.notation

    @property
    def _players(self) -> range:
        return range(self._game.held.rule_set.seats)

    def _dealt(self, player: Seat) -> str:
        """A player's first observation, in words."""
        hand = self._notation.format_hand(self.view(player))
        return f"seat {player}: {hand} / {self._format_upcard(player)}"

    def _format_upcard(self, player: Seat) -> str:
        return self._notation.format_upcard(self.view(player))

    def _tell(self, seat: Seat, action: Action, drawn: Sequence[Card]) -> None:
        """Add an action to the events of each player, as that player may know it."""
        notation = self._notation
        for player in self._players:
            if player == seat:
                cards = map(self._format_card, drawn)
                text = " ".join([notation.format_action(action), *cards])
            else:
                text = f"{seat}: {notation.format_public(action, self.view(player))}"
                seen = text
            self._histories[player] += (text,)
        self._open += (seen,)

    def _format_card(self, card: Card) -> str:
        return self._game.held.names[card]

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {self._format_card(action)}"
        return self._notation.format_action(action)

    def returns(self) -> list[float]:
        """Each seat's points minus the mean of the others; 0 before the end."""
        if not self.is_terminal():
            return [0.0] * len(self._players)
        return above_others(self._table.deal.points())

    def __str__(self) -> str:
        table = self._table
        if not table.is_dealt:
            return "dealt: " + " ".join(map(self._format_card, table.drawn))
        return "\n".join(map(self.private_events, self._players))

    def view(self, player: Seat) -> View:
        return self._table.deal.observe(player)

    def private_events(self, player: Seat) -> str:
        """A player's information state: all its observations, in order."""
        table = self._table
        if not table.is_dealt:
            return f"seat {player}: {len(table.drawn)} cards are dealt"
        waiting = () if table.waiting is None else (f"{table.deal.seat} draws",)
        return ", ".join((*self._histories[player], *waiting))

    def public_events(self) -> str:
        """All public events; hidden cards are not named."""
        return ", ".join(self._open)

    def resample_from_infostate(self, player: Seat, sampler: Callable[[], float]) -> "SpielState":
        """A state with the same information state of a player, and its unknown cards redealt.

        The same actions are played from other cards. If hidden cards determined the legal actions,
        as for a knock, most deals do not fit. After many failures the result is a copy of this
        state. The sampler is the only source of randomness.
        """
        for _ in range(TRIES):
            twin = self._redealt(player, int(sampler() * (1 << 53)))
            if twin is not None:
                return twin
        same: SpielState = self.clone()
        return same

    def _redealt(self, player: Seat, seed: int) -> "SpielState | None":
        """The same play from other hidden cards, or None if it is not possible."""
        history: list[Any] = self.full_history()
        places = self._table.exchanged(player, seed)
        last = {item.action: place for place, item in enumerate(history) if item.player < 0}
        twin: SpielState = self._game.held.new_initial_state()
        for place, item in enumerate(history):
            action = item.action
            if item.player < 0 and last[action] == place:  # as it came into its present hand
                action = places.get(action, action)
            if action not in twin.legal_actions():
                return None
            twin.apply_action(action)
        return twin if twin.private_events(player) == self.private_events(player) else None


class SpielObserver:
    """A player's observations: in words, and as a tensor if they are the player's whole view."""

    def __init__(self, game: SpielGame, wanted: Any) -> None:
        self._game, self._wanted = game, wanted
        is_own = wanted.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._is_own, self._is_whole = is_own, is_own and wanted.public_info
        self.tensor: Array | None = None
        self.dict: dict[str, Array] = {}
        if self._is_whole and not wanted.perfect_recall:
            seen = game.seen
            self.tensor = np.zeros(seen.size, dtype=np.float32)
            self.dict = {span.name: self.tensor[span.first : span.end] for span in seen.pieces}

    def set_from(self, state: SpielState, player: Seat) -> None:
        """Fill the tensor; before the hands are dealt it is 0."""
        if self.tensor is not None:
            is_dealt = state.is_dealt
            self.tensor[:] = self._game.seen.of(state.view(player)) if is_dealt else 0

    def string_from(self, state: SpielState, player: Seat) -> str:
        if not state.is_dealt or (self._is_whole and self._wanted.perfect_recall):
            return state.private_events(player)
        if not self._is_own:
            return state.public_events()
        notation, view = self._game.rule_set.notation, state.view(player)
        if not self._is_whole:
            return notation.format_hand(view)
        if state.is_terminal():
            return f"{notation.format_hand(view)}: {notation.format_outcome(view)}"
        return format_position(self._game.rule_set, view)


class _Held:
    """A reference to a game: copies of a state share it, and it is pickled as its name."""

    def __init__(self, held: SpielGame) -> None:
        self.held = held

    def __deepcopy__(self, memo: dict[int, object]) -> "_Held":
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return _hold, (str(self.held),)


def _hold(name: str) -> _Held:
    return _Held(pyspiel.load_game(name))


def _rule_set(preset: str, parameters: dict[str, object]) -> Game:
    """The rule set of a game's parameters; its name has those that differ from the preset."""
    usual = parse_game(preset).options
    given = {name: value for name, value in parameters.items() if value != getattr(usual, name)}
    fields = ",".join(f"{name}={value}" for name, value in sorted(given.items()))
    return parse_game(f"{preset}:{fields}" if fields else preset)


def _register(preset: str, seats: tuple[int, int]) -> None:
    kind = pyspiel.GameType(
        short_name=PREFIX + preset.replace("-", "_"),
        long_name=f"Undercut: {preset}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=seats[1],
        min_num_players=seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parse_game(preset).options._asdict(),
    )
    # OpenSpiel keeps the constructor beyond the end of Python, which only a class survives.
    game = type(f"SpielGame_{preset}", (SpielGame,), {"preset": preset, "kind": kind})
    pyspiel.register_game(kind, game)


def spiel_names() -> dict[str, str]:
    """OpenSpiel's names of our games, and the preset of each.

    >>> spiel_names()["python_undercut_rummy_classic"]
    'rummy-classic'
    """
    return {PREFIX + preset.replace("-", "_"): preset for preset in encoded_presets()}


class AgentBot(pyspiel.Bot):  # type: ignore[misc]
    """One of our agents as a bot for one player of one of our games."""

    def __init__(self, game: SpielGame, player: Seat, agent: str, seed: int = 0) -> None:
        super().__init__()
        self._game, self._player = game.rule_set, player
        self._agent = parse_agent(agent, game.rule_set)
        self._chance = Random.from_seed(derive(seed, Purpose.AGENT, 0, player))

    def player_id(self) -> Seat:
        return self._player

    def provides_policy(self) -> bool:
        """It returns actions without probabilities."""
        return False

    def restart_at(self, state: SpielState) -> None:
        """Agents keep no memory."""

    def step(self, state: SpielState) -> Action:
        view, legal = state.view(self._player), state.legal_actions(self._player)
        return ask(self._game, self._agent, view, legal, self._chance)


for _name, _preset in spiel_names().items():
    if _name not in pyspiel.registered_names():
        _register(_preset, parse_game(_preset).rules.SEATS)
