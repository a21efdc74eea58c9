import { type ParseError, invalid } from "../text/parse-error.ts";
import { splitTemplate } from "../text/placeholders.ts";
import { suggest } from "../text/suggest.ts";
import type { NotifiedEvent } from "./event.ts";
import { outcomeOf } from "./event-types.ts";
import { describeEvents, type EventGroup, subjectKey } from "./group.ts";

/** What `{{name}}` in a template stands for. A value that an event does not have is empty. */
const values = {
  event: ({ "detail-type": type }) => type,
  outcome: ({ "detail-type": type }) => outcomeOf(type),
  id: ({ id }) => id,
  time: ({ time }) => time,
  cluster: ({ detail }) => detail.cluster,
  kind: ({ detail }) => detail.workload?.kind ?? (detail.nodePool === undefined ? "" : "BootcNodePool"),
  namespace: ({ detail }) => detail.workload?.namespace,
  name: ({ detail }) => detail.workload?.name ?? detail.nodePool?.name,
  node: ({ detail }) => detail.node,
  version: ({ detail }) => detail.version,
  currentVersion: ({ detail }) => detail.currentVersion,
  image: ({ detail }) => detail.image,
  execution: ({ detail }) => detail.execution,
  reason: ({ detail }) => detail.reason,
  evidence: ({ detail }) => detail.evidence,
  key: subjectKey,
  action: ({ "detail-type": type }) => (outcomeOf(type) === "success" ? "resolve" : "trigger"),
  count: (_, group) => String(group.length),
  summary: (_, group) => describeEvents(group).join("\n"),
} as const satisfies Readonly<Record<string, (event: NotifiedEvent, group: EventGroup) => string | null | undefined>>;

export type Token = keyof typeof values;

export type Tokens = Readonly<Record<Token, string>>;

export const tokenNames = Object.keys(values) as readonly Token[];

/** The values of a group are those of its first event. */
export function tokensOf(group: EventGroup): Tokens {
  return Object.fromEntries(tokenNames.map((name) => [name, values[name](group[0], group) ?? ""])) as Tokens;
}

/** `{{secret}}` is the text of the target's secret, `{{secret.KEY}}` a field of a secret that is a JSON object. */
const secretPattern = /^secret(?:\.([A-Za-z0-9_-]{1,64}))?$/;

/** Returns the first token that does not exist, or has no end; null if there is none. */
export function checkTokens(template: string): ParseError | null {
  for (const { kind, text } of splitTemplate(template)) {
    if (kind === "unclosed") return invalid(text, "has no closing braces");
    if (kind !== "placeholder" || isToken(text.trim()) || secretPattern.test(text.trim())) continue;
    const meant = suggest(text.trim(), tokenNames);
    const hint = meant === null ? `known tokens are ${tokenNames.join(", ")}, secret` : `did you mean {{${meant}}}?`;
    return invalid(`{{${text}}}`, `is not a token; ${hint}`);
  }
  return null;
}

export function usesSecret(template: string): boolean {
  return splitTemplate(template).some(({ kind, text }) => kind === "placeholder" && secretPattern.test(text.trim()));
}

/** Returns the values of the secret's tokens: its text, and each text of a JSON object. */
export function secretTokens(secret: string | null): Readonly<Record<string, string>> {
  if (secret === null) return {};
  const fields = Object.entries(parseObject(secret)).filter(([, value]) => typeof value === "string");
  return { secret: secret.trim(), ...Object.fromEntries(fields.map(([key, value]) => [`secret.${key}`, value])) };
}

function parseObject(text: string): object {
  try {
    return Object(JSON.parse(text)) as object;
  } catch {
    return {};
  }
}

/** Replaces the tokens of a template once: what a value contains is not replaced. A problem names the first without a value. */
export function fillTokens(
  template: string,
  valueOf: (token: string) => string | undefined,
): { readonly kind: "filled"; readonly text: string } | ParseError {
  const filled: string[] = [];
  for (const { kind, text } of splitTemplate(template)) {
    const value = kind === "placeholder" ? valueOf(text.trim()) : text;
    if (value === undefined) return invalid(`{{${text}}}`, "has no value: the secret has no such text");
    filled.push(value);
  }
  return { kind: "filled", text: filled.join("") };
}

function isToken(name: string): name is Token {
  return (tokenNames as readonly string[]).includes(name);
}
