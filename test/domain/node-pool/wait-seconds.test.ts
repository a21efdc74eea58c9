import { expect, test } from "vitest";
import { type NodeStep, waitFor } from "../../../functions/domain/node-pool/step.ts";
import { waitSecondsOf } from "../../../functions/domain/node-pool/wait-seconds.ts";

const draining = waitFor("pods", "it is being drained");
const rebooting = waitFor("agent", "its agent is rebooting");
const queued = waitFor("slot", "all slots are taken");
const cordon: NodeStep = { kind: "cordon" };
const done: NodeStep = { kind: "none" };

test.for<{ when: string; steps: readonly NodeStep[]; seconds: number }>([
  { when: "nothing is left to do", steps: [], seconds: 60 },
  { when: "every node is up to date", steps: [done, done], seconds: 60 },
  { when: "a node reboots", steps: [queued, rebooting], seconds: 15 },
  { when: "a node reboots and others are up to date already", steps: [done, rebooting, queued], seconds: 15 },
  { when: "a node is drained while another reboots", steps: [rebooting, draining], seconds: 5 },
  { when: "a write came too late", steps: [draining, cordon], seconds: 2 },
])("the next look is in $seconds s where $when", ({ steps, seconds }) => {
  expect(waitSecondsOf(steps.map((step, index) => ({ name: `w${index}`, step })))).toBe(seconds);
});
