// The frame that is copied for another page.

import { expect, test } from "vitest";

import { canShowElsewhere, embedFrame } from "../../src/replay/embed_frame";

test("a frame names the moment, and its title stays a text", () => {
  expect(embedFrame("https://disks.example.org", "c9dk2n5ytxgw", 12, 'A "match" <b>')).toBe(
    '<iframe src="https://disks.example.org/embed/c9dk2n5ytxgw/12" width="640" height="420" ' +
      'title="A &quot;match&quot; &lt;b&gt;" style="border:0" loading="lazy"></iframe>',
  );
});

test("a frame is for an ended match that others may watch, once it is loaded", () => {
  expect(canShowElsewhere(null)).toBe(false);
  expect(canShowElsewhere({ status: "running", match_options: {} })).toBe(false);
  expect(canShowElsewhere({ status: "ended", match_options: { watchers: "none" } })).toBe(false);
  expect(canShowElsewhere({ status: "ended", match_options: { watchers: "after_end" } })).toBe(true);
  expect(canShowElsewhere({ status: "ended", match_options: {} })).toBe(true);
});
