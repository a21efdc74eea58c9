import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { FileSystem } from "aws-cdk-lib";

interface State {
  readonly Type: string;
  readonly ResultPath?: string;
  readonly Next?: string;
}

/** The result of a Task whose function is not deployed. The Choice after it has no case for it, and ends the execution. */
const disabled = { kind: "disabled", waitSeconds: 0, reason: "the configuration does not enable this feature" };

/** Returns the path of a definition without the Tasks whose functions are not deployed: each is a Pass there. */
export function withDeployedTasks(path: string, tasks: readonly string[]): string {
  const definition = JSON.parse(readFileSync(path, "utf8")) as { readonly States: Readonly<Record<string, State>> };
  const states = Object.entries(definition.States);
  const isMissing = (name: string, { Type }: State) => Type === "Task" && !tasks.includes(name);
  if (!states.some(([name, state]) => isMissing(name, state))) return path;
  const States = Object.fromEntries(
    states.map(([name, state]) => [name, isMissing(name, state) ? passOver(state) : state]),
  );
  const copy = join(FileSystem.mkdtemp("pawl-asl-"), basename(path));
  writeFileSync(copy, JSON.stringify({ ...definition, States }, null, 2));
  return copy;
}

function passOver({ ResultPath, Next }: State): object {
  return { Type: "Pass", Result: disabled, ResultPath, Next };
}
