import { RegistryAnswerInvalid } from "../errors.ts";
import type { ImageReference } from "../../domain/image-reference.ts";

/** How messages name a repository. */
export function named(image: ImageReference): string {
  return `${image.registry}/${image.repository}`;
}

/** The hosts as URLs spell them, for comparison with `URL.host`. */
export function insecureHostSet(hosts: readonly string[]): ReadonlySet<string> {
  return new Set(hosts.map((host) => new URL(`http://${host}`).host));
}

/** The URL of something in the image's repository, such as `tags/list`. */
export function repositoryUrl(image: ImageReference, path: string, insecureHosts: ReadonlySet<string>): URL {
  const insecure = insecureHosts.has(new URL(`http://${image.registry}`).host);
  const repository = image.repository.split("/").map(encodeURIComponent).join("/");
  return new URL(`${insecure ? "http" : "https"}://${image.registry}/v2/${repository}/${path}`);
}

export function isOwnHost(url: URL, image: ImageReference): boolean {
  return url.host === new URL(`${url.protocol}//${image.registry}`).host;
}

/** Throws `RegistryAnswerInvalid` where a registry leads to a place that is not to be asked; `subject` begins the message. */
export function assertMayAsk(url: URL, insecureHosts: ReadonlySet<string>, subject: string): void {
  if (url.username !== "" || url.password !== "") {
    throw new RegistryAnswerInvalid(
      `${subject}: the registry leads to a URL on ${url.host} with a login in it, which is not followed.`,
    );
  }
  if (url.protocol === "https:" || (url.protocol === "http:" && insecureHosts.has(url.host))) return;
  throw new RegistryAnswerInvalid(
    `${subject}: the registry leads to ${url.protocol}//${url.host}, which is not encrypted. ` +
      `Let it (or the proxy before it) give https URLs, or name ${url.host} among the insecure hosts.`,
  );
}
