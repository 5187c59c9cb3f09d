"""Notices to players who are not looking: by mail, to a browser with the page closed, and to webhooks.

- `addresses`: addresses that players name: whether the server may reach them
- `conduct`: rules of conduct of notices: whether one still holds, by which channels it goes, and when
- `deliverer`: the loop that sends deliveries, tries again what failed, and gives up what nobody takes
- `dispatcher`: the loop that turns planned notices into deliveries, once they are due and still hold
- `links`: links in mail: one confirms an address, one ends mail to it
- `mail`: notices by e-mail: one message a delivery, in plain text and HTML, with a way to end them in one click
- `notice_requests`: requests about notices: channels and preferences of players with an account, and the links of mail
- `outbound`: requests to addresses that players have named
- `outcomes`: what became of an attempt to send a notice by one channel
- `pages`: answers to the links in mail
- `parts`: the parts of a server that send notices, put together from its settings
- `push`: notices to browsers with the page closed: Web Push
- `texts`: what a notice says, in the language of its reader
- `webhooks`: notices posted to an address that the player has named, in the form that the service behind it reads
"""
