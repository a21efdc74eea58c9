import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readMachine } from "./asl-files.ts";
import { type ScriptedMachine, startScriptedMachine } from "./scripted-machine.ts";
import { transitionsOf } from "./transitions.ts";
import { canaryBugs, canaryCases, canaryUnanswered } from "./workload-update-canary-cases.ts";
import { bugs, type Case, ordinary, unanswered } from "./workload-update-cases.ts";
import { restarts } from "./workload-update-restart-cases.ts";

let machine: ScriptedMachine;
const taken = new Set<string>();

beforeAll(async () => {
  machine = await startScriptedMachine();
});

afterAll(() => machine.close());

describe.for([
  { what: "an update", cases: ordinary },
  { what: "a canary", cases: canaryCases },
  { what: "a restart", cases: restarts },
  { what: "a bug", cases: bugs },
  { what: "a bug of a canary", cases: canaryBugs },
  { what: "no answer to a canary", cases: canaryUnanswered },
  { what: "no answer", cases: unanswered },
])("$what", ({ what, cases }) => {
  test.for(cases.map((one, index) => ({ ...one, name: `${what}-${index}`.replaceAll(" ", "-") })))(
    "$when: $error",
    async ({
      name,
      script,
      recovering = false,
      strategy = "rolling",
      states,
      error,
      cause = "",
    }: Case & { name: string }) => {
      const run = await machine.run(name, script, { recovering, strategy });
      for (const transition of run.transitions) taken.add(transition);
      expect(run.states).toEqual(states);
      expect(run.ending.type).toBe(error === undefined ? "ExecutionSucceeded" : "ExecutionFailed");
      expect(run.ending.error).toBe(error);
      expect(run.ending.cause ?? "").toContain(cause);
    },
  );
});

test("every transition of the file was taken", () => {
  const all = transitionsOf(readMachine("workload-update"));
  expect(all.filter((transition) => !taken.has(transition))).toEqual([]);
  expect([...taken].filter((transition) => !all.includes(transition))).toEqual([]);
});
