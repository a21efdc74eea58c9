import type { Injection } from "../plan.ts";
import { poolViolationsAfter, poolViolationsDuring } from "./pool-invariants.ts";
import { namesOf, seeWorkload, type SeenWorkload } from "./observe.ts";
import type { Scenario, WorkloadEnd } from "../scenario.ts";
import { updated } from "../scenarios.ts";
import type { World } from "../world/world.ts";

/** A workload whose end does not depend on the fault. */
const bystanderEnd = updated;

/** What a fault did that no later step can repair. */
interface Damage {
  /** The object itself was deleted. */
  readonly workload: boolean;
  /** Its record was deleted: nobody knows of its attempts any more. */
  readonly record: boolean;
  /** Its analysis was deleted: no canary of it can be judged. */
  readonly analysis: boolean;
  /** The template of its hook was deleted: its update is tried again for ever. */
  readonly hook: boolean;
  /** What a gate needs to know was deleted: no update starts any more. */
  readonly gate: boolean;
}

/** Returns what a deleted object means for the invariants. */
export function damageOf({ fault, call }: Injection): Damage {
  const isGone = (what: RegExp) => fault === "gone" && what.test(call);
  return {
    workload: isGone(/ (deployments|statefulsets)\/web$/),
    record: isGone(/ autoupdates\/(deployment|statefulset)-web(\/status)?$/),
    analysis: isGone(/ configmaps\/errors$/),
    hook: isGone(/ cronjobs\/migrate$/),
    gate: isGone(
      / (validatingadmissionpolic(ies|ybindings)\/|(deployments|autoupdates)\/(deployment-)?stage(\/status)?$)/,
    ),
  };
}

/** Returns what must not be, also while a fault lasts. */
export async function violationsDuring(
  world: World,
  scenario: Scenario,
  injection: Injection,
): Promise<readonly string[]> {
  const { plural, end } = scenario;
  const bystander = await seeWorkload(world, "deployments", "bystander");
  const others = isShared(injection)
    ? safety("bystander", bystander, bystanderEnd)
    : endViolations("bystander", bystander, bystanderEnd);
  const found = [...others, ...strangerViolations(await seeWorkload(world, "deployments", "stranger"))];
  if (plural === null) return [...found, ...(await poolViolationsDuring(world))];
  const web = await seeWorkload(world, plural, "web");
  const { workload, record } = damageOf(injection);
  if (workload || record) return found;
  return [
    ...found,
    ...safety("web", web, scenario.lateEnd ?? end),
    ...(isUnstated(injection) ? [] : visibility(world, web, end)),
  ];
}

/** A process that is killed each time can tell nobody, and a start that AWS throttles is in the log and the metrics only. */
function isUnstated({ call, fault }: Injection): boolean {
  return fault.startsWith("killed") || (fault === "429" && call.startsWith("poll: StartExecution "));
}

/** Reports whether the bystander needs this call too, or waits for the same registry, freeze, function or process. */
function isShared({ call, fault }: Injection): boolean {
  // A caller that the cluster does not know cannot poll at all, and a poll that ends each time updates nothing.
  const endsPolls = (fault === "401" || fault === "platform") && call.startsWith("poll:");
  if (fault.startsWith("killed") || endsPolls) return true;
  if (/: (GET configmaps\/pawl-freeze|GetCalendarState)/.test(call)) return true;
  const isOfRegistry = call.includes(" /v2/");
  return (
    / (deployments|autoupdates)\/of all$| GET configmaps\/pawl-freeze$|^poll: ListExecutions | POST \/2015-03-31\/functions\/record-check\//.test(
      call,
    ) ||
    (isOfRegistry && fault === "429")
  );
}

/** A version is blamed only if it fails, and nobody counts more failures than there were. */
function safety(name: string, { status, tag }: SeenWorkload, end: WorkloadEnd): readonly string[] {
  const { failedVersions = [], rollbackCount = 0, circuitOpen = false, update } = status;
  const unearned = failedVersions.filter((version) => !end.blamed.includes(version));
  const isFailing = tag !== null && (end.bad ?? end.blamed).includes(tag);
  return [
    ...(unearned.length === 0 ? [] : [`${name}: blames ${unearned.join(", ")}`]),
    ...(rollbackCount <= failuresOf(end) ? [] : [`${name}: counts ${rollbackCount} rollbacks`]),
    ...(circuitOpen && !end.circuitOpen ? [`${name}: its circuit is open`] : []),
    ...(isFailing && update === undefined ? [`${name}: runs ${tag}, and no update is in progress`] : []),
  ];
}

function failuresOf({ failures, blamed }: WorkloadEnd): number {
  return failures ?? blamed.length;
}

/** What is not at its end is in its status, or what the last poll reported. */
function visibility(world: World, web: SeenWorkload, end: WorkloadEnd): readonly string[] {
  const { update, backOff, holdReason, conditions = [] } = web.status;
  const last = world.polls.at(-1);
  const isReported = last === undefined || last instanceof Error || last.failures > 0;
  const isNotReady = conditions.some(({ type, status }) => type === "Ready" && status === "False");
  const isAtEnd = web.tag === end.tag && web.status.history?.at(-1)?.result === end.result;
  const isStated = [update, backOff, holdReason].some((stated) => stated !== undefined);
  return isAtEnd || isStated || world.isUnpolled("web") || isNotReady || isReported
    ? []
    : ["web: its status does not say why it waits"];
}

