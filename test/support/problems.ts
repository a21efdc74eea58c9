import type { Problem } from "../../functions/domain/workload/policy/problem.ts";

/** Returns problems with these texts, about no field. */
export function problemsOf(...texts: readonly string[]): readonly Problem[] {
  return texts.map((text) => ({ field: null, code: "InvalidValue", text }));
}

export function textsOf(problems: readonly Problem[]): readonly string[] {
  return problems.map(({ text }) => text);
}
