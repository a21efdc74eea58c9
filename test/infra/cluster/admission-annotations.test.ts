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

/** What a group may do with annotations of a kind. Whatever may be set may be removed too. */
interface Rights {
  readonly set: readonly string[];
  readonly remove?: readonly string[];
}

const every = [
  ...Object.values(annotations),
  ...Object.values(clawAnnotations),
  ...Object.values(imageUpdaterAnnotations),
  changeCauseAnnotation,
];
const { execution, previousImage, targetDigests, rollingBack, canaryVerdict, analysis, held, problem } = annotations;
const { targetImage, updatePhase, updateStarted, canaryPartition, previousTemplate } = annotations;

const onBuiltIn = [targetImage, execution, changeCauseAnnotation, canaryPartition, previousTemplate];
const onApps = [...onBuiltIn, imageUpdaterAnnotations.lastDigest];
const claim = [execution, previousImage, targetDigests, rollingBack, canaryVerdict];
const ofClaw = [...Object.values(clawAnnotations), ...claim];
const ofStatefulCanary = [targetImage, updatePhase, updateStarted, ...claim];
const report = [held, problem];

const kinds: readonly {
  readonly resource: string;
  readonly sample: Sample;
  readonly rights: Readonly<Record<string, Rights>>;
}[] = [
  ...["deployments.apps", "statefulsets.apps", "daemonsets.apps"].map((resource) => ({
    resource,
    sample: deployment,
    rights: { "pawl:updaters": { set: onApps } },
  })),
  { resource: "cronjobs.batch", sample: cronJob, rights: { "pawl:updaters": { set: onBuiltIn } } },
  {
    resource: "claws.claw.prismer.ai",
    sample: claw,
    rights: {
      "pawl:updaters": { set: [...ofClaw, ...report] },
      "pawl:recorders": { set: report, remove: ofClaw },
    },
  },
  {
    resource: "statefulcanaries.pawl.dev",
    sample: claw,
    rights: {
      "pawl:updaters": { set: [...ofStatefulCanary, ...report, analysis] },
      "pawl:recorders": { set: report, remove: ofStatefulCanary },
      "pawl:analysts": { set: [analysis] },
    },
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
    const { set = [], remove = [] } = rights[group] ?? {};
    const allowedTo = (before: (key: string) => Sample, after: (key: string) => Sample) =>
      every.filter((key) => isAdmitted(group, before(key), after(key))).toSorted();
    const first = (key: string) => withAnnotation(key, "1");
    const second = (key: string) => withAnnotation(key, "2");
    expect(allowedTo(without, first)).toEqual(set.toSorted());
    expect(allowedTo(first, second)).toEqual(set.toSorted());
    expect(allowedTo(first, without)).toEqual([...set, ...remove].toSorted());
  });

  test.for(groups)("%s may not opt in or write a request", (group) => {
    for (const key of [annotations.autoUpdate, annotations.request, annotations.paused, annotations.containers])
      expect(isAdmitted(group, without(key), withAnnotation(key, "true"))).toBe(false);
  });
});

test("a user in several groups has the rights of each", () => {
  const object = changed(
    claw,
    ({ metadata }) => void Object.assign(metadata.annotations, { [held]: "x", [analysis]: "y" }),
  );
  expect(updateDenials("statefulcanaries.pawl.dev", ["pawl:recorders", "pawl:analysts"], claw, object)).toEqual([]);
  expect(updateDenials("statefulcanaries.pawl.dev", "pawl:recorders", claw, object)).toHaveLength(1);
});
