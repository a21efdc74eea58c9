import manifest from "../../../package.json" with { type: "json" };
import type { FunctionSpec } from "../../../infra/constructs/functions/function-spec.ts";
import { functionSpecs, handlersFor, type HandlerName } from "../../../infra/constructs/functions/function-specs.ts";
import { type AwsAnswer, type AwsCall, refusalOf } from "../../support/aws/aws-services.ts";

export const handlers = handlersFor({ nodePools: null, releases: false, hooks: false });

/** What AWS says about a deployment of the cluster `prod`. */
export interface Deployment {
  readonly bootstrap: string | null;
  readonly concurrency: number;
  readonly version: string;
  /** Functions that are not deployed. */
  readonly absent: readonly HandlerName[];
  readonly environment: Readonly<Record<string, string>>;
  readonly authenticationMode: string;
  /** The groups of the access entry of a function; null if it has none. */
  readonly groupsOf: (handler: HandlerName) => readonly string[] | null;
  readonly schedule: { readonly State: string; readonly ScheduleExpression: string } | null;
  /** Minutes since the last poll that completed; null if there is none. */
  readonly lastPollMinutes: number | null;
  /** Messages by the name of the queue. */
  readonly deadLetters: Readonly<Record<string, number>>;
  /** Names of raised alarms. */
  readonly raised: readonly string[];
  /** States of change calendars. */
  readonly calendars: Readonly<Record<string, string>>;
  /** Operations that the user may not use. */
  readonly denied: readonly string[];
  /** Seconds by which the clock of AWS is ahead. */
  readonly clockSeconds: number;
}

export const healthy: Deployment = {
  bootstrap: "30",
  concurrency: 1000,
  version: manifest.version,
  absent: [],
  environment: { PAWL_CLUSTER: "prod" },
  authenticationMode: "API",
  groupsOf: (handler) => [(functionSpecs[handler] as FunctionSpec).group ?? ""],
  schedule: { State: "ENABLED", ScheduleExpression: "rate(5 minutes)" },
  lastPollMinutes: 7,
  deadLetters: {},
  raised: [],
  calendars: { Open: "OPEN", Closed: "CLOSED" },
  denied: [],
  clockSeconds: 0,
};

/** Simulates the operations of AWS that `pawl doctor` uses, with the responses of the real APIs. */
export function answerFor(deployment: Deployment): (call: AwsCall) => AwsAnswer {
  return (call) => {
    const name = Object.keys(operations).find((one) => call.operation.startsWith(one)) ?? "";
    const answer = operations[name];
    if (answer === undefined) throw new Error(`${call.operation} is not simulated: doctor only reads`);
    const date = new Date(Date.now() + deployment.clockSeconds * 1000).toUTCString();
    if (deployment.denied.includes(name)) return refusalOf("AccessDeniedException", 403);
    const { headers = {}, ...rest } = answer(call, deployment);
    return { ...rest, headers: { ...headers, date } };
  };
}

type Operation = (call: AwsCall, deployment: Deployment) => AwsAnswer;

const operations: Readonly<Record<string, Operation>> = {
  "GET /2016-08-19/account-settings": (_, { concurrency }) => ({
    body: { AccountLimit: { ConcurrentExecutions: concurrency, UnreservedConcurrentExecutions: concurrency } },
  }),
  "GET /2015-03-31/functions/": getFunction,
  GetParameter: (_, { bootstrap }) =>
    bootstrap === null ? refusalOf("ParameterNotFound") : { body: { Parameter: { Value: bootstrap } } },
  "GET /clusters/prod/access-entries/": getAccessEntry,
  "GET /clusters/prod": (_, { authenticationMode }) => ({
    body: { cluster: { name: "prod", accessConfig: { authenticationMode } } },
  }),
  "GET /schedules/prod": (_, { schedule }) =>
    schedule === null ? refusalOf("ResourceNotFoundException", 404) : { body: { Name: "prod", ...schedule } },
  GetMetricData: (_, { lastPollMinutes }) => {
    const times = lastPollMinutes === null ? [] : [Math.floor(Date.now() / 1000) - lastPollMinutes * 60];
    return { body: { MetricDataResults: [{ Id: "polls", Timestamps: times, Values: times.map(() => 1) }] } };
  },
  GetCalendarState: ({ body }, { calendars }) => {
    const [name = ""] = (JSON.parse(body) as { CalendarNames: readonly string[] }).CalendarNames;
    const state = calendars[name];
    return state === undefined ? refusalOf("InvalidDocument") : { body: { State: state } };
  },
  DescribeAlarms: (_, { raised }) => ({
    body: {
      MetricAlarms: [
        ...raised.map((AlarmName) => ({ AlarmName, StateValue: "ALARM" })),
        { AlarmName: "pawl-prod-other", StateValue: "OK" },
      ],
    },
  }),
  GetQueueUrl: ({ body }) => {
    const { QueueName } = JSON.parse(body) as { QueueName: string };
    return { body: { QueueUrl: `https://sqs.eu-west-1.amazonaws.com/111122223333/${QueueName}` } };
  },
  GetQueueAttributes: ({ body }, { deadLetters }) => {
    const { QueueUrl } = JSON.parse(body) as { QueueUrl: string };
    const count = deadLetters[QueueUrl.split("/").at(-1) ?? ""] ?? 0;
    return { body: { Attributes: { ApproximateNumberOfMessages: String(count) } } };
  },
};

function getFunction({ operation }: AwsCall, { absent, environment, version }: Deployment): AwsAnswer {
  const [, handler = ""] = /functions\/pawl-prod-([a-z-]+)\/configuration\?Qualifier=live/.exec(operation) ?? [];
  if (handler === "" || absent.includes(handler as HandlerName)) return refusalOf("ResourceNotFoundException", 404);
  const Role = `arn:aws:iam::111122223333:role/${handler}`;
  const Description = `Pawl ${version}, cluster prod: ${handler}`;
  return { body: { State: "Active", Role, Description, Environment: { Variables: environment } } };
}

function getAccessEntry({ operation }: AwsCall, { groupsOf }: Deployment): AwsAnswer {
  const handler = decodeURIComponent(operation).split("/").at(-1) as HandlerName;
  const kubernetesGroups = groupsOf(handler);
  if (kubernetesGroups === null) return refusalOf("ResourceNotFoundException", 404);
  return { body: { accessEntry: { kubernetesGroups } } };
}
