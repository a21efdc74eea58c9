import { expect, test } from "vitest";
import {
  RegistryUnauthorized,
  RepositoryNotFound,
  Throttled,
  Unreachable,
} from "../../../../functions/ports/errors.ts";
import { pollCluster } from "../../../../functions/workflows/poll/poll-cluster.ts";
import { planCluster } from "../../../../functions/workflows/poll/plan-cluster.ts";
import { after, noon, workload } from "../../../support/workloads.ts";
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
