import type { Activity } from "./activity.ts";
import { describeInvocation, describeRequest } from "../fault/external-call.ts";
import { crashError, invocationErrors } from "../fault/fault.ts";
import { injectFault } from "../fault/inject-fault.ts";
import type { Arrival } from "../fault/intercept.ts";
import { type Invocation, runInvocation } from "../fault/invocation.ts";
import type { Plan } from "../plan.ts";
import type { VirtualTime } from "./virtual-time.ts";

interface Running extends Invocation {
  readonly caller: string;
  /** Ends the invocation with an error of this name. */
  readonly crash: (name: string) => void;
  /** Its process was ended: nobody learns how it ends. */
  isKilled: boolean;
  /** None of its requests gets a fault. */
  readonly isSpared: boolean;
}

interface Options {
  readonly time: Pick<VirtualTime, "schedule">;
  readonly activity: Activity;
  readonly plan: Plan;
  /** Names what a call is about, if it must not get a fault. */
  readonly isSpared: (about: string) => boolean;
  /** Ends the process that runs all functions and executions. */
  readonly kill: () => void;
  /** Called after a function has crashed. */
  readonly onCrash: () => void;
  /** Deletes an object of the cluster. */
  readonly deleteObject: (path: string) => Promise<void>;
}

interface TaskCall {
  readonly state: string;
  /** The workload or node pool. */
  readonly subject: string;
  readonly timeoutSeconds: number;
  /** Reports whether the process of the execution still runs. */
  readonly isAlive: () => boolean;
}

/** Runs functions whose requests, and whose invocations by a state machine, may get a fault. */
export interface Functions {
  /** Runs a function; it is ended after `timeoutSeconds`. */
  invoke<Result>(caller: string, timeoutSeconds: number, run: () => Promise<Result>): Promise<Result>;
  /** The same for a Task of a state machine, whose invocation may get a fault too. */
  invokeTask(call: TaskCall, run: () => Promise<unknown>): Promise<unknown>;
  /** Lets a request pass, or not. */
  receive(arrival: Arrival): void;
  /** Returns the names of the functions that run, and do not wait for a response which never comes. */
  busy(): readonly string[];
  running(): number;
  /** Ends everything that runs, without an effect: the process was killed. */
  killAll(): void;
  /** Lets everything that still waits fail. */
  release(): void;
}

export function createFunctions(options: Options): Functions {
  const { time, activity, plan } = options;
  const invocations = new Map<string, Running>();
  const live = new Set<Running>();
  const held = new Set<Arrival["response"]>();
  /** Rejects in the end: what never comes is awaited by this. */
  const { promise: ended, reject: end } = Promise.withResolvers<never>();
  ended.catch(() => undefined);
  let started = 0;

  async function invoke<Result>(
    caller: string,
    timeoutSeconds: number,
    run: () => Promise<Result>,
    isSpared = false,
  ): Promise<Result> {
    const { promise: crashed, reject } = Promise.withResolvers<never>();
    const invocation: Running = {
      id: `${++started}`,
      caller,
      isDead: false,
      waits: 0,
      isKilled: false,
      isSpared,
      crash(name) {
        invocation.isDead = true;
        live.delete(invocation);
        options.onCrash();
        reject(named(name));
      },
    };
    invocations.set(invocation.id, invocation);
    live.add(invocation);
    time.schedule(timeoutSeconds, () => live.has(invocation) && invocation.crash("Sandbox.Timedout"));
    activity.note();
    const finished = Promise.race([runInvocation(invocation, run), crashed, ended]);
    await Promise.allSettled([finished]);
    if (invocation.isKilled) return ended;
    live.delete(invocation);
    activity.note();
    return finished;
  }

  async function invokeTask({ state, subject, timeoutSeconds, isAlive }: TaskCall, run: () => Promise<unknown>) {
    if (!isAlive()) return ended;
    const call = describeInvocation(state, subject);
    const isSpared = options.isSpared(call.name);
    const fault = isSpared ? null : plan.next(call);
    activity.note();
    if (fault === "killed-before") return killNow();
    if (fault === null) return invoke(state, timeoutSeconds, run, isSpared);
    if (!["killed-after", "hang-lost", "reset-lost"].includes(fault))
      throw named(invocationErrors[fault] ?? crashError);
    await invoke(state, timeoutSeconds, run).catch(() => undefined);
    if (fault === "killed-after") return killNow();
    if (fault === "hang-lost") return ended;
    throw named(invocationErrors[fault] ?? crashError);
  }

  function killNow(): Promise<never> {
    options.kill();
    return ended;
  }

  function receive(arrival: Arrival): void {
    activity.note();
    arrival.response.once("close", () => activity.note());
    const sender = arrival.invocation === null ? null : invocations.get(arrival.invocation);
    if (sender === null || sender === undefined) return arrival.pass();
    if (sender.isDead) return void held.add(arrival.response);
    const call = describeRequest(sender.caller, arrival);
    const isSpared = sender.isSpared || options.isSpared(`${arrival.path} ${arrival.body}`);
    const fault = isSpared ? null : plan.next(call);
    const effects = {
      kill: options.kill,
      crash: () => sender.crash(crashError),
      hold: () => void held.add(arrival.response),
      wait: () => countWait(sender, arrival),
      deleteObject: options.deleteObject,
    };
    if (fault !== null) return injectFault(fault, call, arrival, effects);
    // The sender of an invocation waits as long as the function that it invokes.
    if (call.isInvocation) countWait(sender, arrival);
    arrival.pass();
  }

  return {
    invoke,
    invokeTask,
    receive,
    busy: () => [...live].filter(({ waits }) => waits === 0).map(({ caller }) => caller),
    running: () => live.size,
    killAll() {
      for (const invocation of live) Object.assign(invocation, { isDead: true, isKilled: true });
      live.clear();
      activity.note();
    },
    release() {
      for (const response of held) response.destroy();
      end(named("Stopped"));
    },
  };
}

function named(name: string): Error {
  return Object.assign(new Error(`${name}: injected`), { name });
}

function countWait(sender: Running, { response }: Arrival): void {
  sender.waits += 1;
  response.once("close", () => (sender.waits -= 1));
}
