"""What a table sets, checked: game, players, options and deck make a Variant."""

from collections.abc import Mapping
from typing import Any

from kubli.games import GAMES, decks
from kubli.games.contract import Option, Refused, fault

__all__ = ["rules_of", "setting", "whole_options"]


def setting(
    game: str, players: int, options: Mapping[str, Any], deck: str | Mapping[str, Any]
) -> tuple[dict[str, Any], Any]:
    """All options of a table, and its Variant.

    Raises:
        Refused: an unknown game, a number of players, an option or a deck that may not be.
    """
    rules = rules_of(game)
    if type(players) is not int:
        raise fault("wrong_type", field="players", wanted="a whole number", where="header")
    if players not in rules.PLAYERS:
        least, most = rules.PLAYERS[0], rules.PLAYERS[-1]
        raise fault("players_out_of_range", game=rules.TITLE, players=players, least=least, most=most)
    whole = whole_options(game, players, options)
    cards = decks.read(game, deck)
    decks.for_players(game, cards, players)
    return whole, rules.variant(players, whole, cards)


def rules_of(name: Any) -> Any:
    """The rules module of this name.

    Raises:
        Refused: FORMAT; there is no such game.
    """
    if not isinstance(name, str) or name not in GAMES:
        raise fault("unknown_game", game=str(name), games=list(GAMES))
    return GAMES[name]


def whole_options(game: str, players: int, options: Mapping[str, Any]) -> dict[str, Any]:
    """These options with all that was left out filled in.

    Raises:
        Refused: FORMAT for a name or type that does not exist, the option's own rule for a number out of range.
    """
    rules = rules_of(game)
    known = {option.name: option for option in rules.OPTIONS}
    for name, value in options.items():
        if name not in known:
            raise fault("unknown_option", option=name, options=list(known))
        _check(rules.PREFIX, known[name], players, value)
    return {name: options.get(name, option.start) for name, option in known.items()}


def _check(prefix: str, option: Option, players: int, value: Any) -> None:
    if type(value) is not type(option.start):
        wanted = "true or false" if isinstance(option.start, bool) else "a whole number"
        raise fault("wrong_type", field=f"options.{option.name}", wanted=wanted, where="header")
    most = players - 1 if option.most is None else option.most
    if not isinstance(option.start, bool) and not option.least <= value <= most:
        rule = f"{prefix}-{option.rule}"
        raise Refused(rule, "option_out_of_range", option=option.name, value=value, least=option.least, most=most)
