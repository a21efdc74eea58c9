import type { TaskName } from "../../../functions/contract.ts";
import { adoptUpdate } from "../../../functions/handlers/adopt-update.ts";
import { analyzeCanary } from "../../../functions/handlers/analyze-canary.ts";
import { applyUpdate } from "../../../functions/handlers/apply-update.ts";
import { checkCanary } from "../../../functions/handlers/check-canary.ts";
import { checkReadiness } from "../../../functions/handlers/check-readiness.ts";
import { handOver } from "../../../functions/handlers/hand-over.ts";
import { openCircuit } from "../../../functions/handlers/open-circuit.ts";
import { recordSuccess } from "../../../functions/handlers/record-success.ts";
import { rollBack } from "../../../functions/handlers/roll-back.ts";
import { startCanary } from "../../../functions/handlers/start-canary.ts";
import type { Ports, Task } from "../../../functions/task.ts";
import type { MachineSource } from "../step-functions/machine.ts";
import { machineSource } from "./machine-source.ts";

const tasks: { readonly [Name in TaskName]: Task<Name> } = {
  ApplyUpdate: applyUpdate,
  AdoptUpdate: adoptUpdate,
  StartCanary: startCanary,
  CheckCanary: checkCanary,
  AnalyzeCanary: analyzeCanary,
  CheckReadiness: checkReadiness,
  RecordSuccess: recordSuccess,
  RollBack: rollBack,
  OpenCircuit: openCircuit,
  HandOver: handOver,
};

/** The machine with the handlers' own tasks behind its states; `ports` is asked at each step. */
export function workloadUpdateMachine(ports: () => Ports): MachineSource {
  return machineSource("workload-update", tasks, ports);
}
