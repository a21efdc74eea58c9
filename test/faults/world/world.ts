import type { PollReport } from "../../../functions/workflows/poll/report.ts";
import type { StateChange } from "../../../infra/local/step-functions/execution.ts";
import { createActivity, expectEnd } from "./activity.ts";
import { createFunctions, type Functions } from "./functions.ts";
import { type Arrival, interceptRequests } from "../fault/intercept.ts";
import { type PawlProcess, startProcess } from "./process.ts";
import type { Plan } from "../plan.ts";
import type { Scenario } from "../scenario.ts";
import { startSurroundings } from "./surroundings.ts";
import type { VirtualTime } from "./virtual-time.ts";
import { watchTemplates } from "./watch-templates.ts";

/** A cluster, its registry, a Prometheus and Pawl, in virtual time. */
export interface World extends AsyncDisposable {
  /** What polls returned or threw, oldest first. */
  readonly polls: readonly (PollReport | Error)[];
  /** Reads an object or a list of the cluster; null if it does not exist. */
  read<Result>(path: string): Promise<Result | null>;
  /** Lets time pass until `isDone`, which is asked after each poll, but not longer than this. Returns whether it is done. */
  run(seconds: number, isDone: () => Promise<boolean>): Promise<boolean>;
  /** Changes annotations of an object, as a person does. */
  annotate(path: string, annotations: Readonly<Record<string, string>>): Promise<void>;
  /** Reports whether the last poll found nothing to do, and nothing runs. */
  isQuiet(): boolean;
  /** Returns how often the pod template of `web` was changed. */
  templateChanges(): number;
  /** Returns how many commits Pawl has made; null if no image is in git. */
  commits(): number | null;
  /** Reports whether an execution for this workload runs, or ended after the last poll: the next one records a failed start. */
  isUnpolled(name: string): boolean;
}

interface Options {
  readonly scenario: Scenario;
  readonly time: VirtualTime;
  readonly plan: Plan;
  /** Reports whether a request must not get a fault. */
  readonly isSpared: (about: string) => boolean;
}

const pollIntervalSeconds = 600;
const since = new Date("2026-11-23T09:00:00Z");
const functionPath = /^\/2015-03-31\/functions\/([^/]+)\/invocations/;

/** Answers that a change calendar is open. */
function open({ response }: Arrival): void {
  response.writeHead(200, { "content-type": "application/x-amz-json-1.1" }).end(JSON.stringify({ State: "OPEN" }));
}

export async function startWorld({ scenario, time, plan, isSpared }: Options): Promise<World> {
  time.reset(since);
  let functions: Functions | undefined;
  let process: PawlProcess | null = null;
  const processes: PawlProcess[] = [];
  const activity = createActivity(() => functions?.busy() ?? []);
  const stopIntercepting = interceptRequests((arrival) => {
    const isFunction = functionPath.test(arrival.path);
    if (isFunction) functions?.receive({ ...arrival, pass: () => void invokeFunction(process, arrival) });
    else
      functions?.receive(
        arrival.operation === "GetCalendarState" ? { ...arrival, pass: () => open(arrival) } : arrival,
      );
  });
  const outside = await startSurroundings(scenario, time);
  const polls: (PollReport | Error)[] = [];
  const ended = new Set<string>();
  const executions = new Set<string>();
  const run: Functions = createFunctions({
    time,
    activity,
    plan,
    isSpared,
    kill() {
      process?.kill();
      process = null;
      executions.clear();
    },
    onCrash: () => void process?.renew(),
    deleteObject: async (path) => void (await fetch(`${outside.url}${path}`, { method: "DELETE" })),
  });
  functions = run;

  function onStateChange(change: StateChange): void {
    activity.note();
    if (change.state !== null) return;
    if (change.type === "ExecutionStarted") return void executions.add(change.execution);
    executions.delete(change.execution);
    ended.add(change.execution);
  }

  async function poll(): Promise<void> {
    time.schedule(pollIntervalSeconds, () => void poll());
    if (process === null) {
      const { environment, repository } = outside;
      const openGit = repository?.open ?? null;
      process = await startProcess({ time, functions: run, environment, openGit, onStateChange });
      processes.push(process);
    }
    ended.clear();
    polls.push(await process.poll().catch((error: Error) => error));
    activity.note();
  }

  await outside.prepare();
  const templates = await watchTemplates(outside.url, scenario.plural ?? "deployments");
  // Pods that were there before the update are older than it.
  time.schedule(1, () => void poll());
  return {
    polls,
    read: async <Result>(path: string) => {
      const response = await fetch(`${outside.url}${path}`);
      return response.status === 404 ? null : ((await response.json()) as Result);
    },
    async run(seconds, isDone) {
      const limit = new Date(time.now().getTime() + seconds * 1000);
      for (let seen = polls.length; ;) {
        await activity.settled();
        if (polls.length > seen && (await isDone())) return true;
        seen = polls.length;
        if (!time.advance(limit)) return false;
      }
    },
    async annotate(path, annotations) {
      const body = JSON.stringify({ metadata: { annotations } });
      const headers = { "content-type": "application/merge-patch+json" };
      await fetch(`${outside.url}${path}`, { method: "PATCH", headers, body });
    },
    templateChanges: () => templates.of("web"),
    commits: () => outside.repository?.commits() ?? null,
    isUnpolled: (name) => [...executions, ...ended].some((execution) => execution.startsWith(`shop-${name}-`)),
    isQuiet: () => run.running() === 0 && process?.endpoint.running() === 0 && isQuietPoll(polls.at(-1)),
    async [Symbol.asyncDispose]() {
      run.release();
      templates.stop();
      try {
        await expectEnd(outside.close(), "closing the cluster");
        await expectEnd(Promise.all(processes.map(({ endpoint }) => endpoint.close())), "closing the executions");
      } finally {
        stopIntercepting();
      }
    },
  };
}

function isQuietPoll(report: PollReport | Error | undefined): boolean {
  if (report === undefined || report instanceof Error || report.failures > 0 || report.pools.failed.length > 0)
    return false;
  if (report.recorded > 0) return false;
  return [report, report.pools].every(({ started, adopted, inFlight }) => started + adopted + inFlight === 0);
}

/** Answers as Lambda's Invoke API does. A function whose process was killed never answers. */
async function invokeFunction(process: PawlProcess | null, { path, body, response }: Arrival): Promise<void> {
  const name = functionPath.exec(path)?.[1] ?? "";
  try {
    const result = await process?.record(name, JSON.parse(body) as object);
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(result));
  } catch (error) {
    const { name: errorType, message: errorMessage } = error as Error;
    response.writeHead(200, { "x-amz-function-error": "Unhandled" }).end(JSON.stringify({ errorType, errorMessage }));
  }
}
