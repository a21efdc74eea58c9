import { readFileSync } from "node:fs";
import { parse } from "yaml";

const definitions = new Map<string, string>();

/**
 * Returns the definition of a state machine as JSON, which knows no aliases: what CloudFormation and the local engine get. A deployment replaces
 * the variables `${…}` in it.
 */
export function readDefinition(machine: string): string {
  const known = definitions.get(machine);
  if (known !== undefined) return known;
  const file = readFileSync(new URL(`../state-machines/${machine}.asl.yaml`, import.meta.url), "utf8");
  // The limit of aliases is against hostile files. A Catch list with aliases in it soon reaches it.
  const definition = JSON.stringify(parse(file, { merge: true, maxAliasCount: -1 }), null, 2);
  definitions.set(machine, definition);
  return definition;
}
