import { expect, test } from "vitest";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { anything, createDenial, deleteDenial, updateDenial } from "./admission.ts";
import { changed } from "./samples.ts";

interface Sample {
  apiVersion: string;
  kind: string;
  metadata: {
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    ownerReferences?: Record<string, unknown>[];
    [field: string]: unknown;
  };
  spec: Record<string, unknown>;
  status?: Record<string, unknown>;
}
type Edit = (autoUpdate: Sample) => void;

const resource = "autoupdates.pawl.dev";
const targetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };

/** As Pawl creates it. */
const managed: Sample = {
  apiVersion: "pawl.dev/v1alpha1",
  kind: "AutoUpdate",
  metadata: {
    name: "deployment-web",
    labels: { "app.kubernetes.io/managed-by": "pawl" },
    ownerReferences: [{ ...targetRef, uid: "u-1", blockOwnerDeletion: false }],
  },
  spec: { targetRef },
};
const owned = changed(managed, ({ spec }) => void (spec["policy"] = {}));
const unlabelled = changed(managed, ({ metadata }) => void delete metadata.labels);
const request: Edit = ({ metadata }) => void (metadata.annotations = { "pawl.dev/request": "push 9.9.9 token" });

describeOnRealCluster("the policy pawl-auto-updates", () => {
  test("lets recorders create one of a workload, and delete it", async () => {
    expect(await createDenial(resource, "pawl:recorders", managed)).toBeNull();
    expect(await deleteDenial(resource, "pawl:recorders", managed)).toBeNull();
    const used = changed(managed, (it) => {
      request(it);
      it.spec["suspend"] = true;
    });
    expect(await deleteDenial(resource, "pawl:recorders", used)).toBeNull();
  });

  test.for<{ object: string; edit: Edit; message: string }>([
    { object: "spec.policy", edit: ({ spec }) => void (spec["policy"] = {}), message: "without spec.policy" },
    { object: "spec.suspend", edit: ({ spec }) => void (spec["suspend"] = false), message: "only targetRef" },
    { object: "a request", edit: request, message: "no annotations" },
    {
      object: "no label",
      edit: ({ metadata }) => void delete metadata.labels,
      message: "app.kubernetes.io/managed-by",
    },
    {
      object: "another manager",
      edit: ({ metadata }) => void (metadata.labels = { "app.kubernetes.io/managed-by": "helm" }),
      message: "app.kubernetes.io/managed-by",
    },
    { object: "no owner", edit: ({ metadata }) => void delete metadata.ownerReferences, message: "one owner" },
    {
      object: "a second owner",
      edit: ({ metadata }) => void metadata.ownerReferences?.push({ ...targetRef, uid: "u-2" }),
      message: "one owner",
    },
    ...["apiVersion", "kind", "name"].map((field) => ({
      object: `an owner with another ${field} than the target`,
      edit: ({ metadata }: Sample) => void Object.assign(metadata.ownerReferences?.[0] ?? {}, { [field]: "other" }),
      message: "one owner",
    })),
  ])("lets nobody create one with $object", async ({ edit, message }) => {
    const object = changed(managed, edit);
    expect(await createDenial(resource, "pawl:recorders", object)).toContain(message);
    expect(await createDenial(resource, ["shop:owners", anything], object)).toBeNull();
  });

  test("lets nobody delete one that a person owns", async () => {
    for (const object of [owned, unlabelled])
      expect(await deleteDenial(resource, "pawl:recorders", object)).toContain(
        "pawl-auto-updates: creation or deletion denied",
      );
    expect(await deleteDenial(resource, ["shop:owners", anything], owned)).toBeNull();
  });

  test.for<{ field: string; edit: Edit }>([
    { field: "nothing", edit: () => {} },
    { field: "spec.policy", edit: ({ spec }) => void (spec["policy"] = { versionConstraint: "*" }) },
    { field: "spec.suspend", edit: ({ spec }) => void (spec["suspend"] = false) },
    { field: "a request", edit: request },
    { field: "a label", edit: ({ metadata }) => void (metadata.labels = {}) },
  ])("lets nobody change $field", async ({ edit }) => {
    const object = changed(owned, edit);
    for (const group of ["pawl:pollers", "pawl:recorders", "pawl:analysts", "pawl:updaters"])
      expect(await updateDenial(resource, [group, anything], owned, object)).toBe(
        "pawl-auto-updates: change denied; only the status of an AutoUpdate may change, and the target may become its owner again",
      );
    expect(await updateDenial(resource, ["shop:owners", anything], owned, object)).toBeNull();
  });

  const restored = changed(managed, ({ metadata }) => void delete metadata.ownerReferences);
  const owner = { ...targetRef, uid: "u-1", blockOwnerDeletion: false };

  test.for<{ when: string; before?: Sample; edit?: Edit; isAllowed: boolean }>([
    { when: "nothing else changes", isAllowed: true },
    { when: "it has an owner", before: managed, isAllowed: false },
    { when: "a person owns it", before: changed(restored, ({ spec }) => void (spec["policy"] = {})), isAllowed: false },
    { when: "its policy is written too", edit: ({ spec }) => void (spec["policy"] = {}), isAllowed: false },
    { when: "it is suspended too", edit: ({ spec }) => void (spec["suspend"] = true), isAllowed: false },
    { when: "a request is added too", edit: request, isAllowed: false },
    {
      when: "a label is added too",
      edit: ({ metadata }) => void Object.assign(metadata.labels ?? {}, { a: "b" }),
      isAllowed: false,
    },
    {
      when: "another object owns it too",
      edit: ({ metadata }) => void metadata.ownerReferences?.push({ ...owner, uid: "u-2" }),
      isAllowed: false,
    },
    {
      when: "the owner is another object",
      edit: ({ metadata }) => void Object.assign(metadata.ownerReferences?.[0] ?? {}, { name: "other" }),
      isAllowed: false,
    },
  ])(
    "lets recorders make the target its owner, if $when: $isAllowed",
    async ({ before = restored, edit, isAllowed }) => {
      const after = changed(before, (it) => {
        it.metadata.ownerReferences = [{ ...owner }];
        edit?.(it);
      });
      const denial = await updateDenial(resource, ["pawl:recorders", anything], before, after);
      expect(denial === null).toBe(isAllowed);
    },
  );

  test.for(["pawl:recorders", "pawl:analysts", "pawl:updaters", "pawl:evictors"])(
    "lets %s change the status",
    async (group) => {
      const object = changed(owned, (it) => void (it.status = { availableVersion: "1.1.0" }));
      expect(await updateDenial("autoupdates/status.pawl.dev", group, owned, object)).toBeNull();
    },
  );
});
