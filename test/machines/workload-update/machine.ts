import type { Tasks, UpdateInput } from "../../../functions/contract/workload-update.ts";
import { updateInput } from "../../support/workloads.ts";
import { type ScriptedMachine, startScriptedMachine } from "../scripted-machine.ts";

export type UpdateMachine = ScriptedMachine<Tasks, UpdateInput>;

export function startWorkloadUpdate(): Promise<UpdateMachine> {
  return startScriptedMachine<Tasks, UpdateInput>("workload-update", updateInput);
}
