import { repositoryOf, type Shelf, tagsOf } from "../images.ts";

export interface Page {
  readonly body: string;
  /** The Link header to the next page; null on the last. */
  readonly link: string | null;
}

export type PageAt = (repository: string, last: string | null) => Page | undefined;

/** Every listing, cut into pages beforehand, so that answering costs next to nothing. */
export function pagesOf(shelf: Shelf, pageSize: number): PageAt {
  const pages = new Map<string, Page>();
  for (let index = 0; index < shelf.images; index += 1) {
    const tags = tagsOf(index, shelf);
    for (let from = 0; from < tags.length; from += pageSize) {
      const last = from === 0 ? null : (tags[from - 1] ?? null);
      pages.set(keyOf(repositoryOf(index), last), pageFrom(repositoryOf(index), tags, from, pageSize));
    }
  }
  return (repository, last) => pages.get(keyOf(repository, last));
}

function pageFrom(name: string, all: readonly string[], from: number, pageSize: number): Page {
  const tags = all.slice(from, from + pageSize);
  const isLast = from + pageSize >= all.length;
  const link = isLast ? null : `</v2/${name}/tags/list?n=${pageSize}&last=${tags.at(-1)}>; rel="next"`;
  return { body: JSON.stringify({ name, tags }), link };
}

function keyOf(repository: string, last: string | null): string {
  return `${repository}?${last ?? ""}`;
}
