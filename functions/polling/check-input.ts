import { byKind, fields, listOfTexts, nullable, type Rule, text, textsByName, workloadRef } from "../input.ts";
import type { CheckDecision } from "../ports/checks.ts";

const note = fields({ last: nullable(textsByName), returning: nullable(textsByName) });

/** As its kind has it. */
const decision = byKind({
  hold: fields({ reason: text, detail: text, version: nullable(text), image: nullable(text), digests: nullable(note) }),
  problem: fields({ problems: listOfTexts }),
  update: fields({ version: text, image: text }),
} satisfies Record<CheckDecision["kind"], Rule>);

/** What the function `record-check` is invoked with. */
export const checkInput: Rule = fields({ cluster: text, workload: workloadRef, resourceVersion: text, decision });
