import type { Tasks, UpdateInput } from "../../functions/contract.ts";
import { target, workload } from "../support/workloads.ts";
import { type ScriptedMachine, startScriptedMachine } from "./scripted-machine.ts";

export type UpdateMachine = ScriptedMachine<Tasks, UpdateInput>;

export const input: UpdateInput = {
  cluster: "production",
  workload: workload().ref,
  image: target,
  strategy: "rolling",
  digests: "",
  recovering: false,
};

export function startWorkloadUpdate(): Promise<UpdateMachine> {
  return startScriptedMachine<Tasks, UpdateInput>("workload-update", input);
}
