import { type Dispatcher, request } from "undici";
import { defaultLimits } from "../../../functions/adapters/oci-registry/options.ts";
import { repositories, selectNewestRelease } from "../images.ts";
import { compete, type Job } from "./job.ts";

// The lower bound: the same requests as Pawl, with the same client and concurrency, and nothing else but `JSON.parse`.

await compete(async (job) => async () => {
  const listings = await listAllTags(job);
  return () => Object.fromEntries([...listings].map(([repository, tags]) => [repository, selectNewestRelease(tags)]));
});

async function listAllTags(job: Job): Promise<ReadonlyMap<string, readonly string[]>> {
  const listings = new Map<string, readonly string[]>();
  const pending = repositories(job).values();
  const worker = async () => {
    for (const repository of pending) {
      const tags = await listTags(job.host, repository);
      listings.set(repository, tags);
      await request(`http://${job.host}/v2/${repository}/manifests/${selectNewestRelease(tags)}`, { method: "HEAD" });
    }
  };
  await Promise.all(Array.from({ length: defaultLimits.concurrentPerHost }, worker));
  return listings;
}

async function listTags(host: string, repository: string): Promise<readonly string[]> {
  const tags: string[] = [];
  let path: string | undefined = `/v2/${repository}/tags/list`;
  while (path !== undefined) {
    const { headers, body }: Dispatcher.ResponseData = await request(`http://${host}${path}`);
    tags.push(...((await body.json()) as { tags: readonly string[] }).tags);
    path = /^<([^>]+)>/.exec(String(headers["link"] ?? ""))?.[1];
  }
  return tags;
}
