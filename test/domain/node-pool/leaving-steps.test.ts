import { expect, test } from "vitest";
import { leavingStep } from "../../../functions/domain/node-pool/node-steps.ts";
import { approved, cordoned, fresh, member, rebooting, slot, slotted, staged, updated } from "./pools.ts";

const bare = { labels: {} };

test.for([
  { when: "does nothing yet", node: member("w", staged), step: "unlabel" },
  { when: "is unlabelled", node: member("w", staged, bare), step: "delete" },
  { when: "drains", node: member("w", slotted, cordoned), step: "uncordon" },
  { when: "was draining and is uncordoned", node: member("w", slotted), step: "unlabel" },
  {
    when: "drains, cordoned by a person before",
    node: member("w", { slot: { ...slot, wasCordoned: true } }, { unschedulable: true, ...bare }),
    step: "delete",
  },
  { when: "is told to reboot", node: member("w", approved, cordoned), step: "revoke" },
  { when: "reboots", node: member("w", rebooting, cordoned), step: "revoke" },
  { when: "is up to date", node: member("w", { ...approved, ...updated }, cordoned), step: "uncordon" },
  { when: "was told to reboot, and its Node is gone", node: { ...member("w", approved), node: null }, step: "delete" },
  { when: "drained, and its Node is gone", node: { ...member("w", slotted), node: null }, step: "delete" },
  {
    when: "has another machine by its name",
    node: member("w", { slot: { ...slot, nodeUid: "gone" } }, { unschedulable: true, ...bare }),
    step: "delete",
  },
  { when: "has no BootcNode any more", node: fresh("w", cordoned), step: "uncordon" },
  {
    when: "has no BootcNode any more, and its label",
    node: { ...member("w", {}, cordoned), bootcNode: null },
    step: "unlabel",
  },
])("a leaving node that $when: $step", ({ node, step }) => {
  expect(leavingStep(node).kind).toBe(step);
});
