import { fields, listOfTexts, nullable, oneOf, type Rule, text, textsByName, workloadRef } from "../input.ts";
import type { CheckDecision } from "../ports/checks.ts";

const note = fields({ last: nullable(textsByName), returning: nullable(textsByName) });

const decisions: { readonly [Kind in CheckDecision["kind"]]: Rule } = {
  hold: fields({ reason: text, detail: text, version: nullable(text), image: nullable(text), digests: nullable(note) }),
  problem: fields({ problems: listOfTexts }),
  update: fields({ version: text, image: text }),
};

const kinds = Object.keys(decisions) as readonly CheckDecision["kind"][];
const withKind = fields({ kind: oneOf(kinds) });

/** A decision as its kind has it. */
const decision: Rule = (value, path) => {
  const problem = withKind(value, path);
  if (problem !== null) return problem;
  const { kind } = value as CheckDecision;
  return decisions[kind](value, path);
};

/** What the function `record-check` is invoked with. */
export const checkInput: Rule = fields({ cluster: text, workload: workloadRef, resourceVersion: text, decision });
