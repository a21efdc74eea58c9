import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { FileSystem } from "aws-cdk-lib";
import { readDefinition } from "../../read-definition.ts";
import type { MachineName } from "../resource-names.ts";

interface State {
  readonly Type: string;
  readonly ResultPath?: string;
  readonly Next?: string;
}

/** The result of a Task whose function is not deployed. A Choice after it has no case for it, and ends the execution; without a verification, each image may be written. */
const disabled = {
  kind: "disabled",
  waitSeconds: 0,
  digest: null,
  reason: "the configuration does not enable this feature",
};

/** Writes a definition as JSON, without the Tasks whose functions are not deployed: each is a Pass there. Returns the path of the file. */
export function writeDefinition(machine: MachineName, tasks: readonly string[]): string {
  const definition = JSON.parse(readDefinition(machine)) as { readonly States: Readonly<Record<string, State>> };
  const isMissing = (name: string, { Type }: State) => Type === "Task" && !tasks.includes(name);
  const States = Object.fromEntries(
    Object.entries(definition.States).map(([name, state]) => [name, isMissing(name, state) ? passOver(state) : state]),
  );
  const file = join(FileSystem.mkdtemp("pawl-asl-"), `${machine}.asl.json`);
  writeFileSync(file, JSON.stringify({ ...definition, States }, null, 2));
  return file;
}

function passOver({ ResultPath, Next }: State): object {
  return { Type: "Pass", Result: disabled, ResultPath, Next };
}
