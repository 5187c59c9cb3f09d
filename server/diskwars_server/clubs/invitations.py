"""Codes of invitations to clubs: made, and found again by what is stored of them.

A code names its club, so that finding it needs no index; the rest is a secret of which only the hash is stored.
"""

import hashlib
import hmac

from diskwars_protocol.clubs.state import Club, StoredInvitation
from diskwars_protocol.match.ids import PlayerId
from diskwars_server.clubs.rules import is_valid
from diskwars_server.players.tokens import INVITE_PREFIX, TokenIssuer
from diskwars_server.refusals import Refusal

CODE_PREFIX = "club-"


def make_code(tokens: TokenIssuer, player: PlayerId, club: str, command: str) -> tuple[str, str, str]:
    """Return the id, the code and the hash of the invitation that a command makes: the same for the same command."""
    invitation, secret = tokens.derive_invite(player, club, command)
    code = f"{CODE_PREFIX}{club}-{secret.removeprefix(INVITE_PREFIX)}"
    return invitation, code, _hash_code(code)


def club_of_code(code: str) -> str:
    """Return the club that a code names, which may not exist. Raises Refusal for what is no code."""
    club, _, secret = _normal(code).removeprefix(CODE_PREFIX).rpartition("-")
    if not club or not secret:
        raise Refusal("bad_invitation", place="$.code")
    return club


def find_invitation(state: Club, code: str, now_ms: int) -> StoredInvitation:
    """Return the invitation of a code. Raises Refusal."""
    wanted = _hash_code(code)
    for invitation in state.invitations:
        if hmac.compare_digest(invitation.code_hash, wanted) and is_valid(invitation, now_ms):
            return invitation
    raise Refusal("bad_invitation", place="$.code")


def _normal(code: str) -> str:
    return code.strip().lower()


def _hash_code(code: str) -> str:
    # 80 unforeseeable bits need no salt and no slow hash.
    return hashlib.sha256(_normal(code).encode("utf-8", "surrogatepass")).hexdigest()
