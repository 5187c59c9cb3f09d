// English texts of the part of the settings in which an account is changed.

export const en = {
  "account.name": "Name",
  "account.name.do": "Change the name",
  "account.name.done": "The name is changed. It can be changed again tomorrow.",
  "account.password": "Password",
  "account.password.now": "Password of today",
  "account.password.new": "New password",
  "account.password.help": "At least 8 characters. Other devices are logged out.",
  "account.password.do": "Change the password",
  "account.password.done": "The password is changed.",
  "account.devices": "Devices",
  "account.device.unnamed": "a device",
  "account.device.this": "in use here",
  "account.device.used": "used {when}",
  "account.device.out": "Log out there",
  "account.codes": "Recovery codes",
  "account.codes.help": "For a lost password. New codes make the older ones void.",
  "account.codes.do": "Make new codes",
  "account.delete": "Delete the account",
  "account.delete.help": "For good: name, password and devices. Matches stay, without your name.",
  "account.delete.ask": "Delete …",
  "account.delete.do": "Delete for good",
  "account.cancel": "Cancel",
};
export type AccountText = keyof typeof en;
