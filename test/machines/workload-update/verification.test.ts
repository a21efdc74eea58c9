import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { updateInput } from "../../support/workloads.ts";
import { machineNames, readMachine } from "../asl-files.ts";
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

const tasksOf = (name: string) =>
  Object.entries(readMachine(name).States).flatMap(([state, { Type }]) => (Type === "Task" ? [state] : []));

test("no path reaches a Task without VerifyImage: none that writes an image, or starts an execution that does", () => {
  expect([...reachableWithout("VerifyImage")]).toEqual(["Begin", "VerifyImage"]);
  const reached = reachableWithout("no state");
  expect(tasksOf("workload-update").filter((state) => !reached.has(state))).toEqual([]);
});

test.for(machineNames.filter((name) => name !== "workload-update"))("%s has no Task of an update", (name) => {
  const own = new Set(tasksOf("workload-update"));
  expect(tasksOf(name).filter((state) => own.has(state))).toEqual([]);
});

describe("whatever an execution is started for, it verifies first", () => {
  const superseded = { kind: "superseded", waitSeconds: 0, step: "", reason: "the claim is held" } as const;
  const release = { kind: "release", image: updateInput.target.image, number: 3 } as const;
  const digest = { kind: "digest", image: updateInput.target.image, digest: verified.digest } as const;

  test.for<{ what: string; input: Partial<typeof updateInput> | object; writes: string }>([
    { what: "an update or a push", input: {}, writes: "ApplyUpdate" },
    { what: "a restart for a digest", input: { strategy: "restart", target: digest }, writes: "ApplyUpdate" },
    {
      what: "a restart for a configuration",
      input: { strategy: "restart", target: { ...digest, kind: "config" } },
      writes: "ApplyUpdate",
    },
    { what: "a canary", input: { strategy: "canary" }, writes: "StartCanary" },
    { what: "a canary that was stopped", input: { strategy: "abort", adopting: true }, writes: "AdoptUpdate" },
    { what: "a release", input: { strategy: "release", target: release }, writes: "RestoreRelease" },
    { what: "an update in flight, also one that continues as new", input: { adopting: true }, writes: "AdoptUpdate" },
  ])("$what", async ({ what, input, writes }) => {
    const script = { VerifyImage: [verified], [writes]: [superseded] };
    const { states, payloads } = await machine.run(what.replaceAll(/\W/g, "-"), script, input);
    expect(states.slice(0, 4)).toEqual(["Begin", "VerifyImage", "ChooseStrategy", writes]);
    expect(payloads[writes as "ApplyUpdate"]).toMatchObject([{ verification: verified }]);
  });
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
    // Told so, it writes no image.
    "WaitForScaleDown -> ApplyUpdate",
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
