import { describe, expect, test } from "vitest";
import { bootcNodeAnnotations } from "../../../functions/domain/node-pool/pool/annotations.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { anything, type Groups, updateDenial } from "./admission.ts";
import { testDeniedChanges } from "./cases.ts";
import { bootcNode, bootedImage, type PoolSample } from "./pool-samples.ts";
import { changed } from "./samples.ts";

type Edit = (copy: PoolSample) => void;

const resource = "bootcnodes.node.bootc.dev";
const groups = ["pawl:node-updaters", "pawl:drainers", "pawl:node-agents"] as const;
const otherGroups = ["pawl:pollers", "pawl:recorders", "pawl:updaters"] as const;

function update(group: Groups, edit: Edit, oldObject = bootcNode): Promise<string | null> {
  return updateDenial(resource, group, oldObject, changed(oldObject, edit));
}

const annotate =
  (key: string): Edit =>
  ({ metadata }) =>
    void (metadata.annotations = { ...metadata.annotations, [key]: "new" });
const setSpec =
  (spec: object): Edit =>
  (it) =>
    void Object.assign(it.spec, spec);
const approve = setSpec({ desiredImageState: "Booted" });

describeOnRealCluster("the policy pawl-bootc-nodes", () => {
  describe("of the annotation", () => {
    const { command, drainStartedAt, drainBlockedBy, drainGivenBack, approvedAt, readyDaemonSets } =
      bootcNodeAnnotations;
    const writers = (key: string): readonly string[] => {
      if (key === command) return ["pawl:node-agents"];
      return [drainStartedAt, drainBlockedBy, drainGivenBack, approvedAt, readyDaemonSets].some((one) => one === key)
        ? ["pawl:node-updaters", "pawl:drainers"]
        : ["pawl:node-updaters"];
    };

    test.for(Object.values(bootcNodeAnnotations))("%s lets only its own groups change it", async (key) => {
      for (const group of writers(key)) {
        expect(await update(group, annotate(key))).toBeNull();
        const before = changed(bootcNode, annotate(key));
        expect(await update(group, ({ metadata }) => void delete metadata.annotations?.[key], before)).toBeNull();
      }
      for (const group of [...groups, ...otherGroups].filter((one) => !writers(key).includes(one)))
        expect(await update([group, anything], annotate(key))).toBe(
          `pawl-bootc-nodes: change of ${key} denied; each group may change only its own annotations`,
        );
    });

    test.for(["team.example/owner", "pawl.dev/execution", "xpawl.dev/emitted-events"])(
      "%s lets no group of Pawl change it",
      async (key) => {
        for (const group of groups) expect(await update(group, annotate(key))).toContain(`change of ${key} denied`);
        expect(await update(["shop:owners", anything], annotate(key))).toBeNull();
      },
    );
  });

  describe("of the approval of a reboot", () => {
    const withoutSlot = changed(
      bootcNode,
      ({ metadata }) => void delete metadata.annotations?.["bootc.dev/in-reboot-slot"],
    );
    const approved = changed(bootcNode, approve);
    const denied =
      "pawl-bootc-nodes: reboot approval denied; only the group pawl:drainers may approve a reboot, and only of a node with a reboot slot";

    test("allows it to drainers, for a node with a slot", async () => {
      expect(await update("pawl:drainers", approve)).toBeNull();
      expect(await update("pawl:drainers", approve, withoutSlot)).toBe(denied);
    });

    test("denies it to other groups", async () => {
      expect(await update("pawl:node-updaters", approve)).toBe(denied);
      for (const group of ["pawl:node-agents", ...otherGroups])
        expect(await update([group, anything], approve)).toMatch(/^pawl-bootc-nodes: /);
    });

    test("denies it together with another image", async () => {
      const both = setSpec({ desiredImage: bootedImage, desiredImageState: "Booted" });
      expect(await update("pawl:drainers", both)).toContain("pawl-bootc-nodes: spec change denied");
      const sameImage =
        "pawl-bootc-nodes: desiredImage change denied; only a node without an approved reboot may get another image";
      const otherImage = setSpec({ desiredImage: bootedImage });
      expect(await update("pawl:node-updaters", otherImage, approved)).toBe(sameImage);
      expect(await update(["pawl:node-updaters", "pawl:drainers"], both)).toBe(sameImage);
    });

    test("lets it be revoked, with or without another image", async () => {
      const revoke = { desiredImageState: "Staged" };
      for (const spec of [revoke, { ...revoke, desiredImage: bootedImage }, { pullSecretHash: "sha256:1" }])
        expect(await update("pawl:node-updaters", setSpec(spec), approved)).toBeNull();
    });
  });

  const secret = { pullSecretRef: { name: "a", namespace: "b" }, pullSecretHash: "sha256:1" };

  test("lets only updaters change image and pull secret", async () => {
    for (const edit of [setSpec({ desiredImage: bootedImage }), setSpec(secret)]) {
      expect(await update("pawl:node-updaters", edit)).toBeNull();
      for (const group of ["pawl:drainers", "pawl:node-agents", ...otherGroups])
        expect(await update([group, anything], edit)).toBe(
          "pawl-bootc-nodes: spec change denied; each group may change only its own fields",
        );
    }
  });

  const message = "pawl-bootc-nodes: metadata change denied; only annotations may change";

  testDeniedChanges({ resource, sample: bootcNode, groups }, [
    { change: "labels", message, edit: (it) => void (it.metadata.labels = { a: "b" }) },
    { change: "finalizers", message, edit: (it) => void (it.metadata.finalizers = ["a.example/b"]) },
    { change: "ownerReferences", message, edit: (it) => void (it.metadata["ownerReferences"] = []) },
  ]);

  test("lets a user in all groups change the fields of each", async () => {
    for (const edit of [approve, setSpec({ desiredImage: bootedImage }), annotate(bootcNodeAnnotations.command)])
      expect(await update(groups, edit)).toBeNull();
  });
});
