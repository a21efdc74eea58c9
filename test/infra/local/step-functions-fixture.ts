import { SFNClient, StartExecutionCommand } from "@aws-sdk/client-sfn";
import { onTestFinished } from "vitest";
import type { StateChange } from "../../../infra/local/step-functions/execution.ts";
import type { TaskFunction } from "../../../infra/local/step-functions/invoke.ts";
import {
  startAwsEndpoint,
  type AwsEndpoint,
  type AwsEndpointOptions,
} from "../../../infra/local/runtime/aws-endpoint.ts";

export const credentials = { accessKeyId: "local", secretAccessKey: "local" };
export const startedAt = new Date("2026-11-20T10:00:00.250Z");

/** Calls Work, waits as long as its result says, and repeats until it is done. Errors of Work are retried by name or caught. */
export const definition = {
  StartAt: "Work",
  States: {
    Work: {
      Type: "Task",
      Resource: "arn:aws:states:::lambda:invoke",
      Parameters: {
        FunctionName: "${WorkArn}",
        Payload: {
          "job.$": "$.job",
          "execution.$": "$$.Execution.Name",
          "id.$": "$$.Execution.Id",
          "startedAt.$": "$$.Execution.StartTime",
          "input.$": "$$.Execution.Input",
        },
      },
      ResultSelector: { "kind.$": "$.Payload.kind", "waitSeconds.$": "$.Payload.waitSeconds" },
      ResultPath: "$.work",
      TimeoutSeconds: 30,
      Retry: [
        { ErrorEquals: ["Unreachable"], IntervalSeconds: 100, MaxAttempts: 3, BackoffRate: 2, MaxDelaySeconds: 300 },
      ],
      Catch: [{ ErrorEquals: ["States.ALL"], ResultPath: "$.failure", Next: "Broken" }],
      Next: "Done?",
    },
    "Done?": {
      Type: "Choice",
      Choices: [{ Variable: "$.work.kind", StringEquals: "done", Next: "Done" }],
      Default: "Pause",
    },
    Pause: { Type: "Wait", SecondsPath: "$.work.waitSeconds", Next: "Work" },
    Done: { Type: "Succeed" },
    Broken: { Type: "Fail", ErrorPath: "$.failure.Error", CausePath: "$.failure.Cause" },
  },
};

export interface Fixture {
  readonly endpoint: AwsEndpoint;
  readonly sfn: SFNClient;
  readonly stateMachineArn: string;
  readonly changes: readonly StateChange[];
  /** Starts an execution and returns its ARN. */
  start(name?: string, input?: string): Promise<string>;
  /** Resolves with the first change that matches, past changes included. */
  until(matches: (change: StateChange) => boolean): Promise<StateChange>;
  /** Resolves when the execution of this name has ended. */
  end(execution: string): Promise<StateChange>;
}

/** Serves the machine above on a stopped clock, with waits that take no time. */
export async function startFixture(work: TaskFunction, options: Partial<AwsEndpointOptions> = {}): Promise<Fixture> {
  const changes: StateChange[] = [];
  const waiting = new Set<(change: StateChange) => void>();
  const endpoint = await startAwsEndpoint({
    machines: { "test-machine": { definition, tasks: { Work: work } } },
    now: () => startedAt,
    waitScale: 0,
    accessKeyId: credentials.accessKeyId,
    onStateChange(change) {
      changes.push(change);
      for (const check of waiting) check(change);
    },
    ...options,
  });
  const sfn = new SFNClient({ endpoint: endpoint.url, region: "us-east-1", credentials, maxAttempts: 1 });
  const stateMachineArn = endpoint.stateMachineArn("test-machine");
  onTestFinished(async () => {
    sfn.destroy();
    await endpoint.close();
  });

  function until(matches: (change: StateChange) => boolean): Promise<StateChange> {
    const { promise, resolve } = Promise.withResolvers<StateChange>();
    const check = (change: StateChange) => {
      if (matches(change)) resolve(change);
    };
    waiting.add(check);
    changes.forEach(check);
    return promise.finally(() => waiting.delete(check));
  }

  async function start(name = "run", input = '{"job":1}'): Promise<string> {
    const { executionArn = "" } = await sfn.send(new StartExecutionCommand({ stateMachineArn, name, input }));
    return executionArn;
  }

  const ended = /^Execution(Succeeded|Failed|Aborted|TimedOut)$/;
  const end = (execution: string) => until((change) => change.execution === execution && ended.test(change.type));
  return { endpoint, sfn, stateMachineArn, changes, start, until, end };
}

export const finished = { kind: "done", waitSeconds: 0 };

/** A function that is done at its first call. */
export const done: TaskFunction = async () => finished;

/** Returns a function that does not return until it is released. */
export function held(): { readonly task: TaskFunction; release(): void } {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  return { task: () => promise, release: () => resolve(finished) };
}

/** Creates an error as handlers throw it. */
export function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}

/** Returns a function that returns one of `answers` at each call; an Error is thrown. */
export function script(...answers: readonly unknown[]): { readonly task: TaskFunction; calls: unknown[] } {
  const calls: unknown[] = [];
  return {
    calls,
    task: async (payload) => {
      const answer = answers[calls.push(payload) - 1];
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
}
