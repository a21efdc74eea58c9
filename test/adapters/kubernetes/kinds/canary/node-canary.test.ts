import { describe, expect, test } from "vitest";
import { textsOf } from "../../../../support/problems.ts";
import { readBuiltIn } from "../../reading.ts";

const onDelete = { updateStrategy: { type: "OnDelete" } };
const nodes = { desiredNumberScheduled: 3, numberReady: 3, numberAvailable: 3 };

describe("a canary of a DaemonSet is a problem before anything starts", () => {
  const noRoom = "the canary would leave no stable replica of";
  test.for([
    { when: "with OnDelete: none", spec: onDelete, policy: { canary: "1" }, problem: [] },
    {
      when: "with RollingUpdate",
      spec: { updateStrategy: { type: "RollingUpdate" } },
      policy: { canary: "10%" },
      problem: [
        "pawl.dev/canary: spec.updateStrategy.type RollingUpdate replaces all pods of a DaemonSet, and leaves none for a canary to be compared with; use OnDelete",
      ],
    },
    {
      when: "without a strategy, which is RollingUpdate",
      spec: {},
      policy: { "canary-steps": '[{"size":1}]' },
      problem: [
        expect.stringMatching(/^pawl\.dev\/canary-steps: spec\.updateStrategy\.type RollingUpdate .*; use OnDelete$/),
      ],
    },
    {
      when: "of all nodes",
      spec: onDelete,
      policy: { canary: "3" },
      problem: [`pawl.dev/canary: ${noRoom} 3; use at most 2`],
    },
    { when: "on no node", spec: onDelete, status: {}, policy: { canary: "25%" }, problem: [] },
  ])("$when", async ({ spec, status = nodes, policy, problem }) => {
    const annotations = Object.fromEntries(Object.entries(policy).map(([key, value]) => [`pawl.dev/${key}`, value]));
    expect(textsOf((await readBuiltIn("DaemonSet", { annotations, spec }, { status })).problems)).toEqual(problem);
  });
});
