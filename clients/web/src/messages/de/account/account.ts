// German texts of the part of the settings in which an account is changed.

import type { AccountText } from "../../en/account/account";

export const de: Readonly<Record<AccountText, string>> = {
  "account.name": "Name",
  "account.name.do": "Namen ändern",
  "account.name.done": "Der Name ist geändert. Morgen lässt er sich wieder ändern.",
  "account.password": "Passwort",
  "account.password.now": "Heutiges Passwort",
  "account.password.new": "Neues Passwort",
  "account.password.help": "Mindestens 8 Zeichen. Andere Geräte werden abgemeldet.",
  "account.password.do": "Passwort ändern",
  "account.password.done": "Das Passwort ist geändert.",
  "account.devices": "Geräte",
  "account.device.unnamed": "ein Gerät",
  "account.device.this": "hier in Gebrauch",
  "account.device.used": "benutzt {when}",
  "account.device.out": "Dort abmelden",
  "account.codes": "Codes für ein verlorenes Passwort",
  "account.codes.help": "Neue Codes machen die älteren ungültig.",
  "account.codes.do": "Neue Codes machen",
  "account.delete": "Konto löschen",
  "account.delete.help": "Für immer: Name, Passwort und Geräte. Partien bleiben, ohne deinen Namen.",
  "account.delete.ask": "Löschen …",
  "account.delete.do": "Für immer löschen",
  "account.cancel": "Abbrechen",
};
