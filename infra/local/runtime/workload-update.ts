import type { TaskName } from "../../../functions/contract/workload-update.ts";
import { adoptUpdate } from "../../../functions/handlers/adopt-update.ts";
import { analyzeCanary } from "../../../functions/handlers/analyze-canary.ts";
import { analyzeRollout } from "../../../functions/handlers/analyze-rollout.ts";
import { applyUpdate } from "../../../functions/handlers/apply-update.ts";
import { checkHook } from "../../../functions/handlers/check-hook.ts";
import { checkCanary } from "../../../functions/handlers/check-canary.ts";
import { checkReadiness } from "../../../functions/handlers/check-readiness.ts";
import { checkRollback } from "../../../functions/handlers/check-rollback.ts";
import { continueAsNew } from "../../../functions/handlers/continue-as-new.ts";
import { openCircuit } from "../../../functions/handlers/open-circuit.ts";
import { recordSuccess } from "../../../functions/handlers/record-success.ts";
import { restoreRelease } from "../../../functions/handlers/restore-release.ts";
import { rollBack } from "../../../functions/handlers/roll-back.ts";
import { rollPod } from "../../../functions/handlers/roll-pod.ts";
import { runHook } from "../../../functions/handlers/run-hook.ts";
import { startCanary } from "../../../functions/handlers/start-canary.ts";
import { syncUpdate } from "../../../functions/handlers/sync-update.ts";
import { verifyImage } from "../../../functions/handlers/verify-image.ts";
import { guardTask } from "../../../functions/workflows/workload-update/guard-writes.ts";
import type { Ports } from "../../../functions/contract/ports.ts";
import type { Task } from "../../../functions/contract/task.ts";
import type { MachineSource } from "../step-functions/machine.ts";
import { createMachineSource } from "./machine-source.ts";
import { toTaskInput } from "../../../functions/contract/step-input.ts";

const tasks: { readonly [Name in TaskName]: Task<Name> } = {
  VerifyImage: verifyImage,
  ApplyUpdate: applyUpdate,
  AdoptUpdate: adoptUpdate,
  RestoreRelease: restoreRelease,
  SyncUpdate: syncUpdate,
  RunHook: runHook,
  CheckHook: checkHook,
  StartCanary: startCanary,
  CheckCanary: checkCanary,
  AnalyzeCanary: analyzeCanary,
  CheckReadiness: checkReadiness,
  RollPod: rollPod,
  AnalyzeRollout: analyzeRollout,
  RecordSuccess: recordSuccess,
  RollBack: rollBack,
  CheckRollback: checkRollback,
  OpenCircuit: openCircuit,
  ContinueAsNew: continueAsNew,
};

/** Returns the source of the machine, with the handlers' tasks. `ports` is called at each step. */
export function workloadUpdateMachine(ports: () => Ports): MachineSource {
  const guarded = Object.entries(tasks).map(([name, task]) => [name, guardTask(task as Task<TaskName>)]);
  return createMachineSource("workload-update", Object.fromEntries(guarded), ports, toTaskInput);
}
