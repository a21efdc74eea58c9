/** A state of the ASL file. The interpreter has validated the definition before. */
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

/** The definition uses a feature that this runtime does not support, or would run differently from AWS. */
class UnsupportedDefinition extends Error {
  override readonly name = "UnsupportedDefinition";
}

const lambdaInvoke = "arn:aws:states:::lambda:invoke";

/** Throws `UnsupportedDefinition` if a state cannot run here, a Task has no function, or a function has no Task. */
export function assertSupported(definition: Definition, tasks: readonly string[]): void {
  const states = Object.entries(definition.States);
  for (const [name, { Type: type, Resource: resource }] of states) {
    if (type === "Map" || type === "Parallel")
      throw new UnsupportedDefinition(`${name}: ${type} states are not supported`);
    if (type !== "Task") continue;
    if (resource !== lambdaInvoke)
      throw new UnsupportedDefinition(`${name}: unsupported resource ${String(resource)}; use ${lambdaInvoke}`);
    if (!tasks.includes(name)) throw new UnsupportedDefinition(`${name}: no function is given for this Task`);
  }
  const unused = tasks.find((task) => definition.States[task]?.Type !== "Task");
  if (unused !== undefined)
    throw new UnsupportedDefinition(`${unused}: a function is given, but there is no Task of this name`);
}
