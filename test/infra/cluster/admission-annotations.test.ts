import { describe, expect, test } from "vitest";
import {
  annotations,
  changeCauseAnnotation,
  clawAnnotations,
  imageUpdaterAnnotations,
} from "../../../functions/domain/workload/annotations.ts";
import { updateDenials } from "./admission.ts";
import { changed, claw, cronJob, deployment } from "./admission-samples.ts";

interface Sample {
  readonly metadata: { annotations?: Record<string, string> };
}

const every = [
  ...Object.values(annotations),
  ...Object.values(clawAnnotations),
  ...Object.values(imageUpdaterAnnotations),
  changeCauseAnnotation,
];
const { execution, previousImage, targetDigests, rollingBack, canaryVerdict } = annotations;
const { targetImage, updatePhase, updateStarted, canaryPartition, previousTemplate } = annotations;

const onBuiltIn = [targetImage, execution, changeCauseAnnotation, canaryPartition, previousTemplate];
const onApps = [...onBuiltIn, imageUpdaterAnnotations.lastDigest];
const claim = [execution, previousImage, targetDigests, rollingBack, canaryVerdict];
const ofClaw = [...Object.values(clawAnnotations), ...claim];
const ofStatefulCanary = [targetImage, updatePhase, updateStarted, ...claim];

const kinds: readonly {
  readonly resource: string;
  readonly sample: Sample;
  /** The annotations that a group may set, change and remove. */
  readonly rights: Readonly<Record<string, readonly string[]>>;
}[] = [
  ...["deployments.apps", "statefulsets.apps", "daemonsets.apps"].map((resource) => ({
    resource,
    sample: deployment,
    rights: { "pawl:updaters": onApps },
  })),
  { resource: "cronjobs.batch", sample: cronJob, rights: { "pawl:updaters": onBuiltIn } },
  {
    resource: "claws.claw.prismer.ai",
    sample: claw,
    rights: { "pawl:updaters": ofClaw },
  },
  {
    resource: "statefulcanaries.pawl.dev",
    sample: claw,
    rights: { "pawl:updaters": ofStatefulCanary },
  },
];

const groups = ["pawl:pollers", "pawl:recorders", "pawl:analysts", "pawl:updaters", "pawl:drainers"];

describe.for(kinds)("the annotations of $resource", ({ resource, sample, rights }) => {
  const withAnnotation = (key: string, value: string) =>
    changed(sample, ({ metadata }) => void (metadata.annotations = { ...metadata.annotations, [key]: value }));
  const without = (key: string) => changed(sample, ({ metadata }) => void delete metadata.annotations?.[key]);
  const isAdmitted = (group: string, before: Sample, after: Sample) =>
    updateDenials(resource, ["system:authenticated", group], before, after).length === 0;

  test.for(groups)("%s may change those that its functions write, and no other", (group) => {
    const allowed = (rights[group] ?? []).toSorted();
    const allowedTo = (before: (key: string) => Sample, after: (key: string) => Sample) =>
      every.filter((key) => isAdmitted(group, before(key), after(key))).toSorted();
    const first = (key: string) => withAnnotation(key, "1");
    const second = (key: string) => withAnnotation(key, "2");
    expect(allowedTo(without, first)).toEqual(allowed);
    expect(allowedTo(first, second)).toEqual(allowed);
    expect(allowedTo(first, without)).toEqual(allowed);
  });

  test.for(groups)("%s may not opt in or write a request", (group) => {
    for (const key of [annotations.autoUpdate, annotations.request, annotations.paused, annotations.containers])
      expect(isAdmitted(group, without(key), withAnnotation(key, "true"))).toBe(false);
  });
});

test("a user in several groups has the rights of each", () => {
  const object = changed(claw, ({ metadata }) => void Object.assign(metadata.annotations, { [execution]: "x" }));
  expect(updateDenials("statefulcanaries.pawl.dev", ["pawl:recorders", "pawl:updaters"], claw, object)).toEqual([]);
  expect(updateDenials("statefulcanaries.pawl.dev", ["pawl:recorders", "pawl:analysts"], claw, object)).toHaveLength(1);
});
