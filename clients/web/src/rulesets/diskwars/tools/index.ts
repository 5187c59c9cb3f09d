// Which tool answers which question of Diskwars.

import type { Decision } from "../../../client/records/match.js";
import { CardTool, ChoiceTool, OrderTool } from "./choice_tool.svelte";
import { DiskTool } from "./disk_tool";
import { EngagementTool, TargetsTool } from "./melee_tools.svelte";
import { DeployTool, DeploymentCardTool, TerrainTool } from "./setup_tools.svelte";
import type { Tool, ToolContext } from "./tool";

export function makeTool(context: ToolContext, decision: Decision): Tool {
  switch (decision.question.type) {
    case "activation":
    case "continuation":
    case "rampage":
    case "reinforcement":
    case "scout":
      return new DiskTool(context, decision);
    case "command_card":
      return new CardTool(context);
    case "deployment":
      return new DeployTool(context, decision);
    case "deployment_card":
      return new DeploymentCardTool(context);
    case "terrain":
      return new TerrainTool(context);
    case "engagement":
      return new EngagementTool(context, decision);
    case "melee_targets":
      return new TargetsTool(context, decision);
    case "initiative_order":
    case "trigger_order":
      return new OrderTool(context, decision);
    default:
      return new ChoiceTool(context, decision);
  }
}
