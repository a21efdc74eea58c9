import { createHash } from "node:crypto";
import type { ImageReference } from "../../../domain/image/reference.ts";
import type { PullLogins } from "../../../ports/registry.ts";
import type { Credentials } from "./credentials.ts";

/** The reason for a request: the image, and the pull secrets of the workload that runs it. */
export interface RequestOrigin {
  readonly image: ImageReference;
  readonly logins: PullLogins;
  /** The namespace that it is for. */
  readonly payer: string;
}

/** How a request authenticates; "unauthenticated" until the registry requires credentials. */
export type Identity = "unauthenticated" | "anonymous" | "login";

/** The identity of requests to one host, before any token is fetched for it. */
export interface Principal {
  readonly identity: Identity;
  /** Identifies the credentials without revealing them; the key of everything that is cached for them. */
  readonly credentialId: string;
  /** Returns the `credentialId` that applies if the host requires credentials. */
  expectedCredentialId(): Promise<string>;
  /** Returns the `Authorization` header, null for none. Fetches a token if needed, and throws what that throws. */
  authorizationHeader(): Promise<string | null>;
}

/** Returns the `credentialId` of a login; null means an anonymous one. */
export function computeCredentialId(login: Credentials | null): string {
  return login === null ? "anonymous" : createHash("sha256").update(JSON.stringify(login)).digest("base64");
}
