// English texts of the header, connection and names.

export const shell = {
  "app.name": "Diskwars",
  "nav.play": "Play",
  "nav.theme": "Change between dark and light",
  "nav.language": "Deutsch",
  "status.connecting": "Connecting",
  "status.online": "Connected",
  "status.reconnecting": "Reconnecting",
  "status.reconnecting.help": "What you planned is kept and was not sent.",
  "status.now": "Now",
  "status.stopped": "Disconnected",
  "status.stopped.help": "The server closed the connection: {text}",
  "ruleset.diskwars": "Diskwars",
  "ruleset.pit": "The pit",
  "ruleset.close_quarters": "Close quarters",
  "ruleset.regiments": "Regiments",
  "seat.name": "Player {letter}",
  "seat.bot": "{name} bot",
  "load.failed": "A part of the page could not be loaded",
  "load.failed.help": "The server may have a new version, or cannot be reached. What was decided in a match is kept.",
  "help.open": "Keys and help",
} as const;
