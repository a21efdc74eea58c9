import { beforeAll, expect, test } from "vitest";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { summarize } from "./ending.ts";
import { type Ending, play } from "./play.ts";
import { sequences } from "./sequences.ts";
import { createSuite } from "../suite.ts";

describeOnRealCluster("what a person does with kubectl stands, in sequences", () => {
  const suite = createSuite();
  let endings: ReadonlyMap<string, Ending>;

  beforeAll(async () => {
    endings = await play(suite, sequences);
  });

  test.for(sequences)("$kind: $when", ({ name, expected: { failed = [], ...expected } }) => {
    const ending = endings.get(name) as Ending;
    expect(ending.failed).toEqual([]);
    expect(summarize(ending)).toEqual({
      ...expected,
      failedVersions: failed,
      rollbackCount: failed.length,
      isInFlight: false,
      canaries: [],
      partition: 0,
    });
    expect(new Set(ending.choices.slice(1).map(({ image }) => image)).size).toBe(1);
  });
});
