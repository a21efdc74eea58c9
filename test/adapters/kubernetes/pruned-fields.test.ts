import { describe, expect, test } from "vitest";
import type { KubernetesApi } from "../../../functions/adapters/kubernetes/api.ts";
import { prunedFields } from "../../../functions/adapters/kubernetes/pruned-fields.ts";
import { writeStatus } from "../../../functions/adapters/kubernetes/auto-update/write.ts";
import type { StatefulCanary } from "../../../functions/adapters/kubernetes/kinds/stateful-canary/object.ts";
import { writeCanaryStatus } from "../../../functions/adapters/kubernetes/kinds/stateful-canary/status.ts";
import { awaitJob, startAnalysis } from "../../../functions/domain/analysis/measure.ts";
import type { Change } from "../../../functions/domain/workload/update/change.ts";
import { createState } from "../../../functions/domain/state/state.ts";
import { inFlight, noon } from "../../support/workloads.ts";
import { autoUpdateOf, noApi } from "./reading.ts";

const hook = { stage: "pre", job: "migrate", startedAt: noon, jobUid: "u-6", result: null } as const;
const analysis = awaitJob(startAnalysis(noon), "smoke", "u-6");
const claim = {
  holder: "pawl",
  expiresAt: noon,
  targetUID: "u-1",
  targetGeneration: 1,
  hasCanary: false,
};

/** Answers patches as a server whose CRD does not know these fields. */
function server(unknown: readonly string[]) {
  const patches: object[] = [];
  const stored = (key: string, value: unknown) => (unknown.includes(key) ? undefined : value);
  const api: KubernetesApi = {
    ...noApi,
    patch: async (_resource, _target, _type, body) => {
      patches.push(body);
      return JSON.parse(JSON.stringify(body), stored) as never;
    },
  };
  return { api, patches };
}

const writeAutoUpdate = (change: Change, api: KubernetesApi): Promise<object> =>
  writeStatus(autoUpdateOf("Deployment", { status: {} }), change, claim, api, noon);
const writeCanary = (change: Change, api: KubernetesApi): Promise<object> => {
  const metadata = { name: "db", namespace: "shop", uid: "u-1", resourceVersion: "7" };
  return writeCanaryStatus({ metadata, status: {} } as StatefulCanary, {}, change, api, noon);
};

describe("the uid of a Job that an older CRD drops", () => {
  test.for([
    {
      what: "the hook of an AutoUpdate",
      write: writeAutoUpdate,
      change: { inFlight: { ...inFlight, hook } },
      crd: "autoupdates.pawl.dev",
    },
    { what: "the metric of an AutoUpdate", write: writeAutoUpdate, change: { analysis }, crd: "autoupdates.pawl.dev" },
    {
      what: "the hook of a StatefulCanary",
      write: writeCanary,
      change: { inFlight: { ...inFlight, phase: "canary", hook } },
      crd: "statefulcanaries.pawl.dev",
    },
    { what: "the metric of a StatefulCanary", write: writeCanary, change: { analysis }, crd: "statefulcanaries.pawl" },
  ] as const)("fails the step and names what to apply: $what", async ({ write, change, crd }) => {
    await expect(write(change, server([]).api)).resolves.toBeDefined();
    await expect(write(change, server(["jobUID"]).api)).rejects.toMatchObject({
      name: "CrdOutdated",
      message: expect.stringMatching(`${crd}.* older version; run kubectl apply -k infra/cluster/crds`),
    });
  });
});

const claiming = { inFlight: { ...inFlight, isApplied: false } };
const writeClaimed = () =>
  writeStatus(autoUpdateOf("Deployment", { status: {} }), claiming, claim, server([]).api, noon);
const waiting: Change = { observation: { kind: "waiting", reason: "paused" } };
const found = createState(["UpToDate", "NewestVersion"], "1.0.0 is the newest");

