import { describe, expect, test } from "vitest";
import { formatMark, isPodSuperseded } from "../../../../../functions/adapters/kubernetes/kinds/canary/node-mark.ts";
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

describe("a pod is of a canary that has ended", () => {
  test.for([
    { when: "not the canary itself", revisions: ["2.0", "1.0"], of: "2.0", is: false },
    { when: "not one of the version before", revisions: ["2.0", "1.0"], of: "1.0", is: false },
    { when: "one of the version that 2.0 superseded", revisions: ["2.0", "1.1", "1.0"], of: "1.1", is: true },
    { when: "one of the two that 2.0 superseded", revisions: ["2.0", "1.2", "1.1", "1.0"], of: "1.1", is: true },
    {
      when: "one of 1.1 after 1.0 was restored",
      mark: "1 app:1.0 app:1.1",
      revisions: ["1.0", "1.1"],
      of: "1.1",
      is: true,
    },
    {
      when: "one of 1.1 after 1.0 was restored and 2.0 was set",
      mark: "1 app:1.0 app:1.1",
      revisions: ["2.0", "1.0", "1.1"],
      of: "1.1",
      is: true,
    },
    { when: "not one that its owner has not replaced", revisions: ["2.0", "1.0", "0.9"], of: "0.9", is: false },
    { when: "none whose revision was deleted", revisions: ["2.0", "1.0"], of: "1.1", is: false },
    { when: "none if that of the version before was deleted", revisions: ["2.0", "1.1"], of: "1.1", is: false },
    {
      when: "not one that its owner has not replaced, after 1.0 was restored",
      mark: "1 app:1.0 app:1.1",
      revisions: ["1.0", "1.1", "0.9"],
      of: "0.9",
      is: false,
    },
    {
      when: "one of the two that followed 1.0, after that was restored",
      mark: "1 app:1.0 app:1.1 app:1.2",
      revisions: ["1.0", "1.2", "1.1"],
      of: "1.1",
      is: true,
    },
    { when: "none without a mark", mark: "", revisions: ["1.0", "1.1"], of: "1.1", is: false },
    { when: "none with a mark that a person wrote", mark: "1", revisions: ["1.0", "1.1"], of: "1.1", is: false },
  ])("$when", ({ mark = "1 app:1.0", revisions, of, is }) => {
    const metadata = { name: "app", namespace: "shop", uid: "u-1", resourceVersion: "1" };
    const pod = { metadata: { ...metadata, labels: { "controller-revision-hash": of } }, spec: { containers: [] } };
    const found = revisions.map((tag) => ({ hash: tag, images: ["proxy:1", `app:${tag}`] }));
    const marked = { ...metadata, annotations: { "pawl.dev/canary-partition": mark } };
    expect(isPodSuperseded(pod, marked, found)).toBe(is);
  });
});

test.for([
  { when: "the first", mark: undefined, is: "1 app:1.1 app:1.2" },
  { when: "a second one", mark: "1 app:1.0 app:1.1", is: "1 app:1.0 app:1.1 app:1.2" },
])("the mark of $when names each canary, or none", ({ mark, is }) => {
  const annotations = mark === undefined ? {} : { "pawl.dev/canary-partition": mark };
  const metadata = { name: "app", namespace: "shop", uid: "u-1", resourceVersion: "1", annotations };
  expect(formatMark(metadata, { unit: "replicas", amount: 1 }, "app:1.1", "app:1.2")).toBe(is);
});
