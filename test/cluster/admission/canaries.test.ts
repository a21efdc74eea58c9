import { expect, test } from "vitest";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { anything, updateDenial } from "./admission.ts";
import { changed, deployment, statefulCanary, statefulSet, type Workload } from "./samples.ts";

const ofStatefulCanary = { apiVersion: "pawl.dev/v1alpha1", kind: "StatefulCanary", name: "db", uid: "u-2" };
const onlyUpdaters =
  "pawl-images: spec change denied; only the groups pawl:updaters and pawl:restorers may change a spec";
const others = ["pawl:recorders", "pawl:analysts", "pawl:pollers"];

describeOnRealCluster("the partition of a StatefulSet", () => {
  const withPartition = { type: "RollingUpdate", rollingUpdate: { partition: 2, maxUnavailable: 1 } };
  const setStrategy = (groups: string | readonly string[], updateStrategy: object) => {
    const object = changed(statefulSet, ({ spec }) => void (spec["updateStrategy"] = updateStrategy));
    return updateDenial("statefulsets.apps", groups, statefulSet, object);
  };

  test("may be changed by updaters only", async () => {
    expect(await setStrategy("pawl:updaters", withPartition)).toBeNull();
    for (const group of others) expect(await setStrategy([group, anything], withPartition)).toBe(onlyUpdaters);
  });

  test.for([
    { change: "type", updateStrategy: { type: "OnDelete" } },
    {
      change: "maxUnavailable",
      updateStrategy: { ...withPartition, rollingUpdate: { partition: 2, maxUnavailable: 9 } },
    },
  ])("may not be changed together with $change", async ({ updateStrategy }) => {
    expect(await setStrategy(["pawl:updaters", anything], updateStrategy)).toBe(
      "pawl-images: updateStrategy change denied; only rollingUpdate.partition may change",
    );
    expect(await setStrategy(["shop:owners", anything], updateStrategy)).toBeNull();
  });
});

describeOnRealCluster("a Deployment beside another", () => {
  const owner = { apiVersion: "apps/v1", kind: "Deployment", name: deployment.metadata["name"], uid: "u-1" };
  const beside = (role: string) =>
    changed(deployment, ({ metadata }) => {
      metadata["ownerReferences"] = [owner];
      metadata["name"] = `${String(owner.name)}-${role}`;
    });
  const canary = beside("canary");
  const resize = (object: Workload) => changed(object, ({ spec }) => void (spec["replicas"] = 5));

  test.for(["canary", "baseline"])("as its %s may get other replicas from updaters only", async (role) => {
    const object = beside(role);
    expect(await updateDenial("deployments.apps", "pawl:updaters", object, resize(object))).toBeNull();
    for (const group of others)
      expect(await updateDenial("deployments.apps", [group, anything], object, resize(object))).toBe(onlyUpdaters);
  });

  test.for([
    { what: "of another owner", edit: { ...owner, name: "other" } },
    { what: "of another kind of owner", edit: { ...owner, kind: "Gardener" } },
  ])("may not get other replicas if it is $what", async ({ edit }) => {
    const other = changed(canary, ({ metadata }) => void (metadata["ownerReferences"] = [edit]));
    const update = (group: string) => updateDenial("deployments.apps", [group, anything], other, resize(other));
    expect(await update("pawl:updaters")).toContain("pawl-images: spec change denied");
    expect(await update("shop:owners")).toBeNull();
  });
});

describeOnRealCluster("a StatefulSet of a StatefulCanary", () => {
  const owned = <T extends Workload>(sample: T) =>
    changed(sample, ({ metadata }) => void (metadata["ownerReferences"] = [ofStatefulCanary]));
  const set = owned(statefulSet);

  test("may get another template, replicas and settings from updaters, and from no other group", async () => {
    const settings = {
      replicas: 5,
      minReadySeconds: 5,
      revisionHistoryLimit: 2,
      updateStrategy: { type: "RollingUpdate" },
      ordinals: { start: 1 },
    };
    const scaled = changed(set, ({ spec }) => {
      Object.assign(spec, settings);
      spec.template.metadata["labels"] = { app: "app", role: "canary" };
    });
    expect(await updateDenial("statefulsets.apps", "pawl:updaters", set, scaled)).toBeNull();
    for (const group of others)
      expect(await updateDenial("statefulsets.apps", [group, anything], set, scaled)).toBe(onlyUpdaters);
  });

  test("is no StatefulSet if it is a Deployment", async () => {
    const other = owned(deployment);
    const scaled = changed(other, ({ spec }) => void (spec["replicas"] = 5));
    expect(await updateDenial("deployments.apps", ["pawl:updaters", anything], other, scaled)).toMatch(/^pawl-images/);
  });

  // Scaled down after that, it would delete its volumes.
  test("may not get another retention of its volume claims", async () => {
    const field = "persistentVolumeClaimRetentionPolicy";
    const object = changed(set, ({ spec }) => void (spec[field] = { whenScaled: "Delete" }));
    const update = (group: string) => updateDenial("statefulsets.apps", [group, anything], set, object);
    expect(await update("pawl:updaters")).toContain("spec change denied; only the pod template");
    expect(await update("shop:owners")).toBeNull();
  });
});

describeOnRealCluster("a StatefulCanary", () => {
  const withFinalizers = (...finalizers: readonly string[]) =>
    changed(statefulCanary, ({ metadata }) => void Object.assign(metadata, { finalizers }));
  const update = (groups: string | readonly string[], before: typeof statefulCanary, after: typeof statefulCanary) =>
    updateDenial("statefulcanaries.pawl.dev", groups, before, after);
  const own = withFinalizers("pawl.dev/stateful-canary");

  test("gets and loses the finalizer of Pawl", async () => {
    expect(await update("pawl:updaters", statefulCanary, own)).toBeNull();
    expect(await update("pawl:updaters", own, statefulCanary)).toBeNull();
  });

  test("gets and loses no other finalizer", async () => {
    const denied = /^pawl-annotations: finalizer change denied; only pawl\.dev\/stateful-canary may change/;
    const updaters = ["pawl:updaters", anything];
    expect(await update(updaters, statefulCanary, withFinalizers("a.example/b"))).toMatch(denied);
    expect(await update(updaters, withFinalizers("a.example/b", "pawl.dev/stateful-canary"), own)).toMatch(denied);
  });

  test("gets no other spec", async () => {
    const object = changed(statefulCanary, ({ spec }) => void (spec.canaryImage = "x"));
    for (const group of ["pawl:updaters", ...others])
      expect(await update([group, anything], statefulCanary, object)).toMatch(/^pawl-claw-spec: change denied/);
    expect(await update(["shop:owners", anything], statefulCanary, object)).toBeNull();
  });
});
