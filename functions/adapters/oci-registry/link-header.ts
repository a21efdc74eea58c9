import { RegistryAnswerInvalid } from "../../ports/errors.ts";

const linkPattern = /^ ?<([^>]*)>((?: ?; ?[\w*-]+ ?(?:= ?(?:"[^"]*"|[^ ";,]*))?)*) ?(?:,|$)/;
const relPattern = /; ?rel ?= ?(?:"([^"]*)"|([^ ";,]*))/i;

/**
 * Returns the target of `rel="next"` in a Link header (RFC 8288), resolved against its page; null at the end. Throws
 * `RegistryAnswerInvalid` if the header is invalid: it might name a page, which would then be missing.
 */
export function nextPage(header: string | null, page: URL, subject: string): URL | null {
  let rest = (header ?? "").replaceAll(/\s+/g, " ").trim();
  while (rest !== "") {
    const [match, target = "", params = ""] = linkPattern.exec(rest) ?? [];
    const url = URL.parse(target, page.href);
    if (match === undefined || url === null) throw invalidLink(subject);
    if (isNext(params)) return url;
    rest = rest.slice(match.length);
  }
  return null;
}

function isNext(params: string): boolean {
  const match = relPattern.exec(params);
  const relations = (match?.[1] ?? match?.[2] ?? "").toLowerCase().split(" ");
  return relations.includes("next");
}

function invalidLink(subject: string): RegistryAnswerInvalid {
  return new RegistryAnswerInvalid(`${subject}: the registry's Link header is invalid; a page of tags may be missing.`);
}
