import type { AutoUpdateStatus } from "../../functions/adapters/kubernetes/auto-update/status/status-fields.ts";
import { damageOf, violationsAfter, violationsDuring } from "./invariants/invariants.ts";
import { createPlan, type Injection, type Plan } from "./plan.ts";
import type { Scenario } from "./scenario.ts";
import type { VirtualTime } from "./world/virtual-time.ts";
import { startWorld, type World } from "./world/world.ts";

/** Longer than the hour for which a step is retried, and than the longest back-off. */
const lastingSeconds = 75 * 60;
/** An hour of retries, an hour of back-off, and an update. */
const idleSeconds = 3 * 3600;

export const isSpared = (about: string) => about.includes("bystander") && !about.includes("web");

const recorded = new Map<string, Promise<Plan["calls"]>>();

/** Runs a scenario without faults to its end, unless it has been run before. Returns the calls that it made. */
export function recordCalls(scenario: Scenario, time: VirtualTime): Promise<Plan["calls"]> {
  const calls = recorded.get(scenario.name) ?? runWithoutFault(scenario, time);
  recorded.set(scenario.name, calls);
  return calls;
}

async function runWithoutFault(scenario: Scenario, time: VirtualTime): Promise<Plan["calls"]> {
  const plan = createPlan(null, givenFault(scenario));
  await using world = await startWorld({ scenario, time, plan, isSpared });
  if (!(await world.run(idleSeconds + parkedSecondsOf(scenario), () => isIdle(world))))
    throw new Error(`${scenario.name}: does not become idle`);
  const { lateEnd: _late, ...planned } = scenario;
  const found = await violationsAfter(world, planned, { call: "", occurrence: 0, fault: "500", isOnce: true });
  if (found.length > 0) throw new Error(`${scenario.name}: ${found.join("; ")}`);
  return [...plan.calls];
}

/** Runs a scenario with a fault to its end. Returns which invariants do not hold. */
export async function runCell(scenario: Scenario, injection: Injection, time: VirtualTime): Promise<readonly string[]> {
  const plan = createPlan(injection, givenFault(scenario));
  await using world = await startWorld({ scenario, time, plan, isSpared });
  const found: string[] = [];
  if (!injection.isOnce) {
    await world.run(lastingSeconds + parkedSecondsOf(scenario), async () => false);
    found.push(...(await violationsDuring(world, scenario, injection)).map((one) => `while it lasts: ${one}`));
    plan.lift();
  }
  const isIdleAtEnd = await world.run(idleSeconds + parkedSecondsOf(scenario), () => isIdle(world));
  if (!isIdleAtEnd && !damageOf(injection).hook) found.push("does not become idle");
  if (await retryStalled(world)) await world.run(idleSeconds + parkedSecondsOf(scenario), () => isIdle(world));
  if (plan.injected === 0) found.push("the call was not made");
  return [...found, ...(await violationsAfter(world, scenario, injection))];
}

function parkedSecondsOf({ parkedSeconds = 0 }: Scenario): number {
  return parkedSeconds;
}

function givenFault({ killedAfter: call }: Scenario): Injection | null {
  return call === undefined ? null : { call, occurrence: 1, fault: "killed-after", isOnce: true };
}

const autoUpdates = "/apis/pawl.dev/v1alpha1/autoupdates";

interface Records {
  readonly items: readonly {
    readonly metadata: { readonly name: string };
    readonly status?: Pick<AutoUpdateStatus, "backOff" | "conditions">;
  }[];
}

/** Nothing runs, the last poll did nothing, and nothing waits for a back-off. */
async function isIdle(world: World): Promise<boolean> {
  if (!world.isQuiet()) return false;
  const { items } = (await world.read<Records>(autoUpdates)) ?? { items: [] };
  return items.every((record) => record.status?.backOff === undefined || isStalled(record));
}

/** What fails unexpectedly each time waits for a person, who retries it. Returns whether anything was. */
async function retryStalled(world: World): Promise<boolean> {
  const { items } = (await world.read<Records>(autoUpdates)) ?? { items: [] };
  const stalled = items.filter((record) => record.status?.backOff !== undefined && isStalled(record));
  for (const { metadata } of stalled) {
    const path = autoUpdates.replace("/autoupdates", `/namespaces/shop/autoupdates/${metadata.name}`);
    await world.annotate(path, { "pawl.dev/request": "retry 1" });
  }
  return stalled.length > 0;
}

function isStalled({ status }: Records["items"][number]): boolean {
  return status?.conditions?.some(({ type, status: isTrue }) => type === "Stalled" && isTrue === "True") ?? false;
}
