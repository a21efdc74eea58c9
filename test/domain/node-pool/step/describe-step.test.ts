import { expect, test } from "vitest";
import { describeNodeStep } from "../../../../functions/domain/node-pool/step/describe-step.ts";
import { type DesiredNode, type NodeStep, waitFor } from "../../../../functions/domain/node-pool/step/step.ts";
import { startAnalysis } from "../../../../functions/domain/analysis/measure.ts";
import { noon } from "../../../support/workloads.ts";
import { digestB, imageB } from "../pools.ts";
import { webPod } from "../simulation/world.ts";

const desired: DesiredNode = { image: imageB, pullSecretRef: null, pullSecretHash: null };
const pods = Array.from({ length: 5 }, (_, index) => ({ ...webPod, name: `web-${index}` }));

test.for<readonly [step: NodeStep, words: string]>([
  [{ kind: "create", desired }, `joins the pool and is requested to stage ${digestB}`],
  [{ kind: "label" }, "gets the label of its agent"],
  [{ kind: "request-image", desired, isNewImage: true, state: "Staged" }, `is requested to stage ${digestB}`],
  [{ kind: "request-image", desired, isNewImage: false, state: "Staged" }, "gets its pull secret"],
  [{ kind: "revoke" }, "its reboot is revoked"],
  [{ kind: "acquire-slot", wasCordoned: false, nodeUid: "1", bootId: null }, "acquires a slot"],
  [{ kind: "record-cordon", wasCordoned: true }, "will be left cordoned, because of a manual change"],
  [{ kind: "record-cordon", wasCordoned: false }, "will be left uncordoned, because of a manual change"],
  [{ kind: "record-analysis", state: startAnalysis(noon) }, "is measured"],
  [{ kind: "protect" }, "is protected from autoscalers"],
  [{ kind: "unprotect" }, "is no longer protected from autoscalers"],
  [{ kind: "cordon" }, "is cordoned"],
  [{ kind: "evict", pods: pods.slice(0, 1) }, "1 pod is evicted: shop/web-0"],
  [{ kind: "evict", pods }, "5 pods are evicted: shop/web-0, shop/web-1, shop/web-2 and 2 more"],
  [
    { kind: "restart-drain", reason: "2 pods are left after 60 s" },
    "its drain is restarted: 2 pods are left after 60 s",
  ],
  [{ kind: "approve", readyDaemonSets: [] }, "is drained, and its reboot is approved"],
  [{ kind: "uncordon" }, "is uncordoned"],
  [{ kind: "leave-cordoned" }, "stays cordoned, because of a manual change"],
  [{ kind: "record-boot" }, "runs its new image"],
  [{ kind: "record-block", reason: "shop/web" }, "its drain is blocked: shop/web"],
  [{ kind: "record-block", reason: null }, "is no longer blocked"],
  [{ kind: "release-slot", givenBack: 1 }, "gives its slot back, because its drain takes too long"],
  [{ kind: "release-slot" }, "releases its slot"],
  [{ kind: "unlabel" }, "leaves: its label is removed"],
  [{ kind: "delete" }, "leaves: its BootcNode is deleted"],
  [waitFor("slot", "all slots are in use"), "all slots are in use"],
  [{ kind: "none" }, "runs its desired image"],
])("%o is described", ([step, words]) => {
  expect(describeNodeStep(step)).toBe(words);
});
