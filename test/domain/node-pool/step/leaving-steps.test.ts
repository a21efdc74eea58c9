import { expect, test } from "vitest";
import { planLeavingStep } from "../../../../functions/domain/node-pool/step/node-steps.ts";
import { after } from "../../../support/workloads.ts";
import { approved, cordoned, unmanagedNode, member, rebooting, slot, slotted, staged, updated } from "../pools.ts";

const bare = { labels: {} };

test.for([
  { when: "has no slot", node: member("w", staged), step: "unlabel" },
  { when: "is unlabelled", node: member("w", staged, bare), step: "delete" },
  { when: "is being drained", node: member("w", slotted, cordoned), step: "uncordon" },
  { when: "is uncordoned during its drain", node: member("w", slotted), step: "unlabel" },
  {
    when: "is being drained, and was cordoned manually before",
    node: member("w", { slot: { ...slot, wasCordoned: true } }, { unschedulable: true, ...bare }),
    step: "delete",
  },
  { when: "has an approved reboot", node: member("w", approved, cordoned), step: "revoke" },
  { when: "is rebooting", node: member("w", rebooting, cordoned), step: "wait" },
  { when: "is rebooting, and not Ready", node: member("w", approved, { ...cordoned, ready: false }), step: "wait" },
  {
    when: "is rebooting to an image that is not requested any more",
    node: member("w", { ...slotted, idle: { activity: "Rebooting" } }, cordoned),
    step: "wait",
  },
  { when: "is not back after 15 minutes", node: member("w", rebooting, cordoned), minutes: 15, step: "revoke" },
  { when: "is not Ready, without a slot", node: member("w", staged, { ready: false }), step: "unlabel" },
  { when: "is up to date", node: member("w", { ...approved, ...updated }, cordoned), step: "uncordon" },
  {
    when: "has an approved reboot, and its Node was deleted",
    node: { ...member("w", approved), node: null },
    step: "delete",
  },
  { when: "is drained, and its Node was deleted", node: { ...member("w", slotted), node: null }, step: "delete" },
  {
    when: "was replaced by another machine of the same name",
    node: member("w", { slot: { ...slot, nodeUid: "gone" } }, { unschedulable: true, ...bare }),
    step: "delete",
  },
  { when: "has no BootcNode", node: unmanagedNode("w", cordoned), step: "uncordon" },
  {
    when: "has no BootcNode, and still its label",
    node: { ...member("w", {}, cordoned), bootcNode: null },
    step: "unlabel",
  },
])("a leaving node that $when: $step", ({ node, minutes = 0, step }) => {
  expect(planLeavingStep(node, after(minutes)).kind).toBe(step);
});
