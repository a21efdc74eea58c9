import type { Tasks, UpdateInput } from "../../../functions/contract/workload-update.ts";
import { updateInput } from "../../support/workloads.ts";
import { type ScriptedMachine, startScriptedMachine } from "../scripted-machine.ts";

export type UpdateMachine = ScriptedMachine<Tasks, UpdateInput>;

export const disabled = { kind: "disabled", digest: null, reason: "the deployment has no rules" } as const;

/** Unless its script says otherwise, the deployment has no rules of signatures. */
export async function startWorkloadUpdate(): Promise<UpdateMachine> {
  const machine = await startScriptedMachine<Tasks, UpdateInput>("workload-update", updateInput);
  return { ...machine, run: (name, script, input) => machine.run(name, { VerifyImage: [disabled], ...script }, input) };
}
