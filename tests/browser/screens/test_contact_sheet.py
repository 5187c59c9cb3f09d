"""The contact sheet has ten moments in three windows and both themes, and those of another page beside them."""

import re

from tests.browser.make_contact_sheet import MOMENTS, sheet_text, shots
from tests.browser.screens.test_kept_pictures import SCREENS


def test_sheet_has_sixty_pictures_of_each_page() -> None:
    assert len({shot.name for shot in shots("now")}) == 60
    assert set(MOMENTS) <= set(SCREENS)
    for pages, count in ((("now",), 60), (("now", "beside"), 120)):
        named = re.findall('src="([^"]+)"', sheet_text(pages))
        assert len(set(named)) == len(named) == count
