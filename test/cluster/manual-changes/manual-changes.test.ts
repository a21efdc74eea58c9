import { beforeAll, expect, test } from "vitest";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { cases, isHeld } from "./cases.ts";
import { summarize } from "./ending.ts";
import type { Choice } from "./manifest.ts";
import { type Ending, play } from "./play.ts";
import { createSuite } from "../suite.ts";

const nothingBlamedOrLeft = { failedVersions: [], rollbackCount: 0, isInFlight: false, canaries: [], partition: 0 };

describeOnRealCluster("what a person does with kubectl stands", () => {
  const suite = createSuite();
  let endings: ReadonlyMap<string, Ending>;

  // Longer than the patience of each of its steps, whose error says what did not happen.
  beforeAll(async () => {
    endings = await play(suite, cases);
  }, 600_000);

  test.for(cases)("$state: $verb of a $kind", (one) => {
    const ending = endings.get(one.name) as Ending;
    const { choices, workload, record, failed } = ending;
    expect(failed).toEqual([]);
    expect(summarize(ending)).toEqual({ ...one.expected, ...nothingBlamedOrLeft });
    expect(record?.status?.history?.every(({ result }) => result === "Healthy")).toBe(true);
    const [chosen, ...later] = choices.map((choice) => standing(one, choice));
    expect(later).toEqual(later.map(() => chosen));
    expect(record?.metadata.ownerReferences?.map(({ uid }) => uid)).toEqual([workload.metadata.uid]);
  });
});

/** Returns what must not change any more. An update that continues sets the image, and a removed canary leaves a fence. */
function standing(one: (typeof cases)[number], choice: Choice): Partial<Choice> {
  const { image, annotations: all, restartedAt, ...rest } = choice;
  if (one.verb === "recreate") return rest;
  // Another tag has another digest, so that it is restarted once more.
  if (one.state === "digest" && one.verb === "set image") return { ...rest, image };
  if (!isHeld(one)) return { ...rest, restartedAt };
  const { [annotations.canaryPartition]: _partition, [annotations.execution]: fence, ...own } = all;
  return { ...rest, restartedAt, image, annotations: one.state === "canary" ? own : { ...own, fence: fence ?? "" } };
}
