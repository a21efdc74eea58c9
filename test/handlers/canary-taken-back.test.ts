import { describe, expect, test } from "vitest";
import { adoptUpdate } from "../../functions/handlers/adopt-update.ts";
import { applyUpdate } from "../../functions/handlers/apply-update.ts";
import { checkCanary } from "../../functions/handlers/check-canary.ts";
import { handOver } from "../../functions/handlers/hand-over.ts";
import { rollBack } from "../../functions/handlers/roll-back.ts";
import { killedAt } from "../support/fake-ports.ts";
import {
  after,
  canaryInFlight,
  canarying,
  image,
  inFlight,
  noon,
  target,
  updating,
  workload,
} from "../support/workloads.ts";
import { canaryStep, look } from "./canary-steps.ts";
import { around, expectSelectable, writesNothing } from "./steps.ts";

const next = { ...canaryStep, execution: "e-2", recovering: true };
const takingBack = { ...canaryStep, verdict: "fail", reason: "5 % errors" };

describe("AdoptUpdate", () => {
  test("takes a canary over, and goes on at the canary", async () => {
    const ports = around(canarying());
    const answer = await adoptUpdate(ports, next);
    expect(answer).toMatchObject({ kind: "canary" });
    expect(ports.cluster.get()).toMatchObject({ image, inFlight: { ...canaryInFlight, execution: "e-2" } });
    expectSelectable("AdoptUpdate", answer);
  });

  test("makes a canary that was claimed and not made", async () => {
    const ports = around(canarying({ canary: null }));
    expect(await adoptUpdate(ports, next)).toMatchObject({ kind: "canary" });
    expect(await checkCanary(ports, { ...look, execution: "e-2" })).toMatchObject({ kind: "ready" });
  });

  test("repeated it writes nothing", async () => {
    const seen = canarying({ inFlight: { ...canaryInFlight, execution: "e-2" } });
    expect(await adoptUpdate(around(seen, { atMoment: writesNothing }), next)).toMatchObject({ kind: "canary" });
  });

  test("of a canary whose execution was stopped says so, and writes it down", async () => {
    const ports = around(canarying());
    const answer = await adoptUpdate(ports, { ...next, strategy: "abort" });
    expect(answer).toMatchObject({ kind: "abort" });
    expect(ports.cluster.get()).toMatchObject({ verdict: "abort", inFlight: { execution: "e-2", phase: "canary" } });
    expectSelectable("AdoptUpdate", answer);
  });

  test("of an abort that could not be done goes on with it, by whichever execution", async () => {
    const ports = around(canarying());
    await adoptUpdate(ports, { ...next, strategy: "abort" });
    await adoptUpdate(ports, { ...next, execution: "e-3" });
    expect(await checkCanary(ports, { ...look, execution: "e-3" })).toMatchObject({ kind: "expired" });
  });

  test("of a rolling update goes on at the readiness check, whatever the strategy was", async () => {
    expect(await adoptUpdate(around(updating()), next)).toMatchObject({ kind: "adopted" });
  });
});

describe("ApplyUpdate", () => {
  test("promotes a canary: all replicas, a new start, and no canary left", async () => {
    const ports = around(canarying({ verdict: "promote" }), { now: after(30) });
    const answer = await applyUpdate(ports, canaryStep);
    expect(answer).toMatchObject({ kind: "applied", waitSeconds: 15 });
    expect(ports.cluster.get()).toMatchObject({
      image: target,
      canary: null,
      verdict: null,
      inFlight: { ...inFlight, startedAt: after(30) },
    });
    expect(ports.published).toMatchObject([{ type: "Canary Promoted", execution: "e-1", image: target }]);
    expectSelectable("ApplyUpdate", answer);
  });

  test("killed after it had promoted it does not begin anew", async () => {
    const ports = around(canarying(), { now: after(30), atMoment: killedAt("before announce") });
    await expect(applyUpdate(ports, canaryStep)).rejects.toMatchObject({ name: "Killed" });
    ports.pass(60);
    expect(await applyUpdate(ports, canaryStep)).toMatchObject({ kind: "applied" });
    expect(ports.cluster.get().inFlight).toEqual({ ...inFlight, startedAt: after(30) });
  });

  test("does not promote what another has claimed, nor over a person's image", async () => {
    const unmarked = workload({ policy: { canary: { unit: "replicas", amount: 1 } } });
    const others = canarying({ inFlight: { ...canaryInFlight, execution: "e-2" } });
    for (const seen of [unmarked, others, canarying({ image: "app:hotfix" })]) {
      const answer = await applyUpdate(around(seen, { atMoment: writesNothing }), canaryStep);
      expect(answer).toMatchObject({ kind: "superseded" });
    }
  });
});

describe("RollBack", () => {
  const blamed = {
    failedVersions: ["1.1.0"],
    versionHistory: [{ version: "1.1.0", appliedAt: noon, status: "RolledBack" }],
  };

  test("takes a canary away and counts it", async () => {
    const ports = around(canarying());
    expect(await rollBack(ports, takingBack)).toMatchObject({ kind: "rolled-back" });
    expect(ports.cluster.get()).toMatchObject({
      image,
      canary: null,
      inFlight: null,
      bookkeeping: { ...blamed, rollbackCount: 1 },
    });
    expect(ports.cluster.freed).toEqual([target]);
  });

  test("of a StatefulSet's canary puts its template back", async () => {
    const ref = { ...canarying().ref, kind: "StatefulSet" };
    const ports = around(canarying({ ref, image: target }));
    expect(await rollBack(ports, { ...takingBack, workload: ref })).toMatchObject({ kind: "rolled-back" });
    expect(ports.cluster.get()).toMatchObject({ image, canary: null, inFlight: null });
  });

  test.for([
    { when: "by hand", verdict: "expired", parts: { verdict: "abort" } },
    { when: "by stopping its execution", verdict: "abort", parts: {} },
  ] as const)(
    "of a canary that was aborted $when blames the version and does not count it",
    async ({ verdict, parts }) => {
      const seen = canarying({ ...parts, policy: { maxRollbacks: 1 } });
      const ports = around(seen);
      expect(await rollBack(ports, { ...takingBack, verdict })).toMatchObject({ kind: "rolled-back" });
      expect(ports.cluster.get()).toMatchObject({
        canary: null,
        inFlight: null,
        verdict: null,
        bookkeeping: { ...blamed, rollbackCount: 0, circuitOpen: false },
      });
    },
  );

  test("of the last allowed trips the circuit", async () => {
    const ports = around(canarying({ policy: { maxRollbacks: 1 } }));
    expect(await rollBack(ports, takingBack)).toMatchObject({ kind: "tripped" });
  });

  test("of what a person has overtaken touches nothing", async () => {
    const ports = around(canarying({ image: "app:hotfix" }), { atMoment: writesNothing });
    expect(await rollBack(ports, takingBack)).toMatchObject({ kind: "superseded" });
  });
});

test("HandOver of a canary starts an execution that goes on at the canary", async () => {
  const ports = around(canarying());
  await handOver(ports, canaryStep);
  const [started] = ports.executions.started;
  expect(started?.input).toMatchObject({ strategy: "canary", recovering: true });
  const adopting = { ...canaryStep, recovering: true, execution: started?.name ?? "" };
  expect(await adoptUpdate(ports, adopting)).toMatchObject({ kind: "canary" });
  expect(await checkCanary(ports, { ...look, execution: adopting.execution })).toMatchObject({ kind: "ready" });
  expect(await checkCanary(ports, look)).toMatchObject({ kind: "superseded" });
});
