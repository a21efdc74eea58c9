/**
 * Reports whether an event matches a pattern, as far as Pawl's rules need it: a list allows any of its values, and `{"wildcard"}` in it
 * any text in which `*` stands for some. A list in the event matches if one of its values does.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-patterns.html
 */
export function matchesPattern(pattern: object, event: unknown): boolean {
  return Object.entries(pattern).every(([key, allowed]: [string, unknown]) => {
    const value = isObject(event) && Object.hasOwn(event, key) ? event[key] : undefined;
    if (!Array.isArray(allowed)) return isObject(allowed) && isObject(value) && matchesPattern(allowed, value);
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    return allowed.some((matcher) => values.some((one) => matches(matcher, one)));
  });
}

function matches(matcher: unknown, value: unknown): boolean {
  if (!isObject(matcher)) return value !== undefined && matcher === value;
  const { wildcard } = matcher;
  return typeof wildcard === "string" && typeof value === "string" && matchesWildcard(wildcard, value);
}

/** Without a regular expression: several `*` would make it slow. */
function matchesWildcard(wildcard: string, value: string): boolean {
  const [first = "", ...rest] = wildcard.split("*");
  const last = rest.pop();
  if (last === undefined) return value === wildcard;
  if (!value.startsWith(first) || value.length < first.length + last.length || !value.endsWith(last)) return false;
  let position = first.length;
  const end = value.length - last.length;
  for (const part of rest) {
    const at = value.indexOf(part, position);
    if (at === -1 || at + part.length > end) return false;
    position = at + part.length;
  }
  return true;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
