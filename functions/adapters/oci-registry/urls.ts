import { RegistryAnswerInvalid } from "../../ports/errors.ts";
import type { ImageReference } from "../../domain/image/reference.ts";

/** Returns a repository's name for messages. */
export function repositoryName(image: ImageReference): string {
  return `${image.registry}/${image.repository}`;
}

/** Normalizes hosts for comparison with `URL.host`. */
export function normalizeHosts(hosts: readonly string[]): ReadonlySet<string> {
  return new Set(hosts.map((host) => new URL(`http://${host}`).host));
}

/** Returns the URL of a path in the image's repository, such as `tags/list`. */
export function repositoryUrl(image: ImageReference, path: string, insecureHosts: ReadonlySet<string>): URL {
  const isInsecure = insecureHosts.has(new URL(`http://${image.registry}`).host);
  const repository = image.repository.split("/").map(encodeURIComponent).join("/");
  return new URL(`${isInsecure ? "http" : "https"}://${image.registry}/v2/${repository}/${path}`);
}

export function isRegistryHost(url: URL, image: ImageReference): boolean {
  return url.host === new URL(`${url.protocol}//${image.registry}`).host;
}

/** Throws `RegistryAnswerInvalid` if a URL that a registry named must not be requested. `subject` is the prefix of the message. */
export function assertAllowedUrl(url: URL, insecureHosts: ReadonlySet<string>, subject: string): void {
  if (url.username !== "" || url.password !== "") {
    throw new RegistryAnswerInvalid(
      `${subject}: the registry redirects to a URL on ${url.host} that contains a login, which is not followed.`,
    );
  }
  if (url.protocol === "https:" || (url.protocol === "http:" && insecureHosts.has(url.host))) return;
  throw new RegistryAnswerInvalid(
    `${subject}: the registry redirects to ${url.protocol}//${url.host}, which is not encrypted; ` +
      `configure it (or its proxy) for https URLs, or add ${url.host} to the insecure hosts.`,
  );
}
