"""Answers to plain HTTP requests on the port of the WebSocket.

- `board_pictures`: pictures of boards as the public sees them, and of whole matches, drawn in a process of their own
  and kept a while
- `docs_site`: the documentation site at `/docs`: built files, read in a thread when they are first asked for
- `embeds`: the board for other sites: its page, which every site may frame, and oEmbed, by which sites find it
- `link_previews`: what other programs show of a link to a match: tags in the page that name it (Open Graph,
  https://ogp.me)
- `page_files`: the built page: its files, read into memory once, with the headers that each is answered with
- `routes`: answers to plain HTTP requests: the page, the documents of the protocol, match files, and pictures of
  boards
- `shared_parts`: parts of the page that only other nodes of the service were built with, as the store keeps them
- `streams`: responses whose body is made while it is sent, so that no whole body is in memory
"""
