import { types } from "node:util";

/** The execution and state that call a function. */
interface TaskContext {
  readonly machine: string;
  readonly state: string;
  /** The execution's name and its ARN. */
  readonly execution: string;
  readonly executionArn: string;
}

/** A local function in place of a Lambda: payload and result are JSON, errors are matched by their `name`. */
export type TaskFunction = (payload: unknown, context: TaskContext) => Promise<unknown>;

/** The result of `lambda:invoke`, as the ResultSelector receives it. */
export interface LambdaResult {
  readonly Payload: unknown;
  readonly StatusCode: 200;
  readonly ExecutedVersion: "$LATEST";
}

/** A function's error: `name` is matched by Retry and Catch, the message is the JSON that Lambda returns as Cause. */
export class TaskFailure extends Error {
  override readonly name: string;

  constructor(thrown: unknown) {
    const { errorType, errorMessage, trace } = describeLambdaError(thrown);
    super(JSON.stringify({ errorType, errorMessage, trace }), { cause: undefined });
    this.name = errorType;
  }
}

/** Calls the function with payload and result converted through JSON, as on the wire. Throws `TaskFailure`. */
export async function invoke(task: TaskFunction, input: unknown, context: TaskContext): Promise<LambdaResult> {
  try {
    const result = await task(roundTripJson((input as { Payload?: unknown }).Payload ?? {}), context);
    return { Payload: roundTripJson(result ?? null), StatusCode: 200, ExecutedVersion: "$LATEST" };
  } catch (error) {
    throw new TaskFailure(error);
  }
}

function roundTripJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}

/** Returns the fields of Lambda's Node.js runtime. Source: aws/aws-lambda-nodejs-runtime-interface-client, `Errors.js`. */
function describeLambdaError(thrown: unknown): { errorType: string; errorMessage: string; trace: readonly string[] } {
  if (!types.isNativeError(thrown)) return { errorType: typeof thrown, errorMessage: String(thrown), trace: [] };
  return { errorType: thrown.name, errorMessage: thrown.message, trace: (thrown.stack ?? "").split("\n") };
}
