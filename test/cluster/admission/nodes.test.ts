import { expect, test } from "vitest";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { anything, type Groups, updateDenial } from "./admission.ts";
import { testDeniedChanges } from "./cases.ts";
import { node, owner, type PoolSample } from "./pool-samples.ts";
import { changed } from "./samples.ts";

type Edit = (copy: PoolSample) => void;

const cordonAnnotation = "pawl.dev/cordoned-by-pool";
const annotate =
  (pool: string): Edit =>
  ({ metadata }) =>
    void (metadata.annotations = { ...metadata.annotations, [cordonAnnotation]: pool });

const onlyUpdaters = "pawl-nodes: update denied; only the group pawl:node-updaters may update Nodes";
const otherGroups = [
  "pawl:pollers",
  "pawl:recorders",
  "pawl:updaters",
  "pawl:analysts",
  "pawl:drainers",
  "pawl:node-agents",
];

const cordoned = changed(node, ({ spec }) => void (spec["unschedulable"] = true));
const cordonedByPawl = changed(cordoned, annotate("workers"));
const onlyAnnotated = changed(node, annotate("workers"));

function update(before: PoolSample, after: PoolSample, groups: Groups = "pawl:node-updaters"): Promise<string | null> {
  return updateDenial("nodes", groups, before, after);
}

describeOnRealCluster("the cordon of a Node", () => {
  test.for([
    { change: "cordon and annotation added", from: node, to: cordonedByPawl },
    { change: "cordon added if the annotation is present", from: onlyAnnotated, to: cordonedByPawl },
    { change: "cordon and annotation removed", from: cordonedByPawl, to: node },
    { change: "annotation removed from a cordoned Node", from: cordonedByPawl, to: cordoned },
    { change: "annotation removed after a manual uncordon", from: onlyAnnotated, to: node },
    { change: "a manual cordon kept", from: cordoned, to: cordoned },
  ])("$change: allowed", async ({ from, to }) => {
    expect(await update(from, to)).toBeNull();
  });

  const explicit = changed(node, ({ spec }) => void (spec["unschedulable"] = false));
  const otherAnnotations = changed(
    cordonedByPawl,
    ({ metadata }) => void (metadata.annotations = { [cordonAnnotation]: "infra" }),
  );
  const otherPool = changed(cordonedByPawl, annotate("infra"));
  const uncordon =
    "pawl-nodes: uncordon denied; only a Node with the annotation pawl.dev/cordoned-by-pool may be uncordoned, and the write must remove it";
  const cordon = "pawl-nodes: cordon denied; only a Node with the annotation pawl.dev/cordoned-by-pool may be cordoned";
  const annotation =
    "pawl-nodes: change of pawl.dev/cordoned-by-pool denied; only the write that cordons a Node may set it";

  test.for([
    { change: "a manual cordon removed", from: cordoned, to: node, message: uncordon },
    { change: "a manual cordon set to false", from: cordoned, to: explicit, message: uncordon },
    { change: "annotation added to a manual cordon", from: cordoned, to: cordonedByPawl, message: annotation },
    { change: "cordon removed without the annotation", from: cordonedByPawl, to: onlyAnnotated, message: uncordon },
    { change: "cordon added without the annotation", from: node, to: cordoned, message: cordon },
    { change: "annotation added without a cordon", from: node, to: onlyAnnotated, message: annotation },
    { change: "annotation with another pool", from: cordonedByPawl, to: otherPool, message: annotation },
    {
      change: "other annotations removed",
      from: cordonedByPawl,
      to: otherAnnotations,
      message:
        "pawl-nodes: annotation change denied; only pawl.dev/cordoned-by-pool and the protection from autoscalers may change",
    },
  ])("$change: denied", async ({ from, to, message }) => {
    expect(await update(from, to)).toBe(message);
    expect(await update(from, to, ["shop:owners", anything])).toBeNull();
  });
});

