import { expect, test } from "vitest";
import { createClawKind } from "../../../../../functions/adapters/kubernetes/kinds/claw/claw.ts";
import { imageForRuntime } from "../../../../../functions/adapters/kubernetes/kinds/claw/claw-image.ts";
import { manifest } from "../../../../contracts/cluster-fixtures.ts";
import type { Workload } from "../../../../../functions/domain/workload/workload.ts";
import { noApi, readClaw, stored } from "../../reading.ts";
import { textsOf } from "../../../../support/problems.ts";

test("a Claw without spec, which its CRD allows, has not opted in", async () => {
  const kind = createClawKind({ mirrors: {}, now: () => new Date(0) });
  const claw = { metadata: { name: "helper", ...stored } };
  expect(kind.isOptedIn(claw)).toBe(false);
  expect(await kind.read(claw, { ...noApi, get: async () => null }, null)).toMatchObject({
    policy: { optIn: "no" },
    source: null,
  });
});

/** The bounds of k8s4claw's webhook, which a cluster without it does not check. */
test.for([
  { field: "healthTimeout", value: "5m", message: null, seconds: 300 },
  { field: "healthTimeout", value: "2m", message: null, seconds: 120 },
  { field: "healthTimeout", value: "30m", message: null, seconds: 1800 },
  { field: "healthTimeout", value: "1m", message: /must be from 2m0s to 30m0s/ },
  { field: "healthTimeout", value: "1m59s", message: /must be from 2m0s to 30m0s/ },
  { field: "healthTimeout", value: "1h", message: /must be from 2m0s to 30m0s/ },
  { field: "healthTimeout", value: "junk", message: /./ },
  { field: "maxRollbacks", value: -1, message: /whole number from 0 to 999999/ },
  { field: "maxRollbacks", value: 1.5, message: /whole number from 0 to 999999/ },
  { field: "maxRollbacks", value: 0, message: null },
  { field: "versionConstraint", value: "not-a-semver", message: /./ },
  { field: "versionConstraint", value: ">=1.0.0, <2", message: null },
  { field: "schedule", value: "not-a-cron", message: /./ },
  { field: "schedule", value: "TZ=Europe/Berlin 30 4 * * 1-5", message: null },
])("spec.autoUpdate.$field $value: $message", async ({ field, value, message, seconds = 600 }) => {
  const { policy, problems } = await readClaw({ autoUpdate: { [field]: value } });
  expect(problems.map(({ text }) => text.split(": ")[0])).toEqual(
    message === null ? [] : [`spec.autoUpdate.${field} "${value}"`],
  );
  expect(textsOf(problems).join("")).toMatch(message ?? /^$/);
  expect(policy).toMatchObject({ healthTimeoutSeconds: seconds, maxRollbacks: 3 });
});

test("an invalid pause value pauses, and the problem names the annotation", async () => {
  const { policy, problems } = await readClaw({ annotations: { "pawl.dev/paused": "soon" } });
  expect(policy.paused).toBe(true);
  expect(textsOf(problems)).toEqual([expect.stringContaining('pawl.dev/paused "soon": ')]);
});

test.for([
  { runtime: "openclaw", source: "ghcr.io/prismer-ai/k8s4claw-openclaw" },
  { runtime: "nanoclaw", source: "ghcr.io/prismer-ai/k8s4claw-nanoclaw" },
  { runtime: "zeroclaw", source: "ghcr.io/prismer-ai/k8s4claw-zeroclaw" },
  { runtime: "picoclaw", source: "ghcr.io/prismer-ai/k8s4claw-picoclaw" },
  { runtime: "ironclaw", source: "ghcr.io/prismer-ai/k8s4claw-ironclaw" },
  { runtime: "hermesclaw", source: "ghcr.io/nousresearch/hermes-agent" },
  { runtime: "hermesrs", source: null },
  { runtime: "custom", source: null },
  { runtime: "toString", source: null },
  { runtime: "", source: null },
])("the runtime $runtime comes from $source", async ({ runtime, source }) => {
  expect(await readClaw({ runtime })).toMatchObject({ source, problems: [] });
});

test("a mirror takes precedence over the published image, and may add a runtime", async () => {
  const mirrors = { openclaw: "mirror.example/claws/open", custom: "mirror.example/claws/own" };
  expect((await readClaw({}, { mirrors })).source).toBe("mirror.example/claws/open");
  expect(imageForRuntime("custom", mirrors)).toBe("mirror.example/claws/own");
  expect(imageForRuntime("nanoclaw", mirrors)).toBe("ghcr.io/prismer-ai/k8s4claw-nanoclaw");
});

test("a status is read, and fields that its CRD rejects count as absent", async () => {
  const healthy = { version: "1.0.0", appliedAt: "2026-01-02T03:04:05Z", status: "Healthy" };
  const lost = { version: "1.1.0", appliedAt: "then", status: "Healthy" };
  const autoUpdate = { currentVersion: "", lastCheck: "then", circuitOpen: true, versionHistory: [healthy, lost] };
  const { updateRecord } = await readClaw({}, { status: { autoUpdate } });
  expect(updateRecord).toEqual({
    currentVersion: null,
    minimumVersion: null,
    availableVersion: null,
    candidateVersion: null,
    lastCheck: null,
    lastUpdate: null,
    rollbackCount: 0,
    failedVersions: [],
    circuitOpen: true,
    versionHistory: [{ version: "1.0.0", appliedAt: new Date("2026-01-02T03:04:05Z"), status: "Healthy" }],
  });
});

test.for([
  { when: "there is no set", set: null, rollout: null },
  { when: "the set has no container runtime", set: setOf("main"), rollout: { image: null, desiredReplicas: 1 } },
  { when: "the set runs", set: setOf("runtime"), rollout: { image: "claw:1.0.0", generation: 3, readyReplicas: 1 } },
])("its rollout if $when", async ({ set, rollout }) => {
  const workload = await readClaw({}, { set });
  expect(workload).toMatchObject({ rollout });
});

function setOf(container: string) {
  const { metadata } = manifest("StatefulSet");
  const containers = [
    { name: "proxy", image: "proxy:1" },
    { name: container, image: "claw:1.0.0" },
  ];
  return {
    metadata: { ...metadata, ...stored, generation: 3 },
    spec: { selector: {}, template: { spec: { containers } } },
    status: { observedGeneration: 3, updatedReplicas: 1, readyReplicas: 1 },
  };
}

test("no image is read from the status, which recorders may write", async () => {
  const evil = "evil.invalid/miner:1";
  const versionHistory = [{ version: evil, appliedAt: "2026-11-20T12:00:00Z", status: "Healthy" }];
  const status = {
    autoUpdate: { currentVersion: evil, availableVersion: evil, versionHistory },
    conditions: [{ type: "AutoUpdateInProgress", status: "True", reason: "UpdateStarted", message: evil }],
  };
  const images = ({ source, image, requestedImage, inFlight }: Workload) => ({
    source,
    image,
    requestedImage,
    inFlight,
  });
  expect(images(await readClaw({}, { status }))).toEqual(images(await readClaw()));
});
