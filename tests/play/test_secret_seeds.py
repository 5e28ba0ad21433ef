"""play/secret_seeds.py: what follows from 256 bits, beside a slow twin."""

import hashlib
import json
from collections import Counter
from itertools import chain, permutations, product, repeat
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import pytest

from play.line_up import line_up
from positions import scaled
from rulesets import every_game, sample
from undercut.games.contract import Game
from undercut.games.families import parse_game
from undercut.play import commitment, secret_seeds
from undercut.play.agent import Random as Chance
from undercut.play.deal import Deal
from undercut.play.known_decks import lay, pack_size
from undercut.play.match import Match
from undercut.play.records.events import Dealt, Ended, Event
from undercut.play.records.record import format_record, header, parse_record, verify
from undercut.play.secret_seeds import SecretChance, deck_of, new_secret, reshuffle_seed, shuffle
from undercut.play.seeds import SeedChance, chance_of, check_seed
from undercut.schemas import schema
from undercut.text.errors import OptionsError, RecordError

GAMES = Path(__file__).parents[1] / "games"
SECRETS = [f"{number:064x}" for number in (0, 1, 2**255, 10**60)]


def reference_hmac(key: bytes, message: str) -> bytes:
    """RFC 2104, word by word, for keys of up to 64 bytes."""
    padded = key + bytes(64 - len(key))
    inner = hashlib.sha256(bytes(each ^ 0x36 for each in padded) + message.encode()).digest()
    return hashlib.sha256(bytes(each ^ 0x5C for each in padded) + inner).digest()


def reference_deck(key: bytes, size: int) -> list[int]:
    """A card is drawn from those that are left; the first of them takes its place."""
    blocks = [reference_hmac(key, f"undercut deck {block}") for block in range(20)]
    values = [value for block in blocks for value in block]
    left, deck = list(range(size)), []
    while len(left) > 1:
        value = values.pop(0)
        if value // len(left) == 256 // len(left):
            continue  # a last, shorter round: its choices would come more often
        chosen = value % len(left)
        deck.append(left[chosen])
        left[chosen] = left[0]
        left.pop(0)
    return deck + left


@pytest.mark.parametrize("size", [2, 3, 32, 52, 128])
def test_a_deck_equals_that_of_the_reference(size: int) -> None:
    for text in SECRETS:
        assert deck_of(text, size) == reference_deck(bytes.fromhex(text), size)


@pytest.mark.parametrize("text", SECRETS)
def test_every_use_has_a_label_of_its_own(text: str) -> None:
    key, chance = bytes.fromhex(text), SecretChance(text)

    def seed(label: str, of: bytes = key) -> int:
        return int.from_bytes(reference_hmac(of, label)[:8], "big") % 2**63

    assert chance.starter == seed("undercut starter")
    for number in (0, 1, 12):
        assert chance.deal(number) == reference_hmac(key, f"undercut deal {number}").hex()
        salt = reference_hmac(key, f"undercut salt {number}").hex()
        assert chance.salt(number) == salt[:32]
        assert chance.agent(number) == seed(f"undercut agent {number}")
    of_deal = bytes.fromhex(chance.deal(1))
    assert reshuffle_seed(chance.deal(1)) == seed("undercut reshuffle", of_deal)
    mixed = commitment.mix(text, "a černá kočka")
    assert mixed == reference_hmac(key, "undercut mix a černá kočka").hex()


def test_every_choice_of_a_shuffle_is_equally_likely() -> None:
    """Of all bytes that are taken; what is passed over is followed by one that chooses the last."""
    for choices in range(1, 129):
        firsts = Counter(
            shuffle(chain([byte], repeat(choices - 1)), choices)[0] for byte in range(256)
        )
        whole, rest = divmod(256, choices)
        expected = dict.fromkeys(range(choices), whole)
        expected[choices - 1] += rest if choices > 1 else 0
        assert firsts == expected


