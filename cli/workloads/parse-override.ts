import { overridableGates } from "../../functions/domain/gates/override.ts";
import { formatRfc3339 } from "../../functions/domain/text/rfc3339.ts";
import type { PersonRequest } from "../../functions/domain/workload/request/person-request.ts";
import type { Workload } from "../../functions/domain/workload/workload.ts";
import type { RequestedOverride } from "../../functions/ports/cluster.ts";
import { InvalidInput } from "../exit-codes.ts";
import { parseVersionAndDigest } from "./requested-version.ts";

export interface OverrideOptions {
  readonly override?: readonly string[];
  readonly reason?: string;
}

type Asked = Omit<PersonRequest, "token">;

interface Overriding {
  readonly asked: Asked;
  readonly override?: RequestedOverride;
}

/** Returns what is asked, with the gates that it overrides: for one digest. Throws `InvalidInput`. */
export function parseOverride(
  { verb, argument, ...others }: Asked,
  workload: Workload,
  { override: gates = [], reason }: OverrideOptions,
): Overriding {
  if (reason?.trim() === "") throw new InvalidInput("--reason: is empty; say why");
  const asked = { verb, argument, ...others, ...(reason === undefined ? {} : { reason }) };
  if (gates.length === 0) return { asked };
  const known = overridableGates.filter((gate) => gates.includes(gate));
  const unknown = gates.find((gate) => !known.some((one) => one === gate));
  if (unknown !== undefined)
    throw new InvalidInput(
      `--override ${unknown}: only ${overridableGates.join(" and ")} can be overridden; a push does not wait for any other gate`,
    );
  if (reason === undefined) throw new InvalidInput("--override: --reason is missing; say why, for the audit");
  if (workload.overrides === undefined)
    throw new InvalidInput(`--override: a ${workload.ref.kind} has no AutoUpdate, in which overrides are written`);
  const { version, digest } = parseVersionAndDigest(argument ?? "", workload);
  return { asked: { ...asked, argument: version }, override: { gates: known, digest, at: formatRfc3339(new Date()) } };
}
