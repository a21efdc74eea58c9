import type { Freeze } from "../domain/gates/freeze.ts";
import { parseFreezes } from "../domain/gates/parse-freezes.ts";

/** Parses the freezes of the deployment, as JSON. */
export function readFreezeSetting(value: string | undefined, problems: string[]): readonly Freeze[] {
  if (!value) return [];
  const parsed = parseFreezes(parseJson(value));
  if (parsed.kind === "valid")
    return parsed.value.map((freeze) => ({
      ...freeze,
      liftedBy: "a deployment of Pawl without it (freeze in pawl.json)",
    }));
  problems.push(...parsed.problems.map(({ reason }) => `PAWL_FREEZE: ${reason}`));
  return [];
}

/** What is no JSON is no list of freezes either. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
