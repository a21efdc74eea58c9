import { types } from "node:util";

/** Where in which execution a function is called. */
export interface TaskContext {
  readonly machine: string;
  readonly state: string;
  /** The execution's name and its ARN. */
  readonly execution: string;
  readonly executionArn: string;
}

/** Stands where the Lambda stands in AWS: its payload and its answer are JSON, and it raises errors by their `name`. */
export type TaskFunction = (payload: unknown, context: TaskContext) => Promise<unknown>;

/** What the state `lambda:invoke` hands to its ResultSelector. */
export interface LambdaAnswer {
  readonly Payload: unknown;
  readonly StatusCode: 200;
  readonly ExecutedVersion: "$LATEST";
}

/** A function's error as the machine sees it: `name` for Retry and Catch, and as Cause the JSON that Lambda makes. */
export class TaskFailure extends Error {
  override readonly name: string;

  constructor(thrown: unknown) {
    const { errorType, errorMessage, trace } = lambdaError(thrown);
    super(JSON.stringify({ errorType, errorMessage, trace }), { cause: undefined });
    this.name = errorType;
  }
}

/** Calls the function over JSON, as the wire would, so that nothing but JSON ever gets across. Throws `TaskFailure`. */
export async function invoke(task: TaskFunction, input: unknown, context: TaskContext): Promise<LambdaAnswer> {
  try {
    const result = await task(overJson((input as { Payload?: unknown }).Payload ?? {}), context);
    return { Payload: overJson(result ?? null), StatusCode: 200, ExecutedVersion: "$LATEST" };
  } catch (error) {
    throw new TaskFailure(error);
  }
}

function overJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}

/** The fields that Lambda's runtime for Node gives: aws/aws-lambda-nodejs-runtime-interface-client, `Errors.js`. */
function lambdaError(thrown: unknown): { errorType: string; errorMessage: string; trace: readonly string[] } {
  if (!types.isNativeError(thrown)) return { errorType: typeof thrown, errorMessage: String(thrown), trace: [] };
  return { errorType: thrown.name, errorMessage: thrown.message, trace: (thrown.stack ?? "").split("\n") };
}
