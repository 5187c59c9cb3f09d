// German texts of the command line.

import type { command as en } from "../en/command";

export const command: Readonly<Record<keyof typeof en, string>> = {
  "cmd.label": "Befehlszeile",
  "cmd.hint": "Mit / einen Befehl tippen: {verbs} … oder help",
  "cmd.help":
    "move Swordsmen 45 x2: Grad im Uhrzeigersinn von Norden, oder N, NE, E. move Swordsmen toward Orc Boyz. shoot Archers at Trolls. bring Trolls at 18 4,5. lock und eine Karte. list zeigt die Antworten mit Nummern. {north}",
  "cmd.north.0": "Norden ist oben.",
  "cmd.north.90": "Norden ist rechts.",
  "cmd.north.180": "Norden ist unten: Der Tisch ist zu deiner Kante gedreht.",
  "cmd.north.270": "Norden ist links.",
  "cmd.long": "Ein Befehl hat höchstens {words} Wörter und {letters} Zeichen, eine Zahl höchstens {digits} Ziffern.",
  "cmd.verbs": "Möglich ist {verbs}; help sagt mehr.",
  "cmd.numbers": "eine Zahl von 1 bis {count}",
  "cmd.number": "Es gibt die Antworten 1 bis {count}.",
  "cmd.nothing": "Gerade ist nichts von dir gefragt.",
  "cmd.notnow": "Das geht jetzt nicht. Möglich ist {verbs}.",
  "cmd.whereto": "Sag wohin: move {name} 45 wendet einmal nach Nordosten, move {name} N x2 zweimal nach Norden.",
  "cmd.which": "Welche Scheibe? {names}",
  "cmd.cannot": "Mit {name} geht das jetzt nicht. Es geht mit {names}.",
  "cmd.disk": "Nenne eine Scheibe: {names}.",
  "cmd.extra": "Was ist „{words}“?",
  "cmd.direction": "„{word}“ ist keine Richtung: 0 bis 360 Grad im Uhrzeigersinn von Norden, oder {compass}.",
  "cmd.way": "Sag wohin: Grad im Uhrzeigersinn von Norden oder N, NE …, mit x2 für zweimal Wenden.",
  "cmd.target": "Auf wen? {names}",
  "cmd.attack": "{name} hat gerade keinen solchen Angriff {number}.",
  "cmd.place": "Ein Ort besteht aus zwei Längen in Zoll von der linken unteren Ecke, etwa 18 4,5.",
  "cmd.card": "Nenne eine Karte: {names}.",
  "cmd.done": "Erledigt: {line}",
  "live.wanted": "Du bist dran. {title} {help}",
  "live.refused": "Abgelehnt. {text}",
  "cmd.end.sure":
    "{count} {count|Aktivierung ist|Aktivierungen sind} ungenutzt. Gib {line} noch einmal ein, um die Karte zu beenden.",
};
