import { expect, test } from "vitest";
import {
  NotAnImage,
  RegistryUnauthorized,
  RepositoryNotFound,
  Throttled,
  Unreachable,
} from "../../../../functions/ports/errors.ts";
import { pollCluster } from "../../../../functions/workflows/poll/poll-cluster.ts";
import { planCluster } from "../../../../functions/workflows/poll/plan-cluster.ts";
import { after, noon, ownRecord, workload } from "../../../support/workloads.ts";
import { fakePorts } from "../../../support/fake-ports.ts";

const tags = { "shop/app": ["1.0.0", "1.1.0"] };

/** Polls a workload whose registry gives this answer for the manifest of 1.1.0. */
function ports(answer: Error, digests: string[] = []) {
  const missing = (image: string) => (image.endsWith(":1.1.0") && digests.length === 0 ? answer : ["sha256:1"]);
  return fakePorts({ workloads: [workload()], tags, now: noon, digests: missing });
}

test("a version that is listed and does not exist is held, said once, and tried once it exists", async () => {
  const digests: string[] = [];
  const fake = ports(
    new RepositoryNotFound("shop/app:1.1.0: registry.example answered 404 (MANIFEST_UNKNOWN)."),
    digests,
  );
  const message =
    "1.1.0 is listed, but its registry has no such image: shop/app:1.1.0: registry.example answered 404 (MANIFEST_UNKNOWN).";
  expect(await pollCluster(fake)).toMatchObject({ started: 0, held: 1, recorded: 1, failures: 0, problems: 0 });
  expect(fake.cluster.get()).toMatchObject({
    inFlight: null,
    backOff: null,
    evaluated: { state: "Behind", reason: "ManifestNotFound", message },
    updateRecord: { failedVersions: [], versionHistory: [], candidateVersion: "1.1.0" },
  });
  expect(fake.cluster.events().map(({ reason }) => reason)).toEqual(["AutoUpdateAvailable", "AutoUpdateHeld"]);
  expect(await planCluster(fake)).toMatchObject([{ decision: { kind: "hold", reason: "manifest-not-found" } }]);
  fake.pass(300);
  expect(await pollCluster(fake)).toMatchObject({ started: 0, recorded: 0 });
  digests.push("sha256:1");
  expect(await pollCluster(fake)).toMatchObject({ started: 1 });
});

test.for([
  { answer: new Throttled("too many requests", 60), expected: { failures: 1, problems: 0 } },
  { answer: new Unreachable("no answer"), expected: { failures: 1, problems: 0 } },
  { answer: new RegistryUnauthorized("a login is required"), expected: { failures: 0, problems: 1 } },
  { answer: new NotAnImage("shop/app:1.1.0 is a Helm chart"), expected: { failures: 0, problems: 1 } },
])("$answer.name does not say that it does not exist, and starts nothing", async ({ answer, expected }) => {
  const fake = ports(answer);
  expect(await pollCluster(fake)).toMatchObject({ started: 0, held: 0, ...expected });
});

test("a version that is not chosen is not asked for", async () => {
  const current = workload({ image: "registry.example/shop/app:1.1.0", source: "registry.example/shop/app:1.1.0" });
  const asked: string[] = [];
  const digests = (image: string) => {
    asked.push(image);
    return ["sha256:1"];
  };
  await pollCluster(fakePorts({ workloads: [current], tags, now: after(1), digests }));
  expect(asked).toEqual([]);
});

const chosen = "registry.example/shop/app:1.1.0";
const digest = `sha256:${"a".repeat(64)}`;

/** Polls once, and returns the target that was started, the decision of the next plan, and the manifests that were requested. */
async function pollOnce(options: Parameters<typeof fakePorts>[0]) {
  const resolved: string[] = [];
  const digests = (image: string) => {
    resolved.push(image);
    return options.digests?.(image) ?? [digest];
  };
  const fake = fakePorts({ tags, now: noon, ...options, digests });
  await pollCluster(fake);
  const target = [...fake.executions.started.values()][0]?.input.target;
  return { fake, target, resolved };
}