describe("any other field that an older CRD drops", () => {
  test.for<{ what: string; change: Change; field: string; pruned: string }>([
    { what: "a new claim", change: claiming, field: "startedAt", pruned: "status.update.startedAt" },
    { what: "what a poll found", change: { evaluated: found }, field: "state", pruned: "status.state" },
    {
      what: "the closed gates",
      change: { gates: [{ name: "circuit", reason: "CircuitOpen", message: "open" }] },
      field: "gates",
      pruned: "status.gates",
    },
  ])("is not written without it, and the message names it: $what", async ({ change, field, pruned }) => {
    const { api, patches } = server([field]);
    const message = expect.stringContaining(`drops ${pruned}`);
    await expect(writeAutoUpdate(change, api)).rejects.toMatchObject({ name: "CrdOutdated", message });
    expect(patches).toHaveLength(2);
    expect(patches[1]).toMatchObject({ status: { reason: "CrdOutdated", message } });
    await expect(writeAutoUpdate(change, server([]).api)).resolves.toBeDefined();
  });

  test("does not end an update in progress", async () => {
    const claimed = await writeClaimed();
    const { api, patches } = server(["state", "waitingReason", "gates"]);
    await expect(writeStatus(claimed, waiting, claim, api, noon)).resolves.toBeDefined();
    expect(patches).toHaveLength(1);
  });

  test.for<{ field: string; change: Change }>([
    { field: "observedAt", change: { observation: { kind: "observed", at: noon, template: "t-1" } } },
    { field: "observedTemplate", change: { observation: { kind: "observed", at: noon, template: "t-1" } } },
    { field: "bakingSince", change: { observation: { kind: "baking", since: noon } } },
    { field: "analysis", change: { analysis: startAnalysis(noon) } },
    { field: "lastRequest", change: { answer: { token: "1", verb: "reset", result: "done" } } },
    { field: "token", change: { answer: { token: "1", verb: "reset", result: "done" } } },
  ])("fails the step of an update in progress that would not end without it: $field", async ({ field, change }) => {
    const claimed = await writeClaimed();
    const { api, patches } = server([field]);
    await expect(writeStatus(claimed, change, claim, api, noon)).rejects.toMatchObject({
      name: "CrdOutdated",
      message: expect.stringMatching(`${field}.*run kubectl apply -k infra/cluster/crds`),
    });
    expect(patches).toHaveLength(2);
    expect(JSON.stringify(patches[1])).not.toContain("NotEvaluated");
    await expect(writeStatus(claimed, change, claim, server([]).api, noon)).resolves.toBeDefined();
  });

  test("is one of a StatefulCanary, while no canary is in progress", async () => {
    const metadata = { name: "db", namespace: "shop", uid: "u-1", resourceVersion: "7" };
    const write = (currentPhase: "Succeeded" | "Progressing") =>
      writeCanaryStatus(
        { metadata, status: { currentPhase } } as StatefulCanary,
        { message: "m" },
        {},
        server(["message"]).api,
        noon,
      );
    await expect(write("Succeeded")).rejects.toMatchObject({ name: "CrdOutdated" });
    await expect(write("Progressing")).resolves.toBeDefined();
  });
});

test("the paths of dropped fields, those of lists without their numbers", () => {
  const sent = { a: 1, b: null, c: { d: "", e: [{ f: 1, g: 2 }, { f: 1 }] }, h: undefined };
  expect(prunedFields(sent, structuredClone(sent))).toEqual([]);
  expect(prunedFields(sent, { c: { d: "", e: [{ g: 2 }, {}] } })).toEqual([
    "status.a",
    "status.c.e[].f",
    "status.c.e[].f",
  ]);
  expect(prunedFields(sent, undefined)).toEqual(["status"]);
});

test("an older CRD that drops a whole hook: the claim is reverted, because it would be applied without the hook", async () => {
  const { jobUid: _, ...begun } = hook;
  const { api, patches } = server(["hook"]);
  const claimed = writeAutoUpdate({ inFlight: { ...inFlight, isApplied: false, hook: begun } }, api);
  await expect(claimed).rejects.toMatchObject({ name: "CrdOutdated" });
  expect(patches).toMatchObject([{ status: { update: { hook: { job: "migrate" } } } }, { status: { update: null } }]);
});
