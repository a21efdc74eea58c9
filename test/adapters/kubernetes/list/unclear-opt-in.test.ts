import { expect, test } from "vitest";
import { pollCluster } from "../../../../functions/workflows/poll/poll-cluster.ts";
import { createInProcessCheckRecorder } from "../../../../functions/workflows/poll/record/record-check.ts";
import { getAutoUpdate } from "../../../contracts/cluster/auto-update/harness.ts";
import { eventsOn } from "../../../contracts/cluster/events.ts";
import { change, createWorkload, type Harness, openHarness, patchObject } from "../../../contracts/cluster/harness.ts";
import { fakePorts } from "../../../support/fake-ports.ts";
import { startCluster } from "../embedded-cluster.ts";

const { kubeConfig } = await startCluster();

const byTag = "pawl.dev/auto-update";
const byConfig = "pawl.dev/restart-on-config-change";
const byDigest = "image-updater.eznix86.github.io/enabled";

/** Returns a function that polls once, and what it published. */
function pollOf({ cluster }: Harness) {
  const ports = { ...fakePorts({ tags: { "shop/app": ["1.0.0"] } }), cluster };
  const poll = () => pollCluster({ ...ports, checkRecorder: createInProcessCheckRecorder(ports) });
  return { poll, published: ports.published };
}

test.for([
  { before: byTag, unclear: { [byTag]: "true (see OPS-1234)" } },
  { before: byTag, unclear: { [byTag]: "" } },
  { before: byTag, unclear: { [byTag]: "True" } },
  { before: byTag, unclear: { [byTag]: " true" } },
  { before: byTag, unclear: { [byTag]: "off" } },
  { before: byTag, unclear: { [byTag]: "x".repeat(100_000) } },
  { before: byTag, unclear: { [byTag]: null, "pawl.dev/auto-updat": "true" } },
  { before: byConfig, unclear: { [byConfig]: "yes" } },
  { before: byConfig, unclear: { [byConfig]: null, "pawl.dev/restart-on-config-chang": "true" } },
  { before: byDigest, unclear: { [byDigest]: "True" } },
  { before: byDigest, unclear: { [byDigest]: "true # since May" } },
  { before: byDigest, unclear: { [byDigest]: "false", [byTag]: "treu" } },
])("$before set to $unclear keeps the AutoUpdate, and one Event says why", async ({ before, unclear }) => {
  const harness = await openHarness(kubeConfig);
  const { poll, published } = pollOf(harness);
  const ref = await createWorkload(harness, "Deployment", { optIn: null, annotations: { [before]: "true" } });
  await change(harness, ref, () => ({ updateRecord: { circuitOpen: true, failedVersions: ["1.1.0"] } }));
  const recorded = await getAutoUpdate(harness, ref);

  await patchObject(harness, ref, { metadata: { annotations: unclear } });
  for (const _ of [1, 2, 3]) expect(await poll()).toMatchObject({ evaluated: 1, problems: 1, started: 0, failures: 0 });

  const kept = await getAutoUpdate(harness, ref);
  expect(kept?.metadata.uid).toBe(recorded?.metadata.uid);
  expect(kept?.status).toMatchObject({
    circuitOpen: true,
    failedVersions: ["1.1.0"],
    conditions: [{ type: "Ready" }, { type: "Stalled", reason: "InvalidConfiguration" }],
  });
  expect(await eventsOn(harness, ref)).toMatchObject([
    { type: "Warning", reason: "AutoUpdateProblem", message: expect.stringMatching(/neither "true" nor|did you mean/) },
  ]);
  expect(published.filter(({ type }) => type === "Update Held")).toHaveLength(1);

  await patchObject(harness, ref, { metadata: { annotations: { ...cleared(unclear), [before]: "true" } } });
  await poll();
  expect((await getAutoUpdate(harness, ref))?.status).toMatchObject({ failedVersions: ["1.1.0"] });
  await patchObject(harness, ref, { metadata: { annotations: { [before]: "false" } } });
  await poll();
  expect(await getAutoUpdate(harness, ref)).toBeNull();
});

function cleared(annotations: object) {
  return Object.fromEntries(Object.keys(annotations).map((key) => [key, null]));
}

test("a workload that never opted in clearly gets an AutoUpdate that says so", async () => {
  const harness = await openHarness(kubeConfig);
  const { poll, published } = pollOf(harness);
  const ref = await createWorkload(harness, "Deployment", { optIn: "yes" });
  for (const _ of [1, 2]) expect(await poll()).toMatchObject({ evaluated: 1, problems: 1, failures: 0 });
  expect(published).toHaveLength(1);
  expect((await getAutoUpdate(harness, ref))?.status?.conditions).toMatchObject([
    { type: "Ready" },
    { type: "Stalled" },
  ]);
});

test("the annotation of kubernetes-image-updater opts in nothing but by true", async () => {
  const harness = await openHarness(kubeConfig);
  const { poll } = pollOf(harness);
  const ref = await createWorkload(harness, "Deployment", { optIn: null, annotations: { [byDigest]: "True" } });
  expect(await poll()).toMatchObject({ evaluated: 0 });
  expect(await getAutoUpdate(harness, ref)).toBeNull();
});
