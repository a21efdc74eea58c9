import { expect } from "vitest";
import type { NodeWrite } from "../../../functions/ports/node-pools.ts";
import { imageA, imageB, type Metadata } from "./fixtures.ts";

type WhenGone = "done" | "Conflict";

interface NodeCase {
  readonly step: NodeWrite;
  readonly what: string;
  readonly from: Metadata;
  readonly spec?: object;
  readonly written: (pool: string) => object;
  readonly whenGone: WhenGone;
}

const mark = "pawl.dev/cordoned-for";
const others = { labels: { "example.com/pool": "workers" }, annotations: { "example.com/other": "hand" } };
const marked = { ...others, annotations: { ...others.annotations, [mark]: "workers" } };
const cordoned = { unschedulable: true };

export const nodeWrites: readonly NodeCase[] = [
  {
    step: { kind: "label" },
    what: "the label, beside those of others",
    from: others,
    written: () => ({ metadata: { labels: { "example.com/pool": "workers", "bootc.dev/managed": "" } } }),
    whenGone: "Conflict",
  },
  {
    step: { kind: "unlabel" },
    what: "the label, and no other, is gone",
    from: { ...others, labels: { ...others.labels, "bootc.dev/managed": "" } },
    written: () => ({ metadata: { labels: expect.not.objectContaining({ "bootc.dev/managed": "" }) } }),
    whenGone: "done",
  },
  {
    step: { kind: "cordon" },
    what: "the cordon with its mark",
    from: others,
    written: (pool) => ({ metadata: { annotations: { [mark]: pool } }, spec: cordoned }),
    whenGone: "Conflict",
  },
  {
    step: { kind: "uncordon" },
    what: "the cordon is gone with its mark",
    from: marked,
    spec: cordoned,
    written: () => ({
      metadata: { annotations: expect.not.objectContaining({ [mark]: "workers" }) },
      spec: expect.not.objectContaining(cordoned),
    }),
    whenGone: "done",
  },
  {
    step: { kind: "leave-cordoned" },
    what: "the mark is gone, and the cordon stays",
    from: marked,
    spec: cordoned,
    written: () => ({
      metadata: { annotations: expect.not.objectContaining({ [mark]: "workers" }) },
      spec: cordoned,
    }),
    whenGone: "done",
  },
];

interface BootcNodeCase {
  readonly step: NodeWrite;
  readonly what: string;
  readonly from: { readonly spec?: object; readonly metadata?: Metadata };
  readonly written: { readonly spec: object; readonly annotations: object };
  readonly whenGone: WhenGone;
}

const noon = "2026-11-20T12:00:00Z";
const before = "2026-11-20T11:00:00Z";
const other = { "example.com/other": "hand" };
const asked = { "pawl.dev/image-asked": before };
const slot = {
  "bootc.dev/in-reboot-slot": "true",
  "bootc.dev/was-cordoned": "false",
  "pawl.dev/slot-taken": before,
  "pawl.dev/slot-node": "node-uid",
};
const approved = { ...slot, "pawl.dev/reboot-approved": before };
const staged = { desiredImage: imageA, desiredImageState: "Staged" };
const booted = { desiredImage: imageA, desiredImageState: "Booted" };
const secret = { pullSecretRef: { name: "pull", namespace: "shop" }, pullSecretHash: "sha256:1" };
const at = (annotations: Readonly<Record<string, string>>, spec: object = staged) => ({
  spec,
  metadata: { annotations: { ...other, ...asked, ...annotations } },
});
const then = (annotations: Readonly<Record<string, string>>, spec: object = staged) => ({
  spec,
  annotations: { ...other, ...asked, ...annotations },
});

export const bootcNodeWrites: readonly BootcNodeCase[] = [
  {
    step: { kind: "ask", asks: { image: imageB, ...secret }, isNewImage: true, state: "Staged" },
    what: "a new image is asked for from now, and is not approved",
    from: at(approved, booted),
    written: then(
      { ...slot, "pawl.dev/image-asked": noon },
      { desiredImage: imageB, desiredImageState: "Staged", ...secret },
    ),
    whenGone: "Conflict",
  },
  {
    step: { kind: "ask", asks: { image: imageA, ...secret }, isNewImage: false, state: "Booted" },
    what: "a new secret leaves the approval",
    from: at(approved, booted),
    written: then(approved, { ...booted, ...secret }),
    whenGone: "Conflict",
  },
  {
    step: { kind: "revoke" },
    what: "the approval is gone, and the slot stays",
    from: at(approved, booted),
    written: then(slot),
    whenGone: "Conflict",
  },
  {
    step: { kind: "take-slot", wasCordoned: true, nodeUid: "another" },
    what: "all of the slot, and nothing of one before",
    from: at({ ...approved, "pawl.dev/drain-started": before }),
    written: then({
      ...slot,
      "bootc.dev/was-cordoned": "true",
      "pawl.dev/slot-taken": noon,
      "pawl.dev/slot-node": "another",
    }),
    whenGone: "Conflict",
  },
  {
    step: { kind: "remember-cordon", wasCordoned: true },
    what: "only that",
    from: at(slot),
    written: then({ ...slot, "bootc.dev/was-cordoned": "true" }),
    whenGone: "Conflict",
  },
  {
    step: { kind: "restart-drain", reason: "1 left after 60 s" },
    what: "the drain begins now",
    from: at({ ...slot, "pawl.dev/drain-started": before }),
    written: then({ ...slot, "pawl.dev/drain-started": noon }),
    whenGone: "Conflict",
  },
  {
    step: { kind: "approve" },
    what: "the leave to reboot, and when it was given",
    from: at(slot),
    written: then({ ...slot, "pawl.dev/reboot-approved": noon }, booted),
    whenGone: "Conflict",
  },
  {
    step: { kind: "free-slot" },
    what: "nothing of the slot is left",
    from: at({ ...approved, "pawl.dev/drain-started": before }, booted),
    written: then({}, booted),
    whenGone: "done",
  },
];
