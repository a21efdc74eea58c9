import { parseEcrHost } from "../../../domain/image/ecr-host.ts";
import { anyPublicRegistry, createRegistryPolicy } from "../../../domain/image/registry-policy.ts";
import type { ImageReference } from "../../../domain/image/reference.ts";
import { isRegistryHost } from "../urls.ts";
import { RegistryAnswerInvalid, RegistryNotAllowed } from "../../../ports/errors.ts";

export interface HostSettings {
  /** `host[:port]`, exactly as in image references: only these are called over plain HTTP, loopback included. */
  readonly insecureHosts: readonly string[];
  /** Patterns of the repositories that may be requested; `*`, the default, is every registry with a public address. */
  readonly allowed?: readonly string[] | undefined;
  /** Patterns of repositories that must not be requested; none by default. They take precedence. */
  readonly denied?: readonly string[] | undefined;
}

/** Which hosts are requested, and how. */
export interface HostPolicy {
  /** Returns the URL of a path in an image's repository, such as `tags/list`. Throws `RegistryNotAllowed`. */
  repositoryUrl(image: ImageReference, path: string): URL;
  /**
   * Throws `RegistryAnswerInvalid` or `RegistryNotAllowed` if a URL that a registry named must not be requested. `subject` is the
   * prefix of the message.
   */
  assertAllowed(url: URL, subject: string): void;
  /**
   * Reports whether the host of a URL, which is requested for an image, may have a private address. The deployment, or AWS for ECR, names
   * the image's own registry. Another host, to which that redirects or which it names for tokens, is named with its port.
   */
  mayBePrivate(url: URL, image: ImageReference): boolean;
}

/** Creates the policy of a deployment. An insecure host is requested on its own port only: `h:80` says nothing about `h`. */
export function createHostPolicy({
  insecureHosts,
  allowed = [anyPublicRegistry],
  denied = [],
}: HostSettings): HostPolicy {
  const policy = createRegistryPolicy(allowed, denied, insecureHosts);
  const plainHosts = new Set(insecureHosts.map((host) => host.toLowerCase()));
  const plainOrigins = new Set(insecureHosts.map((host) => new URL(`http://${host}`).origin));

  function repositoryUrl(image: ImageReference, path: string): URL {
    const refusal = policy.repositoryRefusal(image);
    if (refusal !== null) throw new RegistryNotAllowed(`${refusal}.`);
    const scheme = plainHosts.has(image.registry.toLowerCase()) ? "http" : "https";
    const repository = image.repository.split("/").map(encodeURIComponent).join("/");
    return new URL(`${scheme}://${image.registry}/v2/${repository}/${path}`);
  }

  function assertAllowed(url: URL, subject: string): void {
    if (url.username !== "" || url.password !== "") {
      throw new RegistryAnswerInvalid(
        `${subject}: the registry redirects to a URL on ${url.host} that contains a login, which is not followed.`,
      );
    }
    const refusal = policy.hostRefusal(authorityOf(url));
    if (refusal !== null) throw new RegistryNotAllowed(`${subject}: ${refusal}.`);
    if (url.protocol === "https:" || plainOrigins.has(url.origin)) return;
    throw new RegistryAnswerInvalid(
      `${subject}: the registry redirects to ${url.protocol}//${url.host}, which is not encrypted; ` +
        `configure it (or its proxy) for https URLs, or add ${url.host} to registries.insecureHosts (--insecure-registry).`,
    );
  }

  function isNamed(image: ImageReference): boolean {
    const { hostname } = new URL(`https://${image.registry}`);
    return plainHosts.has(image.registry.toLowerCase()) || policy.isNamed(image) || parseEcrHost(hostname) !== null;
  }

  return {
    repositoryUrl,
    assertAllowed,
    mayBePrivate: (url, image) =>
      isNamed(image) &&
      (isRegistryHost(url, image) || plainOrigins.has(url.origin) || policy.isNamedWithPort(authorityOf(url))),
  };
}

/** With its port, which `URL` leaves out if it is the default. */
function authorityOf({ protocol, hostname, port }: URL): string {
  return `${hostname}:${port || (protocol === "http:" ? "80" : "443")}`;
}
