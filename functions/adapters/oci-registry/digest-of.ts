import { assertWanted, askManifest, fetchManifest } from "./manifest.ts";
import type { Asking } from "./settings.ts";

/**
 * The digest behind a tag, `latest` where the reference has none. By HEAD, which Docker Hub does not count against the
 * pull limit; where the registry leaves the digest out, the digest of the manifest's bytes.
 */
export async function digestOf(asking: Asking): Promise<string> {
  const head = await askManifest(asking, "HEAD");
  const digest = head.headers.get("docker-content-digest");
  return digest === null ? (await fetchManifest(asking)).digest : assertWanted(digest, asking);
}
