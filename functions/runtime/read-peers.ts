import * as v from "valibot";
import type { Peer } from "./settings.ts";

const text = v.nullable(v.string());

const peers = v.array(
  v.strictObject({
    name: v.string(),
    access: v.variant("kind", [
      v.strictObject({ kind: v.literal("file"), path: text, context: text }),
      v.strictObject({ kind: v.literal("secret"), secretArn: v.string(), context: text }),
      v.strictObject({
        kind: v.literal("eks"),
        clusterName: v.string(),
        region: v.string(),
        endpoint: text,
        certificateAuthority: text,
        assumeRoleArn: text,
        externalId: text,
      }),
    ]),
  }),
);

/** Parses a JSON list of peers. */
export function readPeers(value: string | undefined, problems: string[]): readonly Peer[] {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), peers), value || "[]");
  if (parsed.success) return parsed.output;
  problems.push("PAWL_PEERS is invalid; use a JSON list of {name, access: {kind: eks | secret | file, …}}");
  return [];
}
