import { type Dispatcher, request } from "undici";
import { defaultLimits } from "../../../functions/adapters/oci-registry/settings.ts";
import { repositories } from "../images.ts";
import { contend, type Job } from "./job.ts";
import { newestOf } from "./newest.ts";

// The floor: the requests that Pawl makes, by the same client and as many at once, and nothing but JSON.parse done with the answers.

await contend(async (job) => async () => {
  const listings = await listAll(job);
  return () => Object.fromEntries([...listings].map(([repository, tags]) => [repository, newestOf(tags)]));
});

async function listAll(job: Job): Promise<ReadonlyMap<string, readonly string[]>> {
  const listings = new Map<string, readonly string[]>();
  const waiting = repositories(job).values();
  const worker = async () => {
    for (const repository of waiting) listings.set(repository, await list(job.host, repository));
  };
  await Promise.all(Array.from({ length: defaultLimits.concurrentPerHost }, worker));
  return listings;
}

async function list(host: string, repository: string): Promise<readonly string[]> {
  const tags: string[] = [];
  let path: string | undefined = `/v2/${repository}/tags/list`;
  while (path !== undefined) {
    const { headers, body }: Dispatcher.ResponseData = await request(`http://${host}${path}`);
    tags.push(...((await body.json()) as { tags: readonly string[] }).tags);
    path = /^<([^>]+)>/.exec(String(headers["link"] ?? ""))?.[1];
  }
  return tags;
}
