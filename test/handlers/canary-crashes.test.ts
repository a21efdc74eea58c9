import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Workload } from "../../functions/domain/workload.ts";
import { fakePorts } from "../support/fake-ports.ts";
import { canarying, image, settled, target, workload } from "../support/workloads.ts";
import { bad, errorRate, good } from "./canary-steps.ts";
import { anyFaults, type Faults, interruptions } from "./interruptions.ts";
import { runToTheEnd } from "./machine-by-hand.ts";

/** What is wrong with the only candidate. */
type Flaw = "none" | "never ready" | "bad numbers" | "aborted by hand";

const policy = { canary: { unit: "percent", amount: 25 }, analysis: errorRate, healthTimeoutSeconds: 60 } as const;
const rollout = { ...settled, image };
const resting = {
  "a Deployment": workload({ policy, rollout }),
  "a StatefulSet": workload({ policy, rollout, ref: { ...workload().ref, kind: "StatefulSet" } }),
};

async function endAfter(seen: Workload, flaw: Flaw, faults: Faults) {
  const ports = fakePorts({
    workloads: [seen],
    tags: { "shop/app": ["1.0.0", "1.1.0"] },
    broken: new Set(flaw === "never ready" ? [target] : []),
    measured: () => {
      if (flaw === "aborted by hand") abort();
      return flaw === "bad numbers" ? bad : good;
    },
    atMoment: interruptions(faults),
  });
  const abort = () => ports.cluster.put({ ...ports.cluster.get(), verdict: "abort" });
  await runToTheEnd(ports);
  const { image: asked, rollout: pods, inFlight, canary, verdict, bookkeeping } = ports.cluster.get();
  const { rollbackCount, failedVersions, versionHistory } = bookkeeping;
  const history = versionHistory.map(({ version, status }) => `${version} ${status}`);
  return { asked, runs: pods?.image, inFlight, canary, verdict, rollbackCount, failedVersions, history };
}

/** Promoted or rolled back, no canary left, counted once. */
function expectedEnd(flaw: Flaw) {
  const isGood = flaw === "none";
  const runs = isGood ? target : image;
  return {
    asked: runs,
    runs,
    inFlight: null,
    canary: null,
    verdict: null,
    rollbackCount: isGood || flaw === "aborted by hand" ? 0 : 1,
    failedVersions: isGood ? [] : ["1.1.0"],
    history: [isGood ? "1.1.0 Healthy" : "1.1.0 RolledBack"],
  };
}

const flaws: readonly Flaw[] = ["none", "never ready", "bad numbers", "aborted by hand"];

describe.for(Object.entries(resting))("a canary of %s", ([, seen]) => {
  test.for(flaws)("%s: interrupted once, at each of the first moments, it comes to the same end", async (flaw) => {
    for (const fault of ["killed", "lost"] as const) {
      for (let moment = 1; moment <= 100; moment += 1) {
        const end = await endAfter(seen, flaw, new Map([[moment, fault]]));
        expect(end, `${fault} at moment ${moment}`).toEqual(expectedEnd(flaw));
      }
    }
  });

  test("interrupted anywhere it comes to the same end", async () => {
    const property = fc.asyncProperty(fc.constantFrom(...flaws), anyFaults, async (flaw, faults) => {
      expect(await endAfter(seen, flaw, faults)).toEqual(expectedEnd(flaw));
    });
    await fc.assert(property, { numRuns: 150 });
  });
});

test("whoever stops the execution of a canary has it taken back, also where that is interrupted", async () => {
  for (let moment = 1; moment <= 40; moment += 1) {
    const ports = fakePorts({
      workloads: [canarying({ policy })],
      tags: { "shop/app": ["1.0.0", "1.1.0"] },
      measured: () => good,
      atMoment: interruptions(new Map([[moment, moment % 2 === 0 ? "killed" : "lost"]])),
    });
    ports.executions.abort("e-1");
    await runToTheEnd(ports);
    expect(ports.cluster.get(), `at moment ${moment}`).toMatchObject({
      image,
      canary: null,
      inFlight: null,
      bookkeeping: { rollbackCount: 0, failedVersions: ["1.1.0"] },
    });
  }
});
