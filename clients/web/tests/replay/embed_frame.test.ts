// The frame that is copied for another page.

import { expect, test } from "vitest";

import { embedFrame } from "../../src/replay/embed_frame";

test("a frame names the moment, and its title stays a text", () => {
  expect(embedFrame("https://disks.example.org", "c9dk2n5ytxgw", 12, 'A "match" <b>')).toBe(
    '<iframe src="https://disks.example.org/embed/c9dk2n5ytxgw/12" width="640" height="420" ' +
      'title="A &quot;match&quot; &lt;b&gt;" style="border:0" loading="lazy"></iframe>',
  );
});
