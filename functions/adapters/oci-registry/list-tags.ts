import { RegistryAnswerInvalid, RepositoryNotFound } from "../../ports/errors.ts";
import { sendAuthenticated, resolveRedirect, type AuthenticatedResponse } from "./authenticated-request.ts";
import { jsonBoundReason } from "./http/json-bounds.ts";
import { parseJson } from "./http/read-body.ts";
import { nextPage } from "./http/link-header.ts";
import type { RequestContext } from "./options.ts";

// distribution/reference, `tag`.
const tagPattern = /^\w[\w.-]{0,127}$/;

/** What a tag takes besides its characters, as a string in a set. */
const bytesPerTag = 64;

/** Returns the tags of every page. Throws if any page fails: a partial list is never returned. */
export async function listTags(context: RequestContext): Promise<readonly string[]> {
  const tags = new Set<string>();
  const visited = new Set<string>();
  let bytes = 0;
  for (let url: URL | null = firstPage(context); url !== null;) {
    assertNewPage(visited, url, context);
    const response = await fetchPage(context, url, visited.size);
    bytes += response.body.byteLength;
    assertSize(bytes, context);
    addPage(tags, parseTags(response, context), context);
    const link = nextPage(response.headers.get("link"), response.url, context.subject);
    url = link === null ? null : resolveRedirect(link.href, response, context);
    context.responseCache.store(response);
  }
  return [...tags];
}

function firstPage({ image, hosts, limits }: RequestContext): URL {
  const url = hosts.repositoryUrl(image, "tags/list");
  if (limits.pageSize !== null) url.searchParams.set("n", String(limits.pageSize));
  return url;
}

async function fetchPage(context: RequestContext, url: URL, page: number): Promise<AuthenticatedResponse> {
  try {
    return await sendAuthenticated(context, url, { method: "GET", headers: { accept: "application/json" } });
  } catch (error) {
    if (page === 1 || !(error instanceof RepositoryNotFound)) throw error;
    throw invalidAnswer(context, `page ${page} of the tags, to which the previous page links, is missing`);
  }
}

function parseTags({ body }: AuthenticatedResponse, context: RequestContext): readonly string[] {
  const parsed = parseJson(body);
  const tags = typeof parsed === "object" && parsed !== null && "tags" in parsed ? parsed.tags : undefined;
  // Go encodes an empty list as null.
  if (tags === null) return [];
  if (Array.isArray(tags) && tags.every((tag: unknown) => typeof tag === "string" && tagPattern.test(tag))) return tags;
  const boundReason = jsonBoundReason(body);
  if (boundReason !== null) throw invalidAnswer(context, `the registry answered with ${boundReason}`);
  throw invalidAnswer(
    context,
    "the response is not a list of tags; check that this is a registry, and that no proxy answers for it",
  );
}

function addPage(tags: Set<string>, page: readonly string[], context: RequestContext): void {
  const sizeBefore = tags.size;
  const limit = context.limits.tagsPerRepository;
  for (const tag of page) tags.add(tag);
  if (tags.size > limit) throw invalidAnswer(context, `there are more than ${limit} tags; delete old ones`);
  context.memory.hold((tags.size - sizeBefore) * bytesPerTag);
  if (page.length > 0 && tags.size === sizeBefore)
    throw invalidAnswer(context, "a page of the tags repeats the previous pages");
}

function assertNewPage(visited: Set<string>, url: URL, context: RequestContext): void {
  if (visited.has(url.href)) throw invalidAnswer(context, "the pages of the tags link to each other in a loop");
  if (visited.size === context.limits.pages)
    throw invalidAnswer(context, `there are more than ${visited.size} pages of tags`);
  visited.add(url.href);
}

function assertSize(bytes: number, context: RequestContext): void {
  const limit = context.limits.listingBytes;
  if (bytes > limit) throw invalidAnswer(context, `the tags are larger than ${limit} bytes`);
}

function invalidAnswer({ subject }: RequestContext, problem: string): RegistryAnswerInvalid {
  return new RegistryAnswerInvalid(`${subject}: ${problem}.`);
}
