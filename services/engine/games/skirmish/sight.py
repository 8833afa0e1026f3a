"""Who sees what where (SK-1.6). What is not in this table nobody sees."""

from services.engine.kernel import Who, everyone, face_down, nobody, owner

SIGHT = {
    "commander_deck": nobody,
    "soldier_deck": nobody,
    "tactic_deck": nobody,
    "commander": everyone,
    "soldiers": owner,
    "tactics": owner,
    "scout": face_down(Who.BRINGER),
    "assault": face_down(Who.BRINGER),
    "sniper": face_down(Who.BRINGER),
    "tactic": face_down(Who.BRINGER),
    "discard": everyone,
}
