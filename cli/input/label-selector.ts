const name = /^[A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?$/;
const domain = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;

/** Returns why a label selector is invalid; null if it is not. An empty one, which would match everything, is. */
export function invalidSelectorReason(selector: string): string | null {
  const requirements = selector.split(/,(?![^(]*\))/).map((text) => text.trim());
  const invalid = requirements.find((text) => !isRequirement(text));
  return invalid === undefined
    ? null
    : `"${invalid}" is not a requirement; use key=value, key!=value, 'key in (a,b)', 'key notin (a,b)', key or '!key'`;
}

function isRequirement(text: string): boolean {
  const set = /^(\S+)\s+(?:in|notin)\s*\(([^()]*)\)$/.exec(text);
  if (set !== null) return isKey(set[1]) && (set[2] ?? "").split(",").every((value) => isValue(value.trim()));
  const [key = "", value, ...more] = text.split(/!=|==|=/);
  if (value === undefined) return isKey(text.replace(/^!\s*/, ""));
  return more.length === 0 && isKey(key.trim()) && isValue(value.trim());
}

/** `app`, or with the prefix of its owner: `app.kubernetes.io/name`. */
function isKey(text = ""): boolean {
  const parts = text.split("/");
  const [prefix = ""] = parts;
  return parts.length < 3 && name.test(parts.at(-1) ?? "") && (parts.length === 1 || domain.test(prefix));
}

function isValue(text: string): boolean {
  return text === "" || name.test(text);
}
