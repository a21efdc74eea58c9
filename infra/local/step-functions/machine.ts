import { stateMachineArn } from "./arns.ts";
import { checkSupported, type Definition } from "./definition.ts";
import { interpreterOf, validated, type Interpreter } from "./interpreter.ts";
import type { TaskFunction } from "./invoke.ts";
import { translate } from "./translate.ts";
import type { Clock } from "./wait.ts";

/** What a machine is made of: its ASL file, read, and for each of its Task states the function behind it. */
export interface MachineSource {
  readonly definition: object;
  readonly tasks: Readonly<Record<string, TaskFunction>>;
}

export interface Machine {
  readonly name: string;
  readonly arn: string;
  /** As the file has it; the interpreter runs a translation of it. */
  readonly definition: Definition;
  readonly tasks: Readonly<Record<string, TaskFunction>>;
  readonly interpreter: Interpreter;
  readonly createdAt: Date;
}

/** Builds a machine, once for all its executions. Throws where the definition is invalid or cannot be run here. */
export function buildMachine(name: string, source: MachineSource, clock: Clock): Machine {
  const definition = validated(source.definition);
  checkSupported(definition, Object.keys(source.tasks));
  const interpreter = interpreterOf(translate(definition, clock.waitScale));
  return { name, arn: stateMachineArn(name), definition, tasks: source.tasks, interpreter, createdAt: clock.now() };
}
