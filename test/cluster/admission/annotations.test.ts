import { describe, expect, test } from "vitest";
import {
  annotations,
  changeCauseAnnotation,
  clawAnnotations,
  imageUpdaterAnnotations,
} from "../../../functions/domain/workload/policy/annotations.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { anything, type Sample, updateDenial } from "./admission.ts";
import { changed, claw, cronJob, statefulCanary, workloads } from "./samples.ts";

interface Annotated extends Sample {
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
  readonly sample: Annotated;
  /** The annotations that a group may set, change and remove. */
  readonly rights: Readonly<Record<string, readonly string[]>>;
}[] = [
  ...workloads.map((workload) => ({
    ...workload,
    rights: { "pawl:updaters": onApps, "pawl:restorers": onApps },
  })),
  { resource: "cronjobs.batch", sample: cronJob, rights: { "pawl:updaters": onBuiltIn } },
  { resource: "claws.claw.prismer.ai", sample: claw, rights: { "pawl:updaters": ofClaw } },
  { resource: "statefulcanaries.pawl.dev", sample: statefulCanary, rights: { "pawl:updaters": ofStatefulCanary } },
];

const groups = [
  "pawl:pollers",
  "pawl:recorders",
  "pawl:analysts",
  "pawl:updaters",
  "pawl:restorers",
  "pawl:drainers",
] as const;

describeOnRealCluster("the policy pawl-annotations", () => {
  describe.for(kinds)("of $resource", ({ resource, sample, rights }) => {
    const { "pawl.dev/auto-update": _optIn, ...own } = sample.metadata.annotations ?? {};
    const withAll = (keys: readonly string[], value: string) =>
      changed(sample, ({ metadata }) => {
        metadata.annotations = { ...own, ...Object.fromEntries(keys.map((key) => [key, value])) };
      });
    const none = withAll([], "");
    const first = withAll(every, "1");
    const changes = [
      [none, first],
      [first, withAll(every, "2")],
      [first, none],
    ] as const;

    test.for(groups)("%s may change those that its functions write, and no other", async (group) => {
      const allowed = rights[group] ?? [];
      const denied = every.filter((key) => !allowed.includes(key)).toSorted();
      for (const [before, after] of changes) {
        const message = await updateDenial(resource, [group, anything], before, after);
        const [, names = ""] = /^pawl-annotations: change of (.*) denied/.exec(message ?? "") ?? [];
        expect(names.split(", ").toSorted()).toEqual(denied);
      }
    });

    test.for(Object.keys(rights))("%s may change these alone", async (group) => {
      const keys = rights[group] ?? [];
      const [without, with1, with2] = [none, withAll(keys, "1"), withAll(keys, "2")];
      for (const [before, after] of [
        [without, with1],
        [with1, with2],
        [with1, without],
      ] as const)
        expect(await updateDenial(resource, group, before, after)).toBeNull();
    });
  });

  test("a user in several groups has the rights of each", async () => {
    const object = changed(statefulCanary, ({ metadata }) => void (metadata.annotations[execution] = "x"));
    const update = (...members: readonly string[]) =>
      updateDenial("statefulcanaries.pawl.dev", members, statefulCanary, object);
    expect(await update("pawl:recorders", "pawl:updaters")).toBeNull();
    expect(await update("pawl:recorders", "pawl:analysts", anything)).toContain(`change of ${execution} denied`);
  });
});
