import { RegistryAnswerInvalid, RepositoryNotFound } from "../errors.ts";
import { ask, onward, type Reply } from "./exchange.ts";
import { parseJson } from "./json.ts";
import { nextPage } from "./link.ts";
import { repositoryUrl } from "./places.ts";
import type { Asking } from "./settings.ts";

// distribution/reference, `tag`.
const tag = /^\w[\w.-]{0,127}$/;

/** Every page of the tags, or an error: a listing that breaks off is none. */
export async function listTags(asking: Asking): Promise<readonly string[]> {
  const tags = new Set<string>();
  const visited = new Set<string>();
  let bytes = 0;
  for (let url: URL | null = firstPage(asking); url !== null;) {
    assertGoesOn(visited, url, asking);
    const reply = await askPage(asking, url, visited.size);
    bytes += reply.body.byteLength;
    assertFits(bytes, asking);
    collect(tags, tagsOf(reply, asking), asking);
    const next = nextPage(reply.headers.get("link"), reply.url, asking.subject);
    url = next === null ? null : onward(next.href, reply, asking);
    asking.answers.keep(reply);
  }
  return [...tags];
}

function firstPage({ image, insecureHosts, limits }: Asking): URL {
  const url = repositoryUrl(image, "tags/list", insecureHosts);
  if (limits.pageSize !== null) url.searchParams.set("n", String(limits.pageSize));
  return url;
}

async function askPage(asking: Asking, url: URL, page: number): Promise<Reply> {
  try {
    return await ask(asking, url, { method: "GET", headers: { accept: "application/json" } });
  } catch (error) {
    if (page === 1 || !(error instanceof RepositoryNotFound)) throw error;
    throw invalid(asking, `page ${page} of the tags, which the page before named, is missing`);
  }
}

function tagsOf({ body }: Reply, asking: Asking): readonly string[] {
  const parsed = parseJson(body);
  const tags = typeof parsed === "object" && parsed !== null && "tags" in parsed ? parsed.tags : undefined;
  // Go writes an empty list as null.
  if (tags === null) return [];
  if (Array.isArray(tags) && tags.every((one: unknown) => typeof one === "string" && tag.test(one))) return tags;
  throw invalid(asking, "the answer is no list of tags; is this a registry, and is there a proxy before it");
}

function collect(tags: Set<string>, page: readonly string[], asking: Asking): void {
  const before = tags.size;
  for (const one of page) tags.add(one);
  if (page.length > 0 && tags.size === before) throw invalid(asking, "a page of the tags repeats what went before");
}

function assertGoesOn(visited: Set<string>, url: URL, asking: Asking): void {
  if (visited.has(url.href)) throw invalid(asking, "the pages of the tags lead round in a circle");
  if (visited.size === asking.limits.pages) throw invalid(asking, `there are more than ${visited.size} pages of tags`);
  visited.add(url.href);
}

function assertFits(bytes: number, asking: Asking): void {
  const bound = asking.limits.listingBytes;
  if (bytes > bound) throw invalid(asking, `the tags are larger than ${bound} bytes`);
}

function invalid({ subject }: Asking, what: string): RegistryAnswerInvalid {
  return new RegistryAnswerInvalid(`${subject}: ${what}.`);
}
