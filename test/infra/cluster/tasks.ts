import type { StepInput } from "../../../functions/contract/workload-update.ts";
import { adoptUpdate } from "../../../functions/handlers/adopt-update.ts";
import { applyUpdate } from "../../../functions/handlers/apply-update.ts";
import { checkReadiness } from "../../../functions/handlers/check-readiness.ts";
import { checkRollback } from "../../../functions/handlers/check-rollback.ts";
import { openCircuit } from "../../../functions/handlers/open-circuit.ts";
import { poll } from "../../../functions/handlers/poll.ts";
import { recordCheck } from "../../../functions/handlers/record-check.ts";
import { recordSuccess } from "../../../functions/handlers/record-success.ts";
import { rollBack } from "../../../functions/handlers/roll-back.ts";
import type { Ports } from "../../../functions/contract/ports.ts";
import { type HandlerName, handlerNames } from "../../../infra/constructs/functions/function-specs.ts";

const reason = "not ready";

/** The handlers that access a cluster; tests run each with ports that impersonate its group. */
export const tasks = {
  poll,
  "record-check": recordCheck,
  "check-readiness": (ports: Ports, step: StepInput) =>
    checkReadiness(ports, { ...step, executionStartedAt: ports.now().toISOString() }),
  "apply-update": applyUpdate,
  "adopt-update": adoptUpdate,
  "record-success": recordSuccess,
  "roll-back": (ports: Ports, step: StepInput) => rollBack(ports, { ...step, verdict: "expired", reason }),
  "check-rollback": (ports: Ports, step: StepInput) =>
    checkRollback(ports, { ...step, reason, executionStartedAt: ports.now().toISOString() }),
  "open-circuit": (ports: Ports, step: StepInput) => openCircuit(ports, { ...step, reason }),
} as const satisfies Readonly<Partial<Record<HandlerName, unknown>>>;

export type FunctionName = keyof typeof tasks;
export const functionNames = handlerNames.filter((name): name is FunctionName => name in tasks);
