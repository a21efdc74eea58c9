import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { FileSystem } from "aws-cdk-lib";
import { readDefinition } from "../../read-definition.ts";
import type { MachineName } from "../resource-names.ts";

interface State {
  readonly Type: string;
  readonly ResultPath?: string;
  readonly Next?: string;
  readonly Default?: string;
  readonly Choices?: readonly { readonly Next?: string }[];
  readonly Catch?: readonly { readonly Next?: string }[];
}

type States = Readonly<Record<string, State>>;

/** The result of a Task whose function is not deployed. A Choice after it has no case for it, and ends the execution; without a verification, each image may be written. */
const disabled = {
  kind: "disabled",
  waitSeconds: 0,
  digest: null,
  reason: "the configuration does not enable this feature",
};

/**
 * Writes a definition as JSON, without the Tasks whose functions are not deployed: each is a Pass there, and what only its Catch leads to is left out,
 * because Step Functions refuses states that cannot be reached. Returns the path of the file.
 */
export function writeDefinition(machine: MachineName, tasks: readonly string[]): string {
  const definition = JSON.parse(readDefinition(machine)) as { readonly StartAt: string; readonly States: States };
  const isMissing = (name: string, { Type }: State) => Type === "Task" && !tasks.includes(name);
  const passed = Object.fromEntries(
    Object.entries(definition.States).map(([name, state]) => [name, isMissing(name, state) ? passOver(state) : state]),
  );
  const reached = reachableFrom(definition.StartAt, passed);
  const States = Object.fromEntries(Object.entries(passed).filter(([name]) => reached.has(name)));
  const file = join(FileSystem.mkdtemp("pawl-asl-"), `${machine}.asl.json`);
  writeFileSync(file, JSON.stringify({ ...definition, States }, null, 2));
  return file;
}

function passOver({ ResultPath, Next }: State): State {
  const pass = { Type: "Pass", Result: disabled, ResultPath, Next };
  return pass as State;
}

/** A child of a Map is in the state of its parent. */
function reachableFrom(start: string, states: States): ReadonlySet<string> {
  const reached = new Set([start]);
  for (const name of reached) {
    const { Next, Default, Choices = [], Catch = [] } = states[name] ?? { Type: "" };
    for (const next of [Next, Default, ...[...Choices, ...Catch].map((rule) => rule.Next)])
      if (next !== undefined) reached.add(next);
  }
  return reached;
}
