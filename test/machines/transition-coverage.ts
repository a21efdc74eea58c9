import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readMachine } from "./asl-files.ts";
import type { Script, TasksOf } from "./script.ts";
import type { ScriptedMachine } from "./scripted-machine.ts";
import { transitionsOf } from "./transitions.ts";

/** The scripted results of an execution, and its expected path. */
export interface ExecutionCase<Tasks extends TasksOf<Tasks>, Input> {
  readonly when: string;
  /** Fields that differ from the default input. */
  readonly input?: Partial<Input>;
  readonly script: Script<Tasks>;
  readonly states: readonly string[];
  /** The error of the execution; absent if it succeeds. */
  readonly error?: string;
  /** A part of its cause, which the console shows. */
  readonly cause?: string;
}

interface ExecutionTests<Tasks extends TasksOf<Tasks>, Input> {
  readonly machine: string;
  readonly start: () => Promise<ScriptedMachine<Tasks, Input>>;
  readonly tables: readonly { readonly what: string; readonly cases: readonly ExecutionCase<Tasks, Input>[] }[];
}

/** Tests the path of each execution, and that together they cover every transition of the machine's file. */
export function testExecutions<Tasks extends TasksOf<Tasks>, Input>({
  machine,
  start,
  tables,
}: ExecutionTests<Tasks, Input>): void {
  let scripted: ScriptedMachine<Tasks, Input>;
  const covered = new Set<string>();

  beforeAll(async () => {
    scripted = await start();
  });

  afterAll(() => scripted.close());

  describe.for(tables)("$what", ({ what, cases }) => {
    test.for(cases.map((one, index) => ({ ...one, name: `${what}-${index}`.replaceAll(" ", "-") })))(
      "$when: $error",
      async ({
        name,
        script,
        input = {},
        states,
        error,
        cause = "",
      }: ExecutionCase<Tasks, Input> & { name: string }) => {
        const run = await scripted.run(name, script, input);
        for (const transition of run.transitions) covered.add(transition);
        expect(run.states).toEqual(states);
        expect(run.ending.type).toBe(error === undefined ? "ExecutionSucceeded" : "ExecutionFailed");
        expect(run.ending.error).toBe(error);
        expect(run.ending.cause ?? "").toContain(cause);
      },
    );
  });

  test("every transition of the file was covered", () => {
    const all = transitionsOf(readMachine(machine));
    expect(all.filter((transition) => !covered.has(transition))).toEqual([]);
    expect([...covered].filter((transition) => !all.includes(transition))).toEqual([]);
  });
}
