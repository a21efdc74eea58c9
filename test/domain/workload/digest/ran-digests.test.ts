import { describe, expect, test } from "vitest";
import { ranBefore, recordRan } from "../../../../functions/domain/workload/digest/ran-digests.ts";
import { rollbackPins } from "../../../../functions/domain/workload/digest/record.ts";
import type { ContainerDigest, Digests } from "../../../../functions/domain/workload/digest/tracking.ts";
import { recordStart, recordSuccess } from "../../../../functions/domain/workload/record/update-record.ts";
import {
  digest,
  digestWorkload,
  type DigestWorkloadParts,
  restartingWorkload,
  restartInFlight,
  restartTarget,
  tagAndDigestWorkload,
} from "../../../support/digest-workloads.ts";
import { after, inFlight, noon, target, updateTarget, updatingWorkload } from "../../../support/workloads.ts";

const pod = (number: number, container = "app"): ContainerDigest => ({ container, digest: digest(number) });
const unready = (number: number): ContainerDigest => ({ ...pod(number), isUnready: true });
const config = (number: number): ContainerDigest => ({ ...pod(number), isConfig: true });
const index = { manifests: { app: [digest(2), digest(8), digest(9)] } };

interface Row {
  readonly when: string;
  readonly digests?: DigestWorkloadParts["digests"];
  readonly running: readonly ContainerDigest[];
  readonly deployed: Digests;
  readonly ran: Digests;
  readonly version: string;
}

test.for<Row>([
  {
    when: "the pods run the digest of the tag",
    running: [pod(2), pod(2)],
    deployed: { app: digest(2) },
    ran: { app: digest(2) },
    version: `prod@${digest(2)}`,
  },
  {
    when: "a manifest of its index",
    digests: index,
    running: [pod(8), pod(8)],
    deployed: { app: digest(2) },
    ran: { app: digest(8) },
    version: `prod@${digest(8)}`,
  },
  {
    when: "manifests of several platforms, none of which is known to run anywhere",
    digests: { ...index, ran: { app: digest(1) } },
    running: [pod(8), pod(9)],
    deployed: { app: digest(2) },
    ran: { app: digest(1) },
    version: `prod@${digest(2)}`,
  },
  {
    when: "the tag moved before they pulled it",
    digests: index,
    running: [pod(3), pod(3)],
    deployed: { app: digest(3) },
    ran: { app: digest(3) },
    version: `prod@${digest(3)}`,
  },
  {
    when: "the manifests of the index are not known",
    running: [pod(8)],
    deployed: { app: digest(8) },
    ran: { app: digest(8) },
    version: `prod@${digest(8)}`,
  },
  {
    when: "the tag moved while they pulled it: the next poll restarts those of the first digest",
    digests: index,
    running: [pod(2), pod(3)],
    deployed: { app: digest(2) },
    ran: { app: digest(2) },
    version: `prod@${digest(2)}`,
  },
  {
    when: "a frozen pod keeps the digest before",
    digests: index,
    running: [pod(1), pod(3)],
    deployed: { app: digest(3) },
    ran: { app: digest(3) },
    version: `prod@${digest(3)}`,
  },
  {
    when: "a pod of another digest is not ready",
    running: [pod(2), unready(3)],
    deployed: { app: digest(2) },
    ran: { app: digest(2) },
    version: `prod@${digest(2)}`,
  },
  {
    when: "the runtime reports the digest of the configuration",
    running: [config(5)],
    deployed: { app: digest(2) },
    ran: { app: digest(2) },
    version: `prod@${digest(2)}`,
  },
  {
    when: "no pod reports anything",
    digests: { ran: { app: digest(1) } },
    running: [],
    deployed: { app: digest(2) },
    ran: { app: digest(1) },
    version: `prod@${digest(2)}`,
  },
  {
    when: "a container that is not tracked runs something else",
    running: [pod(2), pod(7, "proxy")],
    deployed: { app: digest(2) },
    ran: { app: digest(2) },
    version: `prod@${digest(2)}`,
  },
  {
    when: "a rollback has pinned the container",
    digests: { pinned: { app: digest(3) } },
    running: [pod(3)],
    deployed: { app: digest(2) },
    ran: { app: digest(3) },
    version: `prod@${digest(3)}`,
  },
])("a success records what ran: $when", ({ digests = {}, running, deployed, ran, version }) => {
  const workload = restartingWorkload({ digests });
  const change = recordSuccess(workload, restartInFlight, after(1), null, running);
  expect(change).toMatchObject({ digests: { deployed, ran, manifests: {} }, inFlight: null });
  expect(change.digests?.ran).toEqual(ran);
  expect(change.updateRecord?.versionHistory).toMatchObject([{ version, status: "Healthy", kind: "digest" }]);
  expect(change.conditions?.[0]?.message).toBe(`Running ${version}`);
});

