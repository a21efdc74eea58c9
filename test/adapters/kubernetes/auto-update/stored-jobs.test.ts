import { describe, expect, test } from "vitest";
import type { KubernetesApi } from "../../../../functions/adapters/kubernetes/api.ts";
import { writeStatus } from "../../../../functions/adapters/kubernetes/auto-update/write.ts";
import type { StatefulCanary } from "../../../../functions/adapters/kubernetes/kinds/stateful-canary/object.ts";
import { writeStatus as writeCanaryStatus } from "../../../../functions/adapters/kubernetes/kinds/stateful-canary/status.ts";
import { awaitJob, startAnalysis } from "../../../../functions/domain/analysis/measure.ts";
import type { Change } from "../../../../functions/domain/workload/update/change.ts";
import { inFlight, noon } from "../../../support/workloads.ts";
import { autoUpdateOf, noApi } from "../reading.ts";

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

  test.for([writeAutoUpdate, writeCanary])("is no problem of an update without Jobs", async (write) => {
    await expect(write({ analysis: startAnalysis(noon) }, server(["jobUID", "hook"]).api)).resolves.toBeDefined();
  });
});

test("an older CRD that drops a whole hook: the claim is reverted, because it would be applied without the hook", async () => {
  const { jobUid: _, ...begun } = hook;
  const { api, patches } = server(["hook"]);
  const claimed = writeAutoUpdate({ inFlight: { ...inFlight, isApplied: false, hook: begun } }, api);
  await expect(claimed).rejects.toMatchObject({ name: "CrdOutdated" });
  expect(patches).toMatchObject([{ status: { update: { hook: { job: "migrate" } } } }, { status: { update: null } }]);
});
