import { describe, expect, test } from "vitest";
import { refusals } from "./admission.ts";
import { changed, deployment, type Sample } from "./admission-samples.ts";

const ofDeployment = { apiVersion: "apps/v1", kind: "Deployment", name: "app", uid: "u-1" };
const ofCanary = { apiVersion: "pawl.dev/v1alpha1", kind: "StatefulCanary", name: "db", uid: "u-2" };

function named(name: string, owners: readonly object[] | undefined): object {
  return { metadata: { name, ...(owners === undefined ? {} : { ownerReferences: owners }) }, spec: {} };
}

describe("Pawl creates and deletes", () => {
  test.for([
    { what: "a Deployment's canary", of: "deployments", name: "app-canary", owners: [ofDeployment], may: "both" },
    { what: "one of another's name", of: "deployments", name: "other-canary", owners: [ofDeployment], may: "none" },
    { what: "one of any name", of: "deployments", name: "app", owners: [ofDeployment], may: "none" },
    { what: "one that nobody owns", of: "deployments", name: "app-canary", owners: undefined, may: "none" },
    { what: "a canary set", of: "statefulsets", name: "db-canary", owners: [ofCanary], may: "both" },
    { what: "a stable set", of: "statefulsets", name: "db-stable", owners: [ofCanary], may: "create" },
    { what: "another set of its", of: "statefulsets", name: "db-other", owners: [ofCanary], may: "none" },
    { what: "a set of a Deployment's", of: "statefulsets", name: "app-canary", owners: [ofDeployment], may: "none" },
    { what: "a set that nobody owns", of: "statefulsets", name: "db-canary", owners: undefined, may: "none" },
  ])("$what: $may", ({ of, name, owners, may }) => {
    const resource = `${of}.apps`;
    const it = named(name, owners);
    const ask = (group: string) => [
      refusals({ operation: "CREATE", resource, groups: [group], oldObject: null, object: it }).length,
      refusals({ operation: "DELETE", resource, groups: [group], oldObject: it, object: null }).length,
    ];
    expect(ask("pawl:updaters")).toEqual({ both: [0, 0], create: [0, 1], none: [1, 1] }[may]);
    expect(ask("shop:owners")).toEqual([0, 0]);
  });
});

describe("the partition", () => {
  const strategy = { type: "RollingUpdate", rollingUpdate: { partition: 0, maxUnavailable: 1 } };
  const set = changed(deployment, ({ spec }) => void (spec["updateStrategy"] = strategy));
  const by = (group: string, resource: string, updateStrategy: object | undefined) =>
    refusals({
      operation: "UPDATE",
      resource,
      groups: [group],
      oldObject: set,
      object: changed(set, ({ spec }) => void (spec["updateStrategy"] = updateStrategy)),
    });
  const parted = { ...strategy, rollingUpdate: { partition: 2, maxUnavailable: 1 } };

  test("of a StatefulSet is an updater's to change, and nobody else's", () => {
    expect(by("pawl:updaters", "statefulsets.apps", parted)).toEqual([]);
    for (const group of ["pawl:recorders", "pawl:analysts", "pawl:pollers"]) {
      expect(by(group, "statefulsets.apps", parted)).toEqual(["only pawl:updaters may change a spec"]);
    }
    expect(by("pawl:updaters", "daemonsets.apps", parted)).toHaveLength(1);
  });

  test.for([
    { what: "the type", strategy: { ...parted, type: "OnDelete" } },
    { what: "another number", strategy: { ...strategy, rollingUpdate: { partition: 2, maxUnavailable: 9 } } },
    { what: "a number taken away", strategy: { ...strategy, rollingUpdate: { partition: 2 } } },
    { what: "a field added", strategy: { ...parted, x: 1 } },
  ])("leaves $what alone", ({ strategy: written }) => {
    expect(by("pawl:updaters", "statefulsets.apps", written)).toEqual([expect.stringContaining("but its partition")]);
  });
});

describe("a set of a StatefulCanary", () => {
  const set = changed(deployment, ({ metadata }) => void (metadata["ownerReferences"] = [ofCanary]));
  const scaled = changed(set, scale);
  const ask = (group: string, resource: string) =>
    refusals({ operation: "UPDATE", resource, groups: [group], oldObject: set, object: scaled });

  test("is an updater's, template and replicas", () => {
    expect(ask("pawl:updaters", "statefulsets.apps")).toEqual([]);
    expect(ask("pawl:analysts", "statefulsets.apps")).toEqual(["only pawl:updaters may change a spec"]);
    expect(ask("pawl:updaters", "deployments.apps")).not.toEqual([]);
  });
});

describe("a StatefulCanary", () => {
  const before = named("db", undefined);
  const after = (finalizers: readonly string[]) => ({ ...before, metadata: { name: "db", finalizers } });
  const ask = (object: object, oldObject: object) =>
    refusals({
      operation: "UPDATE",
      resource: "statefulcanaries.pawl.dev",
      groups: ["pawl:updaters"],
      oldObject,
      object,
    });

  test("is held by Pawl's own finalizer, and no other is touched", () => {
    const own = after(["pawl.dev/stateful-canary"]);
    expect([ask(own, before), ask(before, own)]).toEqual([[], []]);
    expect(ask(after(["a/b"]), before)).toEqual(["Pawl may change no finalizer but its own"]);
    expect(ask(own, after(["a/b", "pawl.dev/stateful-canary"]))).toHaveLength(1);
  });

  test("keeps its spec", () => {
    expect(ask({ ...before, spec: { canaryImage: "x" } }, before)).toHaveLength(1);
  });
});

function scale({ spec }: Sample): void {
  spec["replicas"] = 5;
  spec.template.metadata["labels"] = { role: "canary" };
}
