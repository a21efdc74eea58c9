import { expect, test } from "vitest";
import { createGateReader } from "../../../cli/workloads/closed-gates.ts";
import { hold } from "../../../functions/domain/workload/decision/decision.ts";
import { noon, workload } from "../../support/workloads.ts";

test("a freeze is named beside the gate that holds, and is read once", async () => {
  let reads = 0;
  const readFreeze = async () => {
    reads += 1;
    return { kind: "text", text: "- { reason: Christmas, to: 2026-12-27 }" } as const;
  };
  const readGates = createGateReader({ readFreeze });
  const subject = workload({ policy: { paused: true } });
  const held = hold("paused", "it is suspended");
  for (let time = 0; time < 2; time += 1)
    expect(await readGates(subject, held, noon)).toMatchObject([{ name: "suspended" }, { name: "freeze" }]);
  expect(await readGates(subject, hold("no-newer-version", "up to date"), noon)).toEqual([]);
  expect(reads).toBe(1);
});
