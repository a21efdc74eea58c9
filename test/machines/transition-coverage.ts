import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readMachine } from "./asl-files.ts";
import type { Script, TasksOf } from "./script.ts";
import type { ScriptedMachine } from "./scripted-machine.ts";
import { transitionsOf } from "./transitions.ts";

/** What an execution is answered, and the way that it takes then. */
export interface Walk<Tasks extends TasksOf<Tasks>, Input> {
  readonly when: string;
  /** What its input says otherwise than usual. */
  readonly input?: Partial<Input>;
  readonly script: Script<Tasks>;
  readonly states: readonly string[];
  /** The error that the execution fails with; left out, it succeeds. */
  readonly error?: string;
  /** A part of the cause that the console shows, where it fails. */
  readonly cause?: string;
}

interface Walks<Tasks extends TasksOf<Tasks>, Input> {
  readonly machine: string;
  readonly start: () => Promise<ScriptedMachine<Tasks, Input>>;
  readonly tables: readonly { readonly what: string; readonly cases: readonly Walk<Tasks, Input>[] }[];
}

/** Tests that each execution takes its way, and that together they take every transition of the machine's file. */
export function testWalks<Tasks extends TasksOf<Tasks>, Input>({ machine, start, tables }: Walks<Tasks, Input>): void {
  let scripted: ScriptedMachine<Tasks, Input>;
  const taken = new Set<string>();

  beforeAll(async () => {
    scripted = await start();
  });

  afterAll(() => scripted.close());

  describe.for(tables)("$what", ({ what, cases }) => {
    test.for(cases.map((one, index) => ({ ...one, name: `${what}-${index}`.replaceAll(" ", "-") })))(
      "$when: $error",
      async ({ name, script, input = {}, states, error, cause = "" }: Walk<Tasks, Input> & { name: string }) => {
        const run = await scripted.run(name, script, input);
        for (const transition of run.transitions) taken.add(transition);
        expect(run.states).toEqual(states);
        expect(run.ending.type).toBe(error === undefined ? "ExecutionSucceeded" : "ExecutionFailed");
        expect(run.ending.error).toBe(error);
        expect(run.ending.cause ?? "").toContain(cause);
      },
    );
  });

  test("every transition of the file was taken", () => {
    const all = transitionsOf(readMachine(machine));
    expect(all.filter((transition) => !taken.has(transition))).toEqual([]);
    expect([...taken].filter((transition) => !all.includes(transition))).toEqual([]);
  });
}
