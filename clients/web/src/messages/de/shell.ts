// German texts of the header, connection and names.

import type { shell as english } from "../en/shell";

export const shell: Readonly<Record<keyof typeof english, string>> = {
  "app.name": "Diskwars",
  "nav.play": "Spielen",
  "nav.theme": "Zwischen dunkel und hell wechseln",
  "nav.language": "English",
  "status.connecting": "Verbinde",
  "status.online": "Verbunden",
  "status.reconnecting": "Verbinde erneut",
  "status.reconnecting.help": "Dein Plan bleibt erhalten und wurde nicht gesendet.",
  "status.now": "Jetzt",
  "status.stopped": "Getrennt",
  "status.stopped.help": "Der Server hat die Verbindung geschlossen: {text}",
  "ruleset.diskwars": "Diskwars",
  "ruleset.pit": "Die Grube",
  "ruleset.close_quarters": "Nahkampf",
  "ruleset.regiments": "Regimenter",
  "seat.name": "Spieler {letter}",
  "seat.bot": "Bot ({name})",
  "load.failed": "Ein Teil der Seite konnte nicht geladen werden",
  "load.failed.help": "Vielleicht hat der Server eine neue Fassung, oder er ist nicht erreichbar. Was in einer Partie entschieden ist, bleibt.",
  "help.open": "Tasten und Hilfe",
};
