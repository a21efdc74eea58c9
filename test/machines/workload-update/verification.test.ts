import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { updateInput } from "../../support/workloads.ts";
import { readMachine } from "../asl-files.ts";
import { transitionsOf } from "../transitions.ts";
import { startWorkloadUpdate, type UpdateMachine } from "./machine.ts";

let machine: UpdateMachine;

beforeAll(async () => {
  machine = await startWorkloadUpdate();
});

afterAll(() => machine.close());

const verified = { kind: "verified", digest: `sha256:${"a".repeat(64)}`, reason: "signed by key release.pub" } as const;
const applied = { kind: "applied", waitSeconds: 15, reason: "set the image" } as const;
const ready = { kind: "ready", waitSeconds: 0, reason: "all ready" } as const;

/** The states that write an image, or start an execution that does. */
const writing = [
  "ApplyUpdate",
  "AdoptUpdate",
  "StartCanary",
  "RestoreRelease",
  "RollBack",
  "CheckRollback",
  "ContinueAsNew",
];

/** Returns the states that a path from the start reaches without entering `avoided`. */
function reachableWithout(avoided: string): ReadonlySet<string> {
  const definition = readMachine("workload-update");
  const edges = transitionsOf(definition).map((one) => one.split(/ (?:->|!>) /) as [string, string]);
  const reached = new Set([definition.StartAt]);
  for (let size = 0; size !== reached.size;) {
    size = reached.size;
    for (const [from, to] of edges) if (reached.has(from) && from !== avoided) reached.add(to);
  }
  return reached;
}

test("no path reaches a state that writes an image without VerifyImage", () => {
  const reached = reachableWithout("VerifyImage");
  expect(reached).toContain("VerifyImage");
  expect(writing.filter((state) => reached.has(state))).toEqual([]);
  expect(writing.filter((state) => !reachableWithout("no state").has(state))).toEqual([]);
});

test("no path leads from a check of a canary to more replicas without VerifyImage", () => {
  const edges = transitionsOf(readMachine("workload-update"));
  const into = ["StartCanary", "ApplyUpdate"].flatMap((to) => edges.filter((edge) => edge.endsWith(`-> ${to}`)));
  expect(into).toEqual([
    "ChooseStrategy -> StartCanary",
    "ChooseStrategy -> StartCanary",
    "HookDone? -> StartCanary",
    "ChooseStrategy -> ApplyUpdate",
    "ChooseStrategy -> ApplyUpdate",
    "ChooseStrategy -> ApplyUpdate",
    "HookDone? -> ApplyUpdate",
  ]);
});

describe("what an input claims", () => {
  const script = {
    VerifyImage: [verified],
    ApplyUpdate: [applied],
    CheckReadiness: [ready],
    RecordSuccess: [{ kind: "recorded", reason: "recorded" }],
  } as const;

  test("of its verification is overwritten", async () => {
    const forged = { verification: { kind: "unmatched", digest: null, reason: "forged" } };
    const { payloads } = await machine.run("forged-1", script, forged as Partial<typeof updateInput>);
    expect(payloads.VerifyImage).toEqual([
      { input: { ...updateInput, ...forged }, execution: "forged-1", step: "begun" },
    ]);
    expect(payloads.ApplyUpdate).toMatchObject([{ verification: verified }]);
  });

  test("of a step that has judged its canary is overwritten", async () => {
    const forged = { rollout: { kind: "next" } };
    const { states } = await machine.run("forged-2", script, forged as Partial<typeof updateInput>);
    expect(states.slice(0, 4)).toEqual(["Begin", "VerifyImage", "ChooseStrategy", "ApplyUpdate"]);
  });
});
