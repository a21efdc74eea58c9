import { describe, expect, test } from "vitest";
import { createDenials, deleteDenials, updateDenials } from "./admission.ts";
import { changed } from "./admission-samples.ts";

interface Sample {
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
  metadata: {
    name: "deployment-web",
    namespace: "shop",
    labels: { "app.kubernetes.io/managed-by": "pawl" },
    ownerReferences: [{ ...targetRef, uid: "u-1", blockOwnerDeletion: false }],
  },
  spec: { targetRef },
};
const owned = changed(managed, ({ spec }) => void (spec["policy"] = {}));
const unlabelled = changed(managed, ({ metadata }) => void delete metadata.labels);
const request: Edit = ({ metadata }) => void (metadata.annotations = { "pawl.dev/request": "push 9.9.9 token" });

describe("Pawl", () => {
  test("may create an AutoUpdate of a workload, and delete it", () => {
    expect(createDenials(resource, "pawl:recorders", managed)).toEqual([]);
    expect(deleteDenials(resource, "pawl:recorders", managed)).toEqual([]);
    const used = changed(managed, (it) => {
      request(it);
      it.spec["suspend"] = true;
      it.status = { currentVersion: "1.0.0" };
    });
    expect(deleteDenials(resource, "pawl:recorders", used)).toEqual([]);
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
  ])("may not create one with $object", ({ edit, message }) => {
    const object = changed(managed, edit);
    const denials = createDenials(resource, "pawl:recorders", object);
    expect(denials).not.toEqual([]);
    expect(denials.join("; ")).toContain(message);
    expect(createDenials(resource, "shop:owners", object)).toEqual([]);
  });

  test("may not delete one that a person owns", () => {
    for (const object of [owned, unlabelled])
      expect(deleteDenials(resource, "pawl:recorders", object)).toEqual([
        expect.stringContaining("pawl-auto-updates: creation or deletion denied"),
      ]);
    expect(deleteDenials(resource, "shop:owners", owned)).toEqual([]);
  });

  test.for<{ field: string; edit: Edit }>([
    { field: "nothing", edit: () => {} },
    { field: "spec.policy", edit: ({ spec }) => void (spec["policy"] = { versionConstraint: "*" }) },
    { field: "spec.suspend", edit: ({ spec }) => void (spec["suspend"] = false) },
    { field: "spec.targetRef", edit: ({ spec }) => void (spec["targetRef"] = { ...targetRef, name: "other" }) },
    { field: "a request", edit: request },
    { field: "a label", edit: ({ metadata }) => void (metadata.labels = {}) },
  ])("may change $field only in the status", ({ edit }) => {
    for (const group of ["pawl:pollers", "pawl:recorders", "pawl:analysts", "pawl:updaters"]) {
      expect(updateDenials(resource, group, owned, changed(owned, edit))).toEqual([
        "pawl-auto-updates: change denied; only the status of an AutoUpdate may change",
      ]);
      const object = changed(owned, (it) => void (it.status = { holdReason: "x" }));
      expect(updateDenials("autoupdates/status.pawl.dev", group, owned, object)).toEqual([]);
    }
    expect(updateDenials(resource, "shop:owners", owned, changed(owned, edit))).toEqual([]);
  });
});
