const release = /^1\.(\d+)\.(\d+)$/;

/** The newest release of major version 1; empty where there is none. For the bare loop, after the clock has stopped. */
export function newestOf(tags: readonly string[]): string {
  return tags.reduce((best, tag) => (orderOf(tag) > orderOf(best) ? tag : best), "");
}

function orderOf(tag: string): number {
  const [, minor, patch] = release.exec(tag) ?? [];
  return minor === undefined ? -1 : Number(minor) * 1000 + Number(patch);
}
