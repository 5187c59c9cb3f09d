// Which tool answers which question of Diskwars.

import type { Decision } from "../../../client/records/match.js";
import { CardTool, ChoiceTool, OrderTool } from "./choice_tool.svelte";
import { DiskTool } from "./disk_tool.svelte";
import { EngagementTool, TargetsTool } from "./melee_tools.svelte";
import { DeployTool, DeploymentCardTool, TerrainTool } from "./setup_tools.svelte";
import type { Desk, Tool } from "./tool";

export function makeTool(desk: Desk, decision: Decision): Tool {
  switch (decision.question.type) {
    case "activation":
    case "continuation":
    case "rampage":
    case "reinforcement":
    case "scout":
      return new DiskTool(desk, decision);
    case "command_card":
      return new CardTool(desk);
    case "deployment":
      return new DeployTool(desk, decision);
    case "deployment_card":
      return new DeploymentCardTool(desk);
    case "terrain":
      return new TerrainTool(desk);
    case "engagement":
      return new EngagementTool(desk, decision);
    case "melee_targets":
      return new TargetsTool(desk, decision);
    case "initiative_order":
    case "trigger_order":
      return new OrderTool(desk, decision);
    default:
      return new ChoiceTool(desk, decision);
  }
}
