import { trimEnd } from "../trim-end.ts";
import { hidden } from "./hidden.ts";
import { ordinaryWords } from "./ordinary-words.ts";

/** The end of a name whose value is a secret. */
const name = String.raw`(?:pass(?:word|wd|phrase|code)|(?<=[_-])pass|pass(?=\\{0,3}["']?=)|pwd|secret|(?<!nexpected[ _])token|credential|(?:api|access|private|secret|signing|encryption|master|shared|account|auth|storage|license|client|session|hmac|webhook|service|subscription)[-_. ]?key|secret_key_base|authorization|(?<=["'_-])auth|cookie|session[-_]?id|jwt|sig(?:nature)?(?==))(?:s|[-_]?\d{1,3}|[-_](?:value|text|data|base))?`;

const assigned = new RegExp(String.raw`${name}\\{0,3}["'${"`"}]?\]?[ \t]{0,3}(?:=>|:=|==?|:)[ \t]{0,3}`, "gi");
/** The value stands alone in the next line, as in YAML and after a prompt. */
const above = new RegExp(String.raw`${name}["'${"`"}]?[ \t]{0,3}[:=][ \t|>+-]{0,5}\r?\n`, "gi");
/** In YAML a value follows in the next lines. */
const blockMark = /^[|>][+-]?$/;
const named = new RegExp(String.raw`${name}[ \t]{1,3}`, "gi");

/** A value without quotes: up to a blank, the end of its list, or the next name. An object or a list of JSON has names of its own. */
const bare = /(?![{[]["'{])(?:[^\s"',;&<]|["',;&](?!\s|$|[\w.-]{1,40}["']?[=:])|<(?!\/))+/y;
/** The values of all cookies. */
const cookies = /[^\s;"']*(?:;[ \t]?[^\s;"']+)*/y;
/** What stands between `Authorization:` and its credentials. */
const scheme = /(?:bearer|basic|token|apikey|digest|negotiate|ntlm|aws4-hmac-sha256)[ \t]+/iy;
const indentation = /[ \t]*/y;
const quote = /\\{0,3}["'`]/y;

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Replaces the values of names like `password`: `DB_PASSWORD=…`, `token: …`, `"secret":"…"`, `--api-key …`. */
export function redactNamedValues(text: string): string {
  const isAny = () => true;
  return redactAfter(named, redactAfter(assigned, redactAfter(above, text, isAlone), isAny), isFlag);
}

/** In characters, of `--name`. */
const maxFlagLength = 60;

function isFlag(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - maxFlagLength), at);
  return (
    before
      .split(/[\s"'=]/)
      .at(-1)
      ?.startsWith("--") === true
  );
}

/** Reports whether a line has one word, which is no name of what follows it. */
function isAlone(text: string, _at: number, start: number): boolean {
  const end = text.indexOf("\n", start);
  const line = text.slice(start, end === -1 ? text.length : end).trim();
  return !/\s/.test(line) && !/[:=]["']?$/.test(line);
}

function redactAfter(
  pattern: RegExp,
  text: string,
  isName: (text: string, at: number, end: number) => boolean,
): string {
  const kept: string[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(pattern)) {
    if (index < end || !isName(text, index, index + found.length)) continue;
    const value = readValue(text, index + found.length, found);
    if (value === null) continue;
    kept.push(text.slice(end, value.start), hidden);
    ({ end } = value);
  }
  return kept.join("") + text.slice(end);
}

/** Returns where a value is; null if there is none, or if it is a word of a sentence. */
function readValue(text: string, after: number, found: string): Span | null {
  const at = after + matchAt(indentation, text, after).length;
  const opening = matchAt(quote, text, at);
  if (opening !== "") {
    const start = at + opening.length;
    const end = endOfQuoted(text, start, opening);
    return end > start ? { start, end } : null;
  }
  const start = at + matchAt(scheme, text, at).length;
  const value = matchAt(/cookie/i.test(found) ? cookies : bare, text, start);
  if (value === "" || blockMark.test(value) || isOrdinary(value, found)) return null;
  return { start, end: start + value.length };
}

/** Reports whether a text after a blank continues a sentence, "token: not found", or is the next flag. */
function isOrdinary(value: string, found: string): boolean {
  if (!/\s$/.test(found)) return false;
  const isNextFlag = value.startsWith("--") && !/[:=]/.test(found);
  return isNextFlag || ordinaryWords.has(trimEnd(value.toLowerCase(), ".,;:!?)]'\""));
}

/** Returns the end of a quoted text, before its quote, or that of its line. Its quotes may be escaped, as in JSON within JSON. */
function endOfQuoted(text: string, start: number, opening: string): number {
  const mark = opening.at(-1);
  const escapes = opening.length - 1;
  let backslashes = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === "\n") return at;
    const isEnd = character === mark && (backslashes <= escapes || backslashes % 2 === 0);
    if (isEnd) return at - Math.min(backslashes, escapes);
    backslashes = character === "\\" ? backslashes + 1 : 0;
  }
  return text.length;
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}
