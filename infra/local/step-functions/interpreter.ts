import { StateMachine, type RunOptions } from "aws-local-stepfunctions";
import type { Definition } from "./definition.ts";

export type Interpreter = StateMachine;
export type Input = Parameters<StateMachine["run"]>[0];
export type Context = NonNullable<RunOptions["context"]>;
export type Handlers = NonNullable<NonNullable<RunOptions["overrides"]>["taskResourceLocalHandlers"]>;

/** One line of the interpreter's log of an execution. */
export type LogLine = ReturnType<StateMachine["run"]>["eventLogs"] extends AsyncGenerator<infer Line> ? Line : never;

const validated = new WeakSet<object>();

/** Returns the definition. Throws with the details if it is not valid ASL. Takes about 56 ms, once for each definition. */
export function validateDefinition(definition: object): Definition {
  if (!validated.has(definition)) void new StateMachine(definition as ConstructorParameters<typeof StateMachine>[0]);
  validated.add(definition);
  return definition as Definition;
}

/** Creates an interpreter without validation: a translated definition is no longer valid ASL. */
export function createInterpreter(definition: Definition): Interpreter {
  return new StateMachine(definition as object as ConstructorParameters<typeof StateMachine>[0], {
    validationOptions: { noValidate: true },
  });
}
