import { repositoryName, type TagList, createTags } from "../images.ts";

export interface Page {
  readonly body: string;
  /** `Link` header to the next page; null on the last page. */
  readonly link: string | null;
}

export type FindPage = (repository: string, last: string | null) => Page | undefined;

/** Creates the pages of all tag listings in advance, so that responses take no time. */
export function createPages(tagList: TagList, pageSize: number): FindPage {
  const pages = new Map<string, Page>();
  for (let index = 0; index < tagList.images; index += 1) {
    const tags = createTags(index, tagList);
    for (let from = 0; from < tags.length; from += pageSize) {
      const last = from === 0 ? null : (tags[from - 1] ?? null);
      pages.set(pageKey(repositoryName(index), last), createPage(repositoryName(index), tags, from, pageSize));
    }
  }
  return (repository, last) => pages.get(pageKey(repository, last));
}

function createPage(name: string, all: readonly string[], from: number, pageSize: number): Page {
  const tags = all.slice(from, from + pageSize);
  const isLast = from + pageSize >= all.length;
  const link = isLast ? null : `</v2/${name}/tags/list?n=${pageSize}&last=${tags.at(-1)}>; rel="next"`;
  return { body: JSON.stringify({ name, tags }), link };
}

function pageKey(repository: string, last: string | null): string {
  return `${repository}?${last ?? ""}`;
}
