// Passing: a disk that does nothing more.

import { t } from "../../../../messages";
import type { diskwars } from "../../../../protocol/types";
import type { DiskModes } from "../../orders";
import type { Choice } from "../tool";
import { DiskMode } from "./disk_mode";

export class PassMode extends DiskMode {
  readonly id = "pass";
  readonly shortcut = "P";

  override isOffered({ pass }: DiskModes): boolean {
    return pass !== undefined;
  }
  override get title(): string {
    return t("bar.pass", { name: this.host.name });
  }
  override get help(): string {
    const { decision, state, name } = this.host;
    const isRest = state?.phase !== "setup";
    return t(decision.question.type === "activation" ? "bar.pass.help" : isRest ? "bar.pass.rest" : "bar.pass.scout", {
      name,
    });
  }
  override get primary(): Choice {
    const pass = this.host.found?.pass;
    return {
      id: "commit",
      label: t("mode.pass"),
      icon: "check",
      isOff: !pass,
      act: () => {
        if (pass) void this.host.send(pass);
      },
    };
  }
  /** To pass moves nothing, so it leaves the view as the move had it. */
  protected override get reach(): diskwars.Option | null {
    return this.host.found?.move ?? null;
  }
}
