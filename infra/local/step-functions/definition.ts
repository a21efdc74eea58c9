/** A state as its file writes it. The interpreter has validated the whole before anything here reads it. */
export interface State {
  readonly Type: string;
  readonly Resource?: string;
  readonly TimeoutSeconds?: number;
  readonly Retry?: readonly Retrier[];
  readonly [field: string]: unknown;
}

export interface Retrier {
  readonly IntervalSeconds?: number;
  readonly MaxDelaySeconds?: number;
  readonly [field: string]: unknown;
}

export interface Definition {
  readonly StartAt: string;
  readonly States: Readonly<Record<string, State>>;
  readonly TimeoutSeconds?: number;
  readonly [field: string]: unknown;
}

/** The definition asks for something that this runtime would do otherwise than AWS, or not at all. */
class UnsupportedDefinition extends Error {
  override readonly name = "UnsupportedDefinition";
}

const lambdaInvoke = "arn:aws:states:::lambda:invoke";

/** Throws `UnsupportedDefinition` unless every state can be run here and every Task has its function and vice versa. */
export function checkSupported(definition: Definition, tasks: readonly string[]): void {
  const states = Object.entries(definition.States);
  for (const [name, { Type: type, Resource: resource }] of states) {
    if (type === "Map" || type === "Parallel") throw new UnsupportedDefinition(`${name}: no ${type} here`);
    if (type !== "Task") continue;
    if (resource !== lambdaInvoke)
      throw new UnsupportedDefinition(`${name}: ${String(resource)} is not ${lambdaInvoke}`);
    if (!tasks.includes(name)) throw new UnsupportedDefinition(`${name} has no function`);
  }
  const stray = tasks.find((task) => definition.States[task]?.Type !== "Task");
  if (stray !== undefined) throw new UnsupportedDefinition(`a function is given for ${stray}, which is no Task`);
}
