// Logins of programs by code: the code that was looked up is answered, and the text says what the server did.

import { describe, expect, it } from "vitest";

import { answerTo, outcomeOf, wantsAll, type WaitingProgram } from "../../src/account/device_login";

const waiting = (scopes?: ["play"]): WaitingProgram => ({
  code: "BDKR-WQXZ",
  view: { type: "device_login_view", id: "1", status: "waiting", expires_ms: 0, ...(scopes ? { scopes } : {}) },
});

describe("the answer to a code", () => {
  it("is to the code that was looked up, and takes the password for a full login only", () => {
    const answer = { type: "answer_device_login", user_code: "BDKR-WQXZ" };
    expect(answerTo(waiting(["play"]), true, "secret")).toEqual({ ...answer, approved: true });
    expect(answerTo(waiting(), true, "secret")).toEqual({ ...answer, approved: true, password: "secret" });
    expect(answerTo(waiting(), false, "secret")).toEqual({ ...answer, approved: false });
    expect([wantsAll(waiting()), wantsAll(waiting(["play"]))]).toEqual([true, false]);
  });

  it("shows the outcome that the server reports, whichever button was clicked", () => {
    expect(outcomeOf("approved", true)).toBe("account.code.approved");
    expect(outcomeOf("denied", false)).toBe("account.code.denied");
    expect(outcomeOf("approved", false)).toBe("account.code.was_approved");
    expect(outcomeOf("denied", true)).toBe("account.code.was_denied");
    expect(outcomeOf("approved", null)).toBe("account.code.was_approved");
    expect(outcomeOf("waiting", null)).toBeNull();
  });
});
