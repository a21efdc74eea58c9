import { createHash } from "node:crypto";
import type { ImageReference } from "../../domain/image-reference.ts";
import type { PullLogins } from "../../ports/registry.ts";
import type { Credentials } from "./credentials.ts";

/** On whose account a registry is asked: the image, and the pull secrets of the workload that runs it. */
export interface Asker {
  readonly image: ImageReference;
  readonly logins: PullLogins;
}

/** Whose name a request is made in; "nobody" where the registry has not asked. */
export type Identity = "nobody" | "anonymous" | "login";

/** Somebody at one host, before anything is fetched for it. */
export interface Visitor {
  readonly identity: Identity;
  /** The same for the same login and no other: what one was given is found again by it. Tells nothing of the login. */
  readonly whose: string;
  /** What `whose` would be, were the host to ask for a login. */
  wouldBe(): Promise<string>;
  /** The `Authorization` to send, null for none. Fetches a token where one is wanted, and throws what that throws. */
  header(): Promise<string | null>;
}

/** As `whose`, for a login; null is a registry asked anonymously. */
export function whoseOf(login: Credentials | null): string {
  return login === null ? "anonymous" : createHash("sha256").update(JSON.stringify(login)).digest("base64");
}
