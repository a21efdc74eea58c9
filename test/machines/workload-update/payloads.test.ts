import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { digest, restartTarget } from "../../support/digest-workloads.ts";
import { noon, updateInput } from "../../support/workloads.ts";
import { disabled, startWorkloadUpdate, type UpdateMachine } from "./machine.ts";

let machine: UpdateMachine;

beforeAll(async () => {
  machine = await startWorkloadUpdate();
});

afterAll(() => machine.close());

const applied = { kind: "applied", waitSeconds: 15, reason: "set the image" } as const;
const expired = { kind: "expired", waitSeconds: 0, reason: "2 of 3 replicas ready" } as const;
const reverting = { kind: "reverting", reason: "2 of 3 replicas ready" } as const;
const ready = { ...expired, kind: "ready" } as const;
const tripped = { kind: "circuit-tripped", waitSeconds: 0, reason: "the third in a row" } as const;
const opened = { kind: "opened", reason: "circuit opened" } as const;

describe("each Lambda is given the input, the execution's name and what it needs of the step before", () => {
  test("of an update that trips the circuit", async () => {
    const script = {
      ApplyUpdate: [applied],
      CheckReadiness: [expired],
      RollBack: [reverting],
      CheckRollback: [tripped],
      OpenCircuit: [opened],
    };
    const { payloads } = await machine.run("shop-app-1", script);
    const step = { input: updateInput, execution: "shop-app-1", verification: disabled };
    expect(payloads).toEqual({
      VerifyImage: [{ input: step.input, execution: step.execution, step: "begun" }],
      ApplyUpdate: [{ ...step, step: "begun" }],
      CheckReadiness: [{ ...step, executionStartedAt: noon.toISOString() }],
      RollBack: [{ ...step, verdict: "expired", reason: "2 of 3 replicas ready" }],
      CheckRollback: [{ ...step, executionStartedAt: noon.toISOString(), reason: "2 of 3 replicas ready" }],
      OpenCircuit: [{ ...step, reason: "the third in a row" }],
    });
  });

  test("of an update that is adopted and succeeds", async () => {
    const script = {
      AdoptUpdate: [{ kind: "adopted", waitSeconds: 0, reason: "took over" }],
      CheckReadiness: [ready],
      RecordSuccess: [{ kind: "recorded", reason: "recorded" }],
    } as const;
    const { payloads } = await machine.run("shop-app-2", script, { adopting: true });
    const step = { input: { ...updateInput, adopting: true }, execution: "shop-app-2", verification: disabled };
    const check = { ...step, executionStartedAt: noon.toISOString() };
    const recorded = { ...step, verdict: "ready", reason: "2 of 3 replicas ready" };
    expect(payloads).toEqual({
      VerifyImage: [{ input: step.input, execution: step.execution, step: "begun" }],
      AdoptUpdate: [step],
      CheckReadiness: [check],
      RecordSuccess: [recorded],
    });
  });

  test("of an update that bakes: the reason of its end is recorded", async () => {
    const script = {
      ApplyUpdate: [applied],
      CheckReadiness: [{ ...ready, kind: "bake" }],
      AnalyzeRollout: [{ kind: "unknown", waitSeconds: 0, reason: "error-rate: no data for 15m0s" }],
      RecordSuccess: [{ kind: "recorded", reason: "recorded" }],
    } as const;
    const { payloads } = await machine.run("shop-app-6", script);
    const step = { input: updateInput, execution: "shop-app-6", verification: disabled };
    expect(payloads.AnalyzeRollout).toEqual([{ ...step, executionStartedAt: noon.toISOString() }]);
    expect(payloads.RecordSuccess).toEqual([{ ...step, verdict: "unknown", reason: "error-rate: no data for 15m0s" }]);
  });

  test("of a restart: its strategy and its digests are with every step", async () => {
    const own = { target: restartTarget, strategy: "restart", digests: `app:${digest(2)}` } as const;
    const script = {
      ApplyUpdate: [applied],
      CheckReadiness: [expired],
      RollBack: [reverting],
      CheckRollback: [tripped],
      OpenCircuit: [opened],
    } as const;
    const { payloads } = await machine.run("shop-app-5", script, own);
    for (const task of ["ApplyUpdate", "CheckReadiness", "RollBack", "CheckRollback", "OpenCircuit"] as const) {
      expect(payloads[task]).toMatchObject([{ input: { ...updateInput, ...own }, execution: "shop-app-5" }]);
    }
  });

  test("of an update that continues as new", async () => {
    const script = {
      ApplyUpdate: [applied],
      CheckReadiness: [{ ...expired, kind: "continue" }],
      ContinueAsNew: [{ kind: "continued", reason: "continued as another" }],
    } as const;
    const { payloads } = await machine.run("shop-app-3", script);
    expect(payloads.ContinueAsNew).toEqual([{ input: updateInput, execution: "shop-app-3", verification: disabled }]);
  });

  test("of a canary: the step is in the output of its states, and no input of the next", async () => {
    const shown = { waitSeconds: 0, reason: "one of five", step: "2/5 (25%)" } as const;
    const script = {
      StartCanary: [{ kind: "started", ...shown }],
      CheckCanary: [{ kind: "ready", ...shown }],
      AnalyzeCanary: [{ kind: "superseded", ...shown }],
    } as const;
    const { payloads, ending } = await machine.run("shop-app-9", script, { strategy: "canary" });
    expect(JSON.parse(ending.output ?? "")).toMatchObject({ rollout: { kind: "superseded", step: "2/5 (25%)" } });
    expect(payloads.AnalyzeCanary?.[0]).not.toHaveProperty("step");
  });
});
