import { expect, test } from "vitest";
import { inWords } from "../../../functions/domain/node-pool/in-words.ts";
import { type Asks, type NodeStep, waitFor } from "../../../functions/domain/node-pool/step.ts";
import { digestB, imageB } from "./pools.ts";
import { web } from "./simulation/world.ts";

const asks: Asks = { image: imageB, pullSecretRef: null, pullSecretHash: null };
const pods = Array.from({ length: 5 }, (_, index) => ({ ...web, name: `web-${index}` }));

test.for<readonly [step: NodeStep, words: string]>([
  [{ kind: "create", asks }, `joins, and is asked to stage ${digestB}`],
  [{ kind: "label" }, "is labelled for its agent"],
  [{ kind: "ask", asks, isNewImage: true, state: "Staged" }, `is asked to stage ${digestB}`],
  [{ kind: "ask", asks, isNewImage: false, state: "Staged" }, "is told of its pull secret"],
  [{ kind: "revoke" }, "its reboot is called off"],
  [{ kind: "take-slot", wasCordoned: false, nodeUid: "1" }, "takes a slot"],
  [{ kind: "remember-cordon", wasCordoned: true }, "will be left cordoned, as somebody made it"],
  [{ kind: "remember-cordon", wasCordoned: false }, "will be left uncordoned, as somebody made it"],
  [{ kind: "cordon" }, "is cordoned"],
  [{ kind: "evict", pods: pods.slice(0, 1) }, "1 pod is evicted: shop/web-0"],
  [{ kind: "evict", pods }, "5 pods are evicted: shop/web-0, shop/web-1, shop/web-2 and 2 more"],
  [
    { kind: "restart-drain", reason: "2 pods are left after 60 s" },
    "its drain begins anew: 2 pods are left after 60 s",
  ],
  [{ kind: "approve" }, "is drained, and is told to reboot"],
  [{ kind: "uncordon" }, "is uncordoned"],
  [{ kind: "leave-cordoned" }, "stays cordoned, as somebody made it"],
  [{ kind: "free-slot" }, "gives its slot back"],
  [{ kind: "unlabel" }, "leaves: its label is taken away"],
  [{ kind: "delete" }, "leaves: its BootcNode is deleted"],
  [waitFor("slot", "all slots are taken"), "all slots are taken"],
  [{ kind: "none" }, "runs what it should"],
])("%o is told in words", ([step, words]) => {
  expect(inWords(step)).toBe(words);
});
