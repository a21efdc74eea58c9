import { stateMachineArn } from "./arns.ts";
import { assertSupported, type Definition } from "./definition.ts";
import { createInterpreter, validateDefinition, type Interpreter } from "./interpreter.ts";
import type { TaskFunction } from "./invoke.ts";
import { translate } from "./translate.ts";
import type { WaitClock } from "./wait.ts";

/** The parsed ASL file of a machine, and the function of each Task state by the state's name. */
export interface MachineSource {
  readonly definition: object;
  readonly tasks: Readonly<Record<string, TaskFunction>>;
}

export interface Machine {
  readonly name: string;
  readonly arn: string;
  /** The original definition; the interpreter runs a translated one. */
  readonly definition: Definition;
  readonly tasks: Readonly<Record<string, TaskFunction>>;
  readonly interpreter: Interpreter;
  readonly createdAt: Date;
}

/** Builds a machine, once for all its executions. Throws if the definition is invalid or not supported. */
export function buildMachine(name: string, source: MachineSource, clock: WaitClock): Machine {
  const definition = validateDefinition(source.definition);
  assertSupported(definition, Object.keys(source.tasks));
  const interpreter = createInterpreter(translate(definition, clock.waitScale));
  return { name, arn: stateMachineArn(name), definition, tasks: source.tasks, interpreter, createdAt: clock.now() };
}
