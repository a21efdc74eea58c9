import { expect, test } from "vitest";
import { decideByConfig } from "../../../../functions/domain/workload/config/decide-by-config.ts";
import { type Decision, hold } from "../../../../functions/domain/workload/decision/decision.ts";
import type { ConfigTracking, ObservedConfig } from "../../../../functions/domain/workload/config/tracking.ts";
import {
  config,
  configDigest,
  configTarget,
  configWorkload,
  observed,
} from "../../../support/workloads/config-workloads.ts";
import { completeRollout, noon, workload, type WorkloadParts, updateTarget } from "../../../support/workloads.ts";
import { problemsOf } from "../../../support/problems.ts";

const held = hold("same-config", "only its configuration is tracked");
const update = { kind: "update", target: updateTarget } as const;
const restart = {
  kind: "update",
  target: configTarget,
  digests: { "configmap/app": configDigest(2) },
} as const;

const version = `1.0.0@${configDigest(2)}`;

interface Case {
  readonly when: string;
  readonly tracking?: Partial<ConfigTracking>;
  readonly parts?: WorkloadParts;
  readonly byImage?: typeof held | typeof update;
  readonly seen?: ObservedConfig;
  readonly decision: Decision;
}

const first = { salt: null, deployed: {}, versions: {} };
const two = { "configmap/app": configDigest(1), "secret/db": configDigest(7) };

test.for<Case>([
  { when: "nothing has changed", seen: observed(1), decision: held },
  {
    when: "it is seen for the first time: the baseline",
    tracking: first,
    decision: {
      ...held,
      config: {
        salt: "5a17",
        deployed: { "configmap/app": configDigest(2) },
        versions: { "configmap/app": "2" },
      },
    },
  },
  { when: "the content has changed", decision: restart },
  {
    when: "the object has changed, its used content has not",
    seen: observed(1, { versions: { "configmap/app": "2" } }),
    decision: { ...held, config: { versions: { "configmap/app": "2" } } },
  },
  {
    when: "the pod template refers to another object, which came with new pods",
    seen: observed(1, { digests: two, versions: { "configmap/app": "1", "secret/db": "7" } }),
    decision: { ...held, config: { deployed: two, versions: { "configmap/app": "1", "secret/db": "7" } } },
  },
  {
    when: "the pod template refers to it no more",
    seen: observed(1, { digests: {}, versions: {} }),
    decision: { ...held, config: { deployed: {}, versions: {} } },
  },
  {
    when: "one has changed, another is new: only the restart records the first",
    seen: observed(2, {
      digests: { ...two, "configmap/app": configDigest(2) },
      versions: { "configmap/app": "2", "secret/db": "7" },
    }),
    decision: { ...restart, digests: { ...two, "configmap/app": configDigest(2) } },
  },
  {
    when: "a reference cannot be resolved: no restart for the others, whose change stays unrecorded",
    tracking: { deployed: two, versions: { "configmap/app": "1", "secret/db": "7" } },
    seen: observed(2, {
      digests: { ...two, "configmap/app": configDigest(2) },
      versions: { "configmap/app": "2", "secret/db": "8" },
      problems: problemsOf("secret/lost: does not exist"),
    }),
    decision: {
      kind: "problem",
      problems: problemsOf("secret/lost: does not exist"),
      held: { ...held, config: { versions: { "configmap/app": "1", "secret/db": "8" } } },
    },
  },
  {
    when: "a reference cannot be resolved, and the circuit is open for a new version, which is reported",
    byImage: hold("circuit-open", "1.1.0 is not applied"),
    seen: observed(1, { problems: problemsOf("secret/lost: does not exist") }),
    decision: {
      kind: "problem",
      problems: problemsOf("secret/lost: does not exist"),
      held: hold("circuit-open", "1.1.0 is not applied"),
    },
  },
  {
    when: "a reference cannot be resolved, and a new version is available: it does not wait",
    byImage: update,
    seen: observed(2, { problems: problemsOf("secret/lost: does not exist") }),
    decision: { ...update, digests: { "configmap/app": configDigest(2) } },
  },
  {
    when: "a new version is available too: one rollout",
    byImage: update,
    decision: { ...update, digests: { "configmap/app": configDigest(2) } },
  },
  {
    when: "a new version is available at first sight: the baseline is recorded before",
    tracking: first,
    byImage: update,
    decision: {
      ...update,
      digests: { "configmap/app": configDigest(2) },
      config: { salt: "5a17", deployed: { "configmap/app": configDigest(2) }, versions: { "configmap/app": "2" } },
    },
  },
  {
    when: "this configuration has failed before",
    parts: { updateRecord: { failedVersions: [version] } },
    decision: { ...held, reason: "newer-failed", detail: `${version} has failed before` },
  },
  {
    when: "it has failed before, and the tags are held too",
    parts: { updateRecord: { failedVersions: [version] } },
    byImage: hold("manual-change", "set manually"),
    decision: hold("manual-change", "set manually"),
  },
  {
    when: "the circuit is open",
    parts: { updateRecord: { circuitOpen: true } },
    decision: {
      ...held,
      reason: "circuit-open",
      detail: `the circuit is open: the configuration has changed (${version}) and the workload is not restarted`,
      target: configTarget,
    },
  },
  {
    when: "the circuit is open for a newer version",
    parts: { updateRecord: { circuitOpen: true } },
    byImage: hold("circuit-open", "1.1.0 is not applied"),
    decision: hold("circuit-open", "1.1.0 is not applied"),
  },
  {
    when: "the next Job of a CronJob uses it by itself",
    parts: { rollout: { ...completeRollout, podsPer: "job" } },
    decision: {
      ...held,
      config: { deployed: { "configmap/app": configDigest(2) }, versions: { "configmap/app": "2" } },
    },
  },
  {
    when: "the image is pinned by its owner",
    parts: { image: `registry.example/shop/app@sha256:${"1".repeat(64)}` },
    decision: {
      ...restart,
      target: { ...configTarget, image: "registry.example/shop/app" },
    },
  },
  {
    when: "no container is found",
    parts: { image: null },
    decision: { ...restart, target: { ...configTarget, image: "" } },
  },
])("$when", ({ tracking, parts, byImage = held, seen = observed(2), decision }) => {
  const own = configWorkload({ ...parts, config: { ...config, ...tracking } });
  expect(decideByConfig(own, byImage, seen, noon)).toEqual(decision);
});

test("one that is pending is not recorded", () => {
  const seen = observed(2, {
    digests: { ...two, "configmap/app": configDigest(2) },
    versions: { "configmap/app": "2", "secret/db": "7" },
  });
  const own = configWorkload({ updateRecord: { circuitOpen: true } });
  expect(decideByConfig(own, held, seen, noon)).toMatchObject({
    reason: "circuit-open",
    config: { deployed: two, versions: { "configmap/app": "1", "secret/db": "7" } },
  });
});

test("a new reference without a version of the changed one is recorded alone", () => {
  const own = configWorkload({ config: { ...config, versions: {} }, updateRecord: { circuitOpen: true } });
  const seen = observed(2, { versions: { "configmap/app": "2", "secret/db": "7" } });
  expect(decideByConfig(own, held, seen, noon)).toMatchObject({ config: { versions: { "secret/db": "7" } } });
});

test("a workload whose configuration is not tracked keeps its decision", () => {
  expect(decideByConfig(workload(), update, observed(2), noon)).toEqual(update);
});
