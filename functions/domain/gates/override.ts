import { parseRfc3339 } from "../text/rfc3339.ts";
import { readByUsers, userHash, valuesOf } from "./approval.ts";

/** Followed by a hash of the name of the user who overrides. */
export const overridePrefix = "override.pawl.dev/";

/** The gates that hold a push too, which a person with the right that names them may override. A push passes all others without. */
export const overridableGates = ["approval", "signature"] as const;

export type OverridableGate = (typeof overridableGates)[number];

/** With a push of one digest, a person passes gates that it would have to wait for. */
export interface Override {
  readonly user: string;
  readonly gates: readonly OverridableGate[];
  readonly version: string;
  readonly digest: string;
  /** Of the push. */
  readonly token: string;
  /** RFC3339, as the person wrote it. */
  readonly at: string;
  readonly reason: string;
}

const maxOverrides = 50;

/** Returns the annotation in which a user overrides gates. */
export function overrideKey(user: string): string {
  return overridePrefix + userHash(user);
}

/** Formats an override as lines, of which an admission policy compares the user, and each gate with the rights of the user. */
export function formatOverride({ user, gates, ...others }: Override, recordUID: string): string {
  const { version, digest, token, at, reason } = others;
  return [
    `user ${user}`,
    `record ${recordUID}`,
    ...gates.map((gate) => `gate ${gate}`),
    `push ${version}@${digest}`,
    `token ${token}`,
    `at ${at}`,
    `message ${reason}`,
  ].join("\n");
}

/** Reads the overrides of an object. */
export function readOverrides(
  annotations: Readonly<Record<string, string>>,
  recordUID: string | undefined,
): readonly Override[] {
  return readByUsers(annotations, overridePrefix, recordUID, parseOverride).slice(0, maxOverrides);
}

function parseOverride(user: string, lines: readonly string[]): Override | null {
  const valueOf = (field: string) => valuesOf(lines, field)[0];
  const [, version, digest] = /^([^@ ]+)@([^@ ]+)$/.exec(valueOf("push") ?? "") ?? [];
  const [token, at = "", reason] = [valueOf("token"), valueOf("at"), valueOf("message")];
  const gates = overridableGates.filter((gate) => valuesOf(lines, "gate").includes(gate));
  const isComplete = gates.length > 0 && parseRfc3339(at) !== null;
  return version === undefined || digest === undefined || !token || !reason || !isComplete
    ? null
    : { user, gates, version, digest, token, at, reason };
}