describe("recordRan", () => {
  test("records nothing of a workload that is not tracked by digest, or of an update without one", () => {
    const untracked = updatingWorkload();
    expect(recordRan(untracked, { ...inFlight, digests: { app: digest(2) } }, [pod(2)]).digests).toEqual({});
    expect(recordRan(tagAndDigestWorkload(), inFlight, [pod(2)]).digests).toEqual({});
  });

  test("keeps the target of an update by tag, and drops what ran of another tag", () => {
    const claim = { ...inFlight, digests: { app: digest(2), side: digest(5) } };
    const workload = tagAndDigestWorkload({ inFlight: claim, digests: { ran: { app: digest(1), side: digest(4) } } });
    expect(recordRan(workload, claim, [pod(3)])).toEqual({
      digests: {
        digests: { deployed: { app: digest(3), side: digest(5) }, ran: { app: digest(3) }, manifests: {} },
      },
      target: inFlight.target,
    });
  });

  test("keeps the target of a container that is no longer tracked", () => {
    const workload = restartingWorkload({ digests: { containers: [] } });
    expect(recordRan(workload, restartInFlight, [pod(3)]).target).toEqual(restartTarget);
  });
});

test.for<{ when: string; parts: DigestWorkloadParts; running: readonly ContainerDigest[]; ran: Digests }>([
  { when: "ready pods report one", parts: {}, running: [pod(1)], ran: { app: digest(1) } },
  { when: "they report another than is recorded", parts: {}, running: [pod(6)], ran: { app: digest(6) } },
  {
    when: "somebody recorded one that no pod runs",
    parts: { digests: { deployed: { app: digest(66) } } },
    running: [pod(1)],
    ran: { app: digest(1) },
  },
  {
    when: "no pod is ready",
    parts: { digests: { ran: { app: digest(7) } } },
    running: [unready(1)],
    ran: { app: digest(7) },
  },
  { when: "no pod is ready, at first", parts: {}, running: [unready(1)], ran: {} },
  {
    when: "what they report has failed",
    parts: { digests: { ran: { app: digest(7) } }, updateRecord: { failedVersions: [`prod@${digest(1)}`] } },
    running: [pod(1)],
    ran: { app: digest(7) },
  },
  {
    when: "the runtime reports the digest of the configuration",
    parts: {},
    running: [config(5)],
    ran: { app: digest(1) },
  },
  { when: "a container is no longer tracked", parts: {}, running: [pod(4, "side")], ran: {} },
])("ranBefore when $when", ({ parts, running, ran }) => {
  expect(ranBefore(digestWorkload(parts), running)).toEqual(ran);
});

test("nothing ran before of a workload that is not tracked by digest", () => {
  expect(ranBefore(updatingWorkload(), [pod(1)])).toEqual({});
});

describe("recordStart", () => {
  const start = { target: restartTarget, digests: { app: digest(2) } };

  test("records what ready pods run before a restart, and the manifests of the new index", () => {
    const observed = { running: [pod(1)], ...index };
    expect(recordStart(digestWorkload(), { ...start, observed }, "e-1", noon).digests).toEqual({
      deployed: { app: digest(2) },
      previous: [{ app: digest(1) }],
      reverted: null,
      ran: { app: digest(1) },
      ...index,
    });
  });

  test("keeps what ran before an update by tag: its success records what runs then", () => {
    const change = recordStart(tagAndDigestWorkload(), { ...start, target: updateTarget }, "e-1", noon);
    expect(change).toMatchObject({ image: target, digests: { manifests: {} } });
    expect(change.digests).not.toHaveProperty("ran");
  });
});

test.for<{ when: string; ran: Digests; pins: Digests }>([
  { when: "it is that of ready pods", ran: { app: digest(1) }, pins: { app: digest(1) } },
  { when: "it is another one than was recorded", ran: { app: digest(6) }, pins: { app: digest(6) } },
  { when: "no pod was ready", ran: {}, pins: {} },
  { when: "it is the same again", ran: { app: digest(2) }, pins: {} },
])("a rollback pins what ran before, and no invented digest: $when", ({ ran, pins }) => {
  const invented = digest(66);
  const workload = restartingWorkload({
    digests: { ran, previous: [{ app: invented }] },
    updateRecord: { versionHistory: [{ version: `prod@${invented}`, appliedAt: noon, status: "Healthy" }] },
  });
  expect(rollbackPins(workload)).toEqual(pins);
});
