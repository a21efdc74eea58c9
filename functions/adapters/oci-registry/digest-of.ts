import { createHash } from "node:crypto";
import { RegistryAnswerInvalid } from "../errors.ts";
import { ask } from "./exchange.ts";
import { parseJson } from "./json.ts";
import { repositoryUrl } from "./places.ts";
import type { Asking } from "./settings.ts";

// All four, so that a registry gives the index where there is one and never converts.
const accept = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.v2+json",
].join(", ");

/**
 * The digest behind a tag, `latest` where the reference has none. By HEAD, which Docker Hub does not count against the
 * pull limit; where the registry leaves the digest out, the digest of the manifest's bytes.
 */
export async function digestOf(asking: Asking): Promise<string> {
  const { image, insecureHosts } = asking;
  const url = repositoryUrl(image, `manifests/${image.digest ?? image.tag ?? "latest"}`, insecureHosts);
  const head = await ask(asking, url, { method: "HEAD", headers: { accept } });
  const digest = head.headers.get("docker-content-digest") ?? (await digestOfBytes(asking, url));
  if (!/^[a-z0-9+._-]+:[0-9a-f]{32,}$/.test(digest))
    throw invalid(asking, "the registry names no digest that could be one");
  if (image.digest !== null && image.digest !== digest)
    throw invalid(asking, `the registry answers with ${digest} instead`);
  return digest;
}

async function digestOfBytes(asking: Asking, url: URL): Promise<string> {
  const { body } = await ask(asking, url, { method: "GET", headers: { accept } });
  const manifest = parseJson(body);
  // A login page has a digest too, and would restart every workload that follows the tag.
  if (
    typeof manifest !== "object" ||
    manifest === null ||
    !("schemaVersion" in manifest) ||
    manifest.schemaVersion !== 2
  ) {
    throw invalid(asking, "the answer is no image manifest");
  }
  return `sha256:${createHash("sha256").update(body).digest("hex")}`;
}

function invalid({ subject }: Asking, what: string): RegistryAnswerInvalid {
  return new RegistryAnswerInvalid(`${subject}: ${what}.`);
}