/** Returns what must not be when nothing is left to do, after the fault was lifted. */
export async function violationsAfter(
  world: World,
  scenario: Scenario,
  injection: Injection,
): Promise<readonly string[]> {
  const { plural, end } = scenario;
  const others = [
    ...endViolations("bystander", await seeWorkload(world, "deployments", "bystander"), bystanderEnd),
    ...strangerViolations(await seeWorkload(world, "deployments", "stranger")),
  ];
  if (plural === null) return [...others, ...(await poolViolationsAfter(world, injection))];
  const web = await seeWorkload(world, plural, "web");
  const damage = damageOf(injection);
  const left = (await namesOf(world, "deployments")).filter((name) => !["web", "bystander", "stranger"].includes(name));
  const leftovers = left.map((name) => `web: ${name} is left`);
  if (damage.workload) return [...others, ...leftovers];
  const claimed = web.status.update === undefined ? [] : ["web: is claimed"];
  if (damage.record) return [...others, ...leftovers, ...claimed];
  if (damage.analysis || damage.hook || damage.gate) {
    const stated = [...safety("web", web, end), ...visibility(world, web, end)];
    return [...others, ...leftovers, ...claimed, ...stated, ...readiness("web", web)];
  }
  const changes = world.templateChanges();
  const withdrawals = (web.status.history ?? []).filter(({ result }) => result === "Withdrawn").length;
  const isTriedAgain =
    withdrawals > 0 || isRefusedPromotion(scenario, injection) || isRefusedForward(scenario, injection);
  const expectedWithdrawals = injection.call === "" ? (scenario.withdrawals ?? 0) : withdrawals;
  const commits = world.commits();
  const committed =
    commits === null || commits === changes ? [] : [`web: has ${commits} commits for ${changes} changes`];
  const withdrawn = withdrawals === expectedWithdrawals ? [] : [`web: was withdrawn ${withdrawals} times`];
  const violationsOf = (expected: WorkloadEnd) => [
    ...(changes === expected.changes || isTriedAgain ? [] : [`web: its pods were changed ${changes} times`]),
    ...endViolations("web", web, expected),
  ];
  const isLate = scenario.lateEnd !== undefined && violationsOf(scenario.lateEnd).length === 0;
  return [...others, ...leftovers, ...claimed, ...committed, ...withdrawn, ...(isLate ? [] : violationsOf(end))];
}

/** If the cluster refuses the newer version, what was healthy last is restored in place of the one that fails. */
function isRefusedForward({ name }: Scenario, { call, fault }: Injection): boolean {
  const isRefused = fault === "403" || fault === "denial";
  return name === "fix forward" && call.startsWith("ApplyUpdate: PATCH deployments/") && isRefused;
}

/** The canary of a StatefulSet is reverted if its promotion is refused, and started again after the back-off. */
function isRefusedPromotion({ name, plural }: Scenario, { call, fault }: Injection): boolean {
  const isPromotion =
    name.startsWith("canary") && plural === "statefulsets" && call.startsWith("ApplyUpdate: PATCH statefulsets/");
  return isPromotion && (fault === "403" || fault === "denial");
}

function endViolations(name: string, seen: SeenWorkload, end: WorkloadEnd): readonly string[] {
  const {
    failedVersions = [],
    rollbackCount = 0,
    circuitOpen = false,
    history = [],
    update,
    conditions = [],
  } = seen.status;
  const verdicts = new Set(["Healthy", "RolledBack", end.result]);
  const ended = history.filter(({ result }) => verdicts.has(result ?? ""));
  const counted = end.result === "Healthy" ? 0 : failuresOf(end);
  const executions = new Set(history.map(({ startedAt }) => startedAt));
  const expected = [
    [seen.tag === end.tag, `runs ${seen.tag} instead of ${end.tag}`],
    [update === undefined, "is claimed"],
    [failedVersions.join() === end.blamed.join(), `blames ${failedVersions.join(", ") || "nothing"}`],
    [rollbackCount === counted, `counts ${rollbackCount} rollbacks`],
    [circuitOpen === end.circuitOpen, `its circuit is ${circuitOpen ? "open" : "closed"}`],
    [
      end.result === "Withdrawn"
        ? ended.at(-1)?.result === end.result
        : ended.map(({ result }) => result).join() === (end.history ?? [end.result]).join(),
      `its history is ${ended.map(({ result, reason }) => `${result} (${reason})`).join(", ") || "empty"}`,
    ],
    [executions.size === history.length, "its history has an attempt twice"],
    [
      conditions.some(({ type, status }) => type === "Ready" && status === (end.circuitOpen ? "False" : "True")),
      "is not Ready",
    ],
  ] as const;
  const broken = expected.filter(([isTrue]) => !isTrue).map(([, what]) => `${name}: ${what}`);
  return [...broken, ...(end.isUnready ? [] : readiness(name, seen))];
}

/** Every pod runs the image of the template and is ready, and no partition holds any of them back. */
function readiness(name: string, { object, tag, pods }: SeenWorkload): readonly string[] {
  const stale = pods.filter((pod) => pod.tag !== tag || !pod.isReady);
  const partition = object?.spec.updateStrategy?.rollingUpdate?.partition ?? 0;
  return [
    ...(stale.length === 0 && pods.length > 0
      ? []
      : [`${name}: ${stale.length} of ${pods.length} pods are not ready on ${tag}`]),
    ...(partition === 0 ? [] : [`${name}: its partition is ${partition}`]),
  ];
}

function strangerViolations({ object }: SeenWorkload): readonly string[] {
  return object?.metadata.generation === 1 ? [] : ["stranger: was changed"];
}
