import { type Member, memberOf, type StartFacts, type WaitingMember } from "../../domain/gates/limits/start-facts.ts";
import type { PlacedWorkload } from "./place-workload.ts";

/** Returns what the poll has yet to decide and may come before others: who waits already and, if there are waves, each workload. */
export function undecidedMembers(
  workloads: readonly Pick<PlacedWorkload, "workload">[],
  facts: StartFacts,
): Map<string, Member | WaitingMember> {
  const waiting = new Map(facts.waiting.map((one) => [one.uid, one]));
  const members = workloads
    .filter(({ workload }) => facts.hasWaves || waiting.has(workload.ref.uid))
    .map(({ workload }) => waiting.get(workload.ref.uid) ?? memberOf(workload, ""));
  return new Map(members.map((one) => [one.uid, one]));
}

export function isWaiting(member: Member | WaitingMember): member is WaitingMember {
  return "since" in member;
}

/** Returns the undecided members of the repositories of these, once for each version: theirs is not known yet. */
export function undecidedWaves(members: readonly Member[], undecided: Iterable<Member>): readonly Member[] {
  const keyOf = ({ namespace, repository }: Member) => `${namespace} ${repository}`;
  const versions = Map.groupBy(members, keyOf);
  return [...undecided].flatMap((one) =>
    [...new Set(versions.get(keyOf(one))?.map(({ version }) => version))].map((version) => ({ ...one, version })),
  );
}