test.for([
  { form: "a tag", parts: {}, pinned: {} },
  { form: "tag and digest", parts: { image: `registry.example/shop/app:1.0.0@${digest}` }, pinned: { pinned: true } },
])("an update of a workload that runs $form carries what was chosen, with one request", async ({ parts, pinned }) => {
  const platforms = () => ["linux/amd64", "linux/arm64"];
  const { target, resolved } = await pollOnce({ workloads: [workload(parts)], platforms });
  const manifests = ["sha256:linux/amd64", "sha256:linux/arm64"];
  expect(target).toEqual({ kind: "image", image: chosen, digest, manifests, ...pinned });
  expect(resolved).toEqual([chosen]);
});

test("a version that cannot start now is not resolved", async () => {
  const window = { schedule: "0 0 * * SUN", durationSeconds: 60 };
  const closed = workload({ policy: { windows: [window] } });
  const { fake, resolved } = await pollOnce({ workloads: [closed] });
  expect(fake.cluster.get().evaluated).toMatchObject({ reason: "WindowClosed" });
  expect(resolved).toEqual([]);
});

const running = "registry.example/shop/app:1.0.0";

test.for([
  {
    when: "that of the nodes",
    has: ["linux/amd64"],
    ran: [],
    nodes: ["arm64"],
    says: "linux/arm64, which the pod template names",
  },
  {
    when: "one that runs",
    has: ["linux/amd64"],
    ran: ["linux/amd64", "linux/arm64"],
    nodes: null,
    says: `linux/arm64, which ${running} is`,
  },
])("an index without $when is a reason, and nothing starts", async ({ has, ran, nodes, says }) => {
  const platforms = (image: string) => (image === chosen ? has : ran);
  const own = workload(nodes === null ? {} : { nodes: { os: null, architectures: nodes } });
  const { fake, target } = await pollOnce({ workloads: [own], platforms });
  expect(target).toBeUndefined();
  const message = expect.stringContaining(`1.1.0 is not published for ${says}`) as string;
  expect(fake.cluster.get()).toMatchObject({
    inFlight: null,
    backOff: null,
    evaluated: { state: "Behind", reason: "PlatformNotPublished", message },
  });
});

test.for([
  { when: "was for it only", error: null },
  { when: "does not exist any more", error: new RepositoryNotFound("404") },
  { when: "is none", error: new NotAnImage("a Helm chart") },
])("an index with one common platform starts if the image that runs $when", async ({ error }) => {
  const digests = (image: string) => (image === running && error !== null ? error : [digest]);
  const { target, resolved } = await pollOnce({ workloads: [workload()], platforms: () => ["linux/amd64"], digests });
  expect(target).toMatchObject({ image: chosen });
  expect(resolved).toEqual([chosen, running]);
});

test("no answer about the image that runs starts nothing", async () => {
  const digests = (image: string) => (image === running ? new Unreachable("no answer") : [digest]);
  const { target } = await pollOnce({ workloads: [workload()], platforms: () => ["linux/amd64"], digests });
  expect(target).toBeUndefined();
});

test("a workload of which no image is known is not compared", async () => {
  const claw = workload({ image: null, rollout: null, record: ownRecord, failsWithoutPods: true });
  const { target } = await pollOnce({ workloads: [claw], platforms: () => ["linux/amd64"] });
  expect(target).toMatchObject({ image: chosen, digest });
  expect(target).not.toHaveProperty("pinned");
});

test("a Claw whose policy wants a digest is held, and its registry is not asked for one", async () => {
  const claw = workload({ record: ownRecord, failsWithoutPods: true, policy: { pin: "digest" } });
  const { fake, target, resolved } = await pollOnce({ workloads: [claw] });
  expect(target).toBeUndefined();
  expect(resolved).toEqual([]);
  expect(await planCluster(fake)).toMatchObject([
    {
      decision: {
        kind: "hold",
        reason: "cannot-pin",
        detail: expect.stringContaining("remove pawl.dev/pin") as string,
      },
    },
  ]);
});