describeOnRealCluster("the protection of a Node", () => {
  const [karpenter, autoscaler] = [
    "karpenter.sh/do-not-disrupt",
    "cluster-autoscaler.kubernetes.io/scale-down-disabled",
  ];
  const mark = "pawl.dev/protected-by-pool";
  const withAnnotations = (annotations: Record<string, string>) =>
    changed(node, ({ metadata }) => void (metadata.annotations = { ...metadata.annotations, ...annotations }));
  const both = withAnnotations({
    [karpenter]: "true",
    [autoscaler]: "true",
    [mark]: `workers ${karpenter} ${autoscaler}`,
  });
  const theirs = withAnnotations({ [karpenter]: "true" });
  const one = withAnnotations({ [karpenter]: "true", [autoscaler]: "true", [mark]: `workers ${autoscaler}` });
  const overwritten = withAnnotations({ [karpenter]: "no", [mark]: `workers ${karpenter} ${autoscaler}` });

  test.for([
    { change: "both added with the mark", from: node, to: both },
    { change: "both removed with the mark", from: both, to: node },
    { change: "one added to that of others", from: theirs, to: one },
    { change: "one removed, and that of others kept", from: one, to: theirs },
    { change: "what others have overwritten kept", from: overwritten, to: withAnnotations({ [karpenter]: "no" }) },
    {
      change: "removed after others have removed one",
      from: withAnnotations({ [mark]: `workers ${karpenter}` }),
      to: node,
    },
  ])("$change: allowed", async ({ from, to }) => {
    expect(await update(from, to)).toBeNull();
  });

  const message =
    "pawl-nodes: change of the protection from autoscalers denied; it may be added and removed only together with pawl.dev/protected-by-pool, which names what was added";

  test.for([
    { change: "added without the mark", from: node, to: theirs },
    {
      change: "removed without the mark",
      from: both,
      to: withAnnotations({ [autoscaler]: "true", [mark]: "workers" }),
    },
    { change: "that of others removed", from: theirs, to: node },
    { change: "that of others removed with the mark of another", from: one, to: node },
    { change: "what others have overwritten removed", from: overwritten, to: node },
    { change: "that of others marked", from: theirs, to: both },
    { change: "another value added", from: node, to: overwritten },
    { change: "an absent one marked", from: node, to: withAnnotations({ [mark]: `workers ${karpenter}` }) },
    {
      change: "the mark of another pool",
      from: both,
      to: changed(both, ({ metadata }) => void (metadata.annotations = { ...metadata.annotations, [mark]: "infra" })),
    },
  ])("$change: denied", async ({ from, to }) => {
    expect(await update(from, to)).toBe(message);
    expect(await update(from, to, ["shop:owners", anything])).toBeNull();
  });

  test.for(otherGroups)("may not be changed by %s", async (group) => {
    expect(await update(node, both, [group, anything])).toBe(onlyUpdaters);
  });
});

describeOnRealCluster("a Node", () => {
  const label =
    (labels: Record<string, string>): Edit =>
    ({ metadata }) =>
      void (metadata.labels = { ...metadata.labels, ...labels });

  test("bootc.dev/managed may be added and removed", async () => {
    const labelled = changed(node, label({ "bootc.dev/managed": "" }));
    expect(await update(node, labelled)).toBeNull();
    expect(await update(labelled, node)).toBeNull();
  });

  const labels = "pawl-nodes: label change denied";
  const annotations = "pawl-nodes: annotation change denied";
  const metadata = "pawl-nodes: metadata change denied";
  const spec = "pawl-nodes: spec change denied";

  testDeniedChanges({ resource: "nodes", sample: node, groups: ["pawl:node-updaters"] }, [
    { change: "another label", message: labels, edit: label({ "topology.kubernetes.io/zone": "x" }) },
    { change: "the label of its role", message: labels, edit: label({ "node-role.kubernetes.io/worker": "no" }) },
    { change: "labels removed", message: labels, edit: (it) => void delete it.metadata.labels },
    {
      change: "another annotation",
      message: annotations,
      edit: (it) => void (it.metadata.annotations = { "pawl.dev/x": "" }),
    },
    { change: "annotations removed", message: annotations, edit: (it) => void delete it.metadata.annotations },
    { change: "finalizers", message: metadata, edit: (it) => void delete it.metadata.finalizers },
    { change: "ownerReferences", message: metadata, edit: (it) => void (it.metadata["ownerReferences"] = [owner]) },
    { change: "taints", message: spec, edit: (it) => void (it.spec["taints"] = []) },
    { change: "taints removed", message: spec, edit: (it) => void delete it.spec["taints"] },
  ]);

  test.for(otherGroups)("may not be cordoned by %s", async (group) => {
    expect(await update(node, cordonedByPawl, [group, anything])).toBe(onlyUpdaters);
  });
});