def test_a_shuffle_reaches_every_order_equally_often() -> None:
    """All pairs of bytes for three cards; for four, all choices."""
    orders = Counter(
        tuple(shuffle(pair, 3))
        for pair in product(range(255), range(256))  # 255 is passed over
    )
    assert orders == dict.fromkeys(permutations(range(3)), 255 * 256 // 6)
    four = {tuple(shuffle(given, 4)) for given in product(range(4), range(3), range(2))}
    assert four == {*permutations(range(4))}


def test_decks_of_secrets_look_shuffled() -> None:
    """Each card in each place of a deck of five, within five standard deviations."""
    deals, counts = 2000, Counter[tuple[int, int]]()
    for number in range(deals):
        counts.update(enumerate(deck_of(SecretChance(SECRETS[1]).deal(number), 5)))
    assert len(counts) == 25
    assert max(abs(count - deals / 5) for count in counts.values()) < 5 * (deals * 0.16) ** 0.5


def bits_of(texts: list[str]) -> list[set[str]]:
    """The values that each bit of some hexadecimal numbers takes."""
    rows = [f"{int(text, 16):0{4 * len(text)}b}" for text in texts]
    return [set(column) for column in zip(*rows, strict=True)]


def test_a_new_secret_has_256_bits_of_chance() -> None:
    found = [new_secret() for _ in range(64)]
    assert {len(each) for each in found} == {64}
    assert all(map(secret_seeds.is_secret, found))
    assert bits_of(found) == [{"0", "1"}] * 256
    assert len({each[:8] for each in found}) == len({each[-8:] for each in found}) == 64


def test_words_change_every_bit_of_what_they_are_mixed_into() -> None:
    mixed = [commitment.mix(SECRETS[0], f"word {number}") for number in range(64)]
    assert bits_of(mixed) == [{"0", "1"}] * 256
    older = [commitment.mix(7, f"word {number}") for number in range(64)]
    assert bits_of([f"{each:016x}" for each in older])[1:] == [{"0", "1"}] * 63
    assert len(set(mixed)) == len(set(older)) == 64
    digest = hashlib.sha256("undercut mix 7 a černá kočka".encode()).digest()
    assert commitment.mix(7, "a černá kočka") == int.from_bytes(digest[:8], "big") % 2**63


@pytest.mark.parametrize("given", [7, SECRETS[3]])
def test_a_seal_fits_only_whole(given: Any) -> None:
    seal = commitment.commit(given, "5a17")
    assert seal == hashlib.sha256(f"undercut deal {given} 5a17".encode()).hexdigest()
    assert commitment.check(seal, given, "5a17")
    for place in range(64):
        other = "0" if seal[place] != "0" else "1"
        assert not commitment.check(seal[:place] + other + seal[place + 1 :], given, "5a17")
    for short in ("", seal[:1], seal[:63], seal + "0", "ž" * 64):
        assert not commitment.check(short, given, "5a17")


def test_nothing_of_a_match_is_the_same_twice() -> None:
    """Neither two deals, nor two uses, nor two matches."""
    found: list[object] = []
    for text in SECRETS:
        chance = SecretChance(text)
        deals = [chance.deal(number) for number in range(20)]
        found += [text, *deals, *(chance.salt(number) for number in range(20)), chance.starter]
        found += [chance.agent(seat) for seat in range(8)]
        found += [*map(reshuffle_seed, deals), *(tuple(deck_of(deal, 52)) for deal in deals)]
    assert len(set(found)) == len(found) == 4 * 90


def test_what_can_name_chance() -> None:
    assert chance_of(7, 3) == SeedChance(7, 3)
    assert chance_of(SECRETS[1]) == SecretChance(SECRETS[1])
    for wrong in ("", "7", SECRETS[3].upper(), SECRETS[3][1:], SECRETS[3] + "0", "g" * 64):
        with pytest.raises(OptionsError, match="must be 64 hexadecimal digits"):
            check_seed(wrong)
        with pytest.raises(OptionsError, match="must be 64 hexadecimal digits"):
            Deal(parse_game("gin"), wrong)


@every_game
def test_a_deal_lies_as_its_secret_says(game: Game) -> None:
    scores = tuple(range(game.seats))
    for text in SECRETS[: sample(game, 4, 2)]:
        deal = Deal(game, text, 1, scores)
        assert deal._state["deck"].tolist() == deck_of(text, pack_size(game))
        twin = lay(game, deck_of(text, pack_size(game)), 1, scores)
        assert deal.observe(0)["scores"][: game.seats].tolist() == list(scores)
        assert deal.observe(0).tobytes() == Deal._of_state(game, twin).observe(0).tobytes()
        assert game.deal(text, 1, scores).observe(1).tobytes() == deal.observe(1).tobytes()


def walk_on(match: Match, chance: Chance) -> None:
    while not match.is_over:
        deal = match.next_deal() if match.deal.is_over else match.deal
        match.apply(chance.choice(deal.actions))


@every_game
def test_a_match_with_a_secret_is_recorded_and_verified(game: Game) -> None:
    """In full and as a seat was shown it; a record that names another secret is refused."""
    for number, seat in enumerate((None, game.seats - 1)[: sample(game, 2, 1)]):
        events: list[Event] = []
        text = SECRETS[number + 1]
        match = Match.from_seed(game, text, 0, 2, events.append, seat)
        assert match.deal._state["deck"].tolist() == deck_of(
            SecretChance(text).deal(0), pack_size(game)
        )
        walk_on(match, Chance.from_seed(number))
        first = header(game, [f"player {each}" for each in range(game.seats)], seat, secret=True)
        written = format_record([first, *events])
        assert first.schema == "undercut-record/3"
        assert text not in written
        assert verify(parse_record(written)).scores == match.scores
        sealed = [event.commitment for event in events if isinstance(event, Dealt)]
        ends = [event for event in events if isinstance(event, Ended)]
        assert sealed == [commitment.commit(end.seed, end.salt) for end in ends]
        place = events.index(ends[0])
        shown = str(ends[0].seed)
        swapped = {name: getattr(ends[0], name) for name in ends[0].__struct_fields__}
        swapped["seed"] = shown[1:] + shown[0] if len(set(shown)) > 1 else SECRETS[0]
        forged = [first, *events[:place], Ended(**swapped), *events[place + 1 :]]
        with pytest.raises(RecordError, match="but replays as"):
            verify(parse_record(format_record(forged)))


def test_a_record_that_was_kept_still_verifies() -> None:
    """A hand of Prší with three players, in which the pile was shuffled once."""
    written = (GAMES / "pharaoh" / "records" / "secret.jsonl").read_text()
    validator = jsonschema.Draft202012Validator(schema("record"))
    for line in written.splitlines():
        validator.validate(json.loads(line))
    match = verify(parse_record(written))
    assert match.is_over
    assert match.deal._state["reshuffles"] == 1


def test_a_record_says_by_its_schema_which_kind_it_has() -> None:
    game, _ = line_up("gin:target=1", "simple", "simple")
    for given, says, why in (
        (SECRETS[1], {}, "a secret where a seed should stand"),
        (7, {"secret": True}, "a seed where a secret should stand"),
    ):
        for leaves in (False, True):
            events: list[Event] = []
            match = Match.from_seed(game, given, 0, 1, events.append)
            if leaves:
                match.leave(0)
            else:
                walk_on(match, Chance.from_seed(1))
            first = header(game, ["one", "other"], left=leaves, **says)  # type: ignore[arg-type]
            with pytest.raises(RecordError, match=why):
                parse_record(format_record([first, *events]))


def reshuffled(deal: Deal[Any], chance: Random) -> list[int]:
    """Play by chance until the pile was shuffled: the cards as they lie then."""
    while not deal.is_over:
        if deal._state["reshuffles"]:
            return list(map(int, deal._state["deck"][: int(deal._state["stock"]) + 8]))
        draws = [action for action in deal.legal if action == "draw"]
        deal.play(draws[0] if draws and chance.random() < 0.7 else chance.choice(deal.legal))
    return []


def test_the_pile_is_not_shuffled_by_the_order_of_the_deck() -> None:
    """With the same deck and the same play it is the deal's own label that decides."""
    game, differ, again = parse_game("pharaoh:players=2"), 0, 0
    rules: Any = game.rules
    for number in range(scaled(20, 6)):
        text = SecretChance(SECRETS[1]).deal(number)
        plain, labelled = (lay(game, deck_of(text, 32), 0, (0, 0)) for _ in range(2))
        rules.reseed(labelled, reshuffle_seed(text))
        first = reshuffled(Deal(game, text), Random(number))
        if first:
            differ += first != reshuffled(Deal._of_state(game, plain), Random(number))
            again += first == reshuffled(Deal._of_state(game, labelled), Random(number))
    assert differ == again > scaled(5, 1)
