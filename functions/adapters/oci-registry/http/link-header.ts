import { RegistryAnswerInvalid } from "../../../ports/errors.ts";

/** A target up to its parameters, one parameter (its name, and its value quoted or not), and the end of a link. */
const targetPattern = / ?<([^>]*)>/y;
const paramPattern = / ?; ?([\w*-]+) ?(?:= ?(?:"([^"]*)"|([^ ";,]*)))?/y;
const endPattern = / ?(?:,|$)/y;

/**
 * Returns the target of `rel="next"` in a Link header (RFC 8288), resolved against its page; null at the end. Throws
 * `RegistryAnswerInvalid` if the header is invalid: it might name a page, which would then be missing.
 */
export function nextPage(header: string | null, page: URL, subject: string): URL | null {
  const text = (header ?? "").replaceAll(/\s+/g, " ").trim();
  for (let index = 0; index < text.length;) {
    const link = readLink(text, index);
    const url = link === null ? null : URL.parse(link.target, page.href);
    if (link === null || url === null) throw invalidLink(subject);
    if (link.relations.includes("next")) return url;
    index = link.end;
  }
  return null;
}

interface Link {
  readonly target: string;
  /** Of the first `rel`; others have no meaning. */
  readonly relations: readonly string[];
  readonly end: number;
}

/** Reads one link from its parts, each once: one expression for all of them can take exponential time. */
function readLink(text: string, start: number): Link | null {
  const target = matchAt(targetPattern, text, start);
  if (target === null) return null;
  let end = start + target[0].length;
  let rel: string | null = null;
  for (let param = matchAt(paramPattern, text, end); param !== null; param = matchAt(paramPattern, text, end)) {
    const [found, name = "", quoted, plain] = param;
    if (name.toLowerCase() === "rel") rel ??= quoted ?? plain ?? "";
    end += found.length;
  }
  const closing = matchAt(endPattern, text, end);
  if (closing === null) return null;
  return { target: target[1] ?? "", relations: (rel ?? "").toLowerCase().split(" "), end: end + closing[0].length };
}

function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(text);
}

function invalidLink(subject: string): RegistryAnswerInvalid {
  return new RegistryAnswerInvalid(`${subject}: the registry's Link header is invalid; a page of tags may be missing.`);
}
