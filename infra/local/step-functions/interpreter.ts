import { StateMachine, type RunOptions } from "aws-local-stepfunctions";
import type { Definition } from "./definition.ts";

export type Interpreter = StateMachine;
export type Input = Parameters<StateMachine["run"]>[0];
export type Context = NonNullable<RunOptions["context"]>;
export type Handlers = NonNullable<NonNullable<RunOptions["overrides"]>["taskResourceLocalHandlers"]>;

/** One line of the interpreter's own log of an execution. */
export type LogLine = ReturnType<StateMachine["run"]>["eventLogs"] extends AsyncGenerator<infer Line> ? Line : never;

/** Throws where the definition is not valid ASL, with what is wrong with it. Takes about 56 ms. */
export function validated(definition: object): Definition {
  void new StateMachine(definition as ConstructorParameters<typeof StateMachine>[0]);
  return definition as Definition;
}

/** An interpreter of a definition that is not validated, for it is none of AWS's any more. */
export function interpreterOf(definition: Definition): Interpreter {
  return new StateMachine(definition as object as ConstructorParameters<typeof StateMachine>[0], {
    validationOptions: { noValidate: true },
  });
}
