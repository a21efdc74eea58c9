import { createHash } from "node:crypto";
import { problemOfDigest } from "../../domain/image-grammar.ts";
import { RegistryAnswerInvalid } from "../errors.ts";
import { ask, type Reply } from "./exchange.ts";
import { parseJson } from "./json.ts";
import { repositoryUrl } from "./places.ts";
import type { Asking } from "./settings.ts";

/** A manifest as it was read, and the digest of its bytes. */
export interface Manifest {
  readonly digest: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

// All four, so that a registry gives the index where there is one and never converts.
const accept = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.v2+json",
].join(", ");

/** Asks for the manifest behind the reference, `latest` where it has neither tag nor digest. */
export function askManifest(asking: Asking, method: "GET" | "HEAD"): Promise<Reply> {
  const { image, insecureHosts } = asking;
  const url = repositoryUrl(image, `manifests/${image.digest ?? image.tag ?? "latest"}`, insecureHosts);
  return ask(asking, url, { method, headers: { accept } });
}

/** The manifest itself. Throws `RegistryAnswerInvalid` where what came is none, or not what its header says it is. */
export async function fetchManifest(asking: Asking): Promise<Manifest> {
  const reply = await askManifest(asking, "GET");
  const { body, headers } = reply;
  const fields = parseJson(body);
  // A login page has a digest too, and would restart every workload that follows the tag.
  if (!isManifest(fields)) throw invalid(asking, "the answer is no image manifest");
  const named = headers.get("docker-content-digest");
  const counted = digestOfBytes(body, named ?? asking.image.digest);
  if (named !== null && named !== counted)
    throw invalid(asking, `the registry names the digest ${shown(named)} for bytes that have ${counted}`);
  const digest = assertWanted(counted, asking);
  asking.answers.keep(reply);
  return { digest, fields };
}

/** Throws `RegistryAnswerInvalid` where `digest` is none, or another than the reference asks for. */
export function assertWanted(digest: string, asking: Asking): string {
  const { image } = asking;
  if (!isDigest(digest)) throw invalid(asking, "the registry names no digest that could be one");
  if (image.digest !== null && image.digest !== digest)
    throw invalid(asking, `the registry answers with ${digest} instead`);
  return digest;
}

/** By the algorithm of `like`, where that is known; the digest that registries count otherwise. */
function digestOfBytes(bytes: Uint8Array, like: string | null): string {
  const algorithm = ["sha384", "sha512"].find((one) => like?.startsWith(`${one}:`)) ?? "sha256";
  return `${algorithm}:${createHash(algorithm).update(bytes).digest("hex")}`;
}

/** As registries write them: in lower case. */
export function isDigest(value: unknown): value is string {
  return (
    typeof value === "string" && value.length <= 256 && value === value.toLowerCase() && problemOfDigest(value) === null
  );
}

export function invalid({ subject }: Asking, what: string): RegistryAnswerInvalid {
  return new RegistryAnswerInvalid(`${subject}: ${what}.`);
}

function isManifest(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && "schemaVersion" in value && value.schemaVersion === 2;
}

/** What is no digest may be anything, and stays out of messages. */
function shown(named: string): string {
  return isDigest(named) ? named : "of another kind";
}
