import { describe, expect, test } from "vitest";
import { isSameRepository } from "../../../functions/domain/image/reference.ts";
import { updateDenials } from "./admission.ts";
import { changed, deployment, type Sample } from "./admission-samples.ts";

const ofStatefulCanary = { apiVersion: "pawl.dev/v1alpha1", kind: "StatefulCanary", name: "db", uid: "u-2" };
const onlyUpdaters =
  "pawl-images: spec change denied; only the groups pawl:updaters and pawl:restorers may change a spec";

describe("the partition of a StatefulSet", () => {
  const strategy = { type: "RollingUpdate", rollingUpdate: { partition: 0, maxUnavailable: 1 } };
  const withPartition = { ...strategy, rollingUpdate: { partition: 2, maxUnavailable: 1 } };
  const set = changed(deployment, ({ spec }) => void (spec["updateStrategy"] = strategy));
  const setStrategy = (group: string, updateStrategy: object, resource = "statefulsets.apps") =>
    updateDenials(
      resource,
      group,
      set,
      changed(set, ({ spec }) => void (spec["updateStrategy"] = updateStrategy)),
    );

  test("may be changed by updaters only", () => {
    expect(setStrategy("pawl:updaters", withPartition)).toEqual([]);
    for (const group of ["pawl:recorders", "pawl:analysts", "pawl:pollers"]) {
      expect(setStrategy(group, withPartition)).toEqual([onlyUpdaters]);
    }
    expect(setStrategy("pawl:updaters", withPartition, "daemonsets.apps")).toHaveLength(1);
  });

  test.for([
    { change: "type", updateStrategy: { ...withPartition, type: "OnDelete" } },
    { change: "maxUnavailable", updateStrategy: { ...strategy, rollingUpdate: { partition: 2, maxUnavailable: 9 } } },
    { change: "maxUnavailable removed", updateStrategy: { ...strategy, rollingUpdate: { partition: 2 } } },
    { change: "a field added", updateStrategy: { ...withPartition, x: 1 } },
  ])("may not be changed together with $change", ({ updateStrategy }) => {
    expect(setStrategy("pawl:updaters", updateStrategy)).toEqual([
      "pawl-images: updateStrategy change denied; only rollingUpdate.partition may change",
    ]);
  });
});

describe("the canary of a Deployment", () => {
  const owner = { apiVersion: "apps/v1", kind: "Deployment", name: deployment.metadata["name"], uid: "u-1" };
  const canary = changed(deployment, ({ metadata }) => {
    metadata["ownerReferences"] = [owner];
    metadata["name"] = `${String(owner.name)}-canary`;
  });
  const resize = (object: Sample) => changed(object, ({ spec }) => void (spec["replicas"] = 5));

  test("updaters may change its replicas, other groups may not", () => {
    expect(updateDenials("deployments.apps", "pawl:updaters", canary, resize(canary))).toEqual([]);
    expect(updateDenials("deployments.apps", "pawl:analysts", canary, resize(canary))).toEqual([onlyUpdaters]);
  });

  test.for([
    { what: "of another owner", edit: { ...owner, name: "other" } },
    { what: "of another kind of owner", edit: { ...owner, kind: "Gardener" } },
  ])("nobody may change the replicas of one $what", ({ edit }) => {
    const other = changed(canary, ({ metadata }) => void (metadata["ownerReferences"] = [edit]));
    expect(updateDenials("deployments.apps", "pawl:updaters", other, resize(other))).not.toEqual([]);
  });
});

describe("a StatefulSet of a StatefulCanary", () => {
  const set = changed(deployment, ({ metadata }) => void (metadata["ownerReferences"] = [ofStatefulCanary]));

  test("updaters may change its template, replicas and settings, other groups may not", () => {
    const settings = {
      minReadySeconds: 5,
      revisionHistoryLimit: 2,
      updateStrategy: { type: "RollingUpdate" },
      ordinals: {},
    };
    const scaled = changed(changed(set, scale), ({ spec }) => void Object.assign(spec, settings));
    expect(updateDenials("statefulsets.apps", "pawl:updaters", set, scaled)).toEqual([]);
    expect(updateDenials("statefulsets.apps", "pawl:analysts", set, scaled)).toEqual([onlyUpdaters]);
    expect(updateDenials("deployments.apps", "pawl:updaters", set, scaled)).not.toEqual([]);
  });

  // Scaled down after that, it would delete its volumes.
  test.for(["persistentVolumeClaimRetentionPolicy", "volumeClaimTemplates"])(
    "updaters may not change its %s",
    (field) => {
      const object = changed(set, ({ spec }) => void (spec[field] = { whenScaled: "Delete" }));
      expect(updateDenials("statefulsets.apps", "pawl:updaters", set, object)).toEqual([
        expect.stringContaining("spec change denied; only the pod template"),
      ]);
      expect(updateDenials("statefulsets.apps", "shop:owners", set, object)).toEqual([]);
    },
  );
});

test.for([
  { before: "nginx:1.0", after: "docker.io/library/nginx:1.1", isSame: true },
  { before: "index.docker.io/library/nginx", after: `library/nginx@sha256:${"0".repeat(64)}`, isSame: true },
  { before: "registry-1.docker.io/shop/app:1", after: "shop/app:2", isSame: true },
  { before: "localhost/app:1", after: "localhost:5000/app:1", isSame: false },
  { before: "localhost/app:1", after: "docker.io/localhost/app:1", isSame: false },
  { before: "docker.io/shop/app:1", after: "docker.io/library/shop/app:1", isSame: false },
  { before: "Registry/app:1", after: "docker.io/Registry/app:1", isSame: false },
  { before: "localhost:5000", after: "localhost", isSame: true },
])("$before and $after are of the same repository: $isSame", ({ before, after, isSame }) => {
  const running = (image: string) =>
    changed(deployment, ({ spec }) => spec.template.spec.containers.forEach((one) => (one.image = image)));
  const denials = updateDenials("deployments.apps", "pawl:updaters", running(before), running(after));
  expect(denials.length === 0).toBe(isSame);
  expect(isSameRepository(before, after)).toBe(isSame);
});

describe("a StatefulCanary", () => {
  const before = { metadata: { name: "db" }, spec: {} };
  const withFinalizers = (...finalizers: readonly string[]) => ({ ...before, metadata: { name: "db", finalizers } });
  const update = (oldObject: object, object: object) =>
    updateDenials("statefulcanaries.pawl.dev", "pawl:updaters", oldObject, object);

  test("gets and loses the finalizer of Pawl, and no other", () => {
    const own = withFinalizers("pawl.dev/stateful-canary");
    expect([update(before, own), update(own, before)]).toEqual([[], []]);
    expect(update(before, withFinalizers("a/b"))).toEqual([
      expect.stringMatching(/^pawl-annotations: finalizer change denied; only pawl\.dev\/stateful-canary may change/),
    ]);
    expect(update(withFinalizers("a/b", "pawl.dev/stateful-canary"), own)).toHaveLength(1);
  });

  test("its spec may not change", () => {
    expect(update(before, { ...before, spec: { canaryImage: "x" } })).toHaveLength(1);
  });
});

function scale({ spec }: Sample): void {
  spec["replicas"] = 5;
  spec.template.metadata["labels"] = { role: "canary" };
}
