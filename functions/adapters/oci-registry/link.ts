import { RegistryAnswerInvalid } from "../errors.ts";

const link = /^ ?<([^>]*)>((?: ?; ?[\w*-]+ ?(?:= ?(?:"[^"]*"|[^ ";,]*))?)*) ?(?:,|$)/;
const rel = /; ?rel ?= ?(?:"([^"]*)"|([^ ";,]*))/i;

/**
 * The target of `rel="next"` in a Link header (RFC 8288), resolved against the page that carried it; null at the end.
 * Throws `RegistryAnswerInvalid` where the header cannot be read: it might have named a page that would then be missing.
 */
export function nextPage(header: string | null, page: URL, subject: string): URL | null {
  let rest = (header ?? "").replaceAll(/\s+/g, " ").trim();
  while (rest !== "") {
    const [whole, target = "", params = ""] = link.exec(rest) ?? [];
    const url = URL.parse(target, page.href);
    if (whole === undefined || url === null) throw unreadable(subject);
    if (isNext(params)) return url;
    rest = rest.slice(whole.length);
  }
  return null;
}

function isNext(params: string): boolean {
  const found = rel.exec(params);
  const relations = (found?.[1] ?? found?.[2] ?? "").toLowerCase().split(" ");
  return relations.includes("next");
}

function unreadable(subject: string): RegistryAnswerInvalid {
  return new RegistryAnswerInvalid(
    `${subject}: the registry's Link header cannot be read, so that a page of tags may be missing.`,
  );
}
