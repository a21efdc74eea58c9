import { createHmac, randomBytes } from "node:crypto";

/** What binds the answer of an issuer to the browser and the login that asked for it. */
export interface FlowSecrets {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE. */
  readonly verifier: string;
}

interface Flows {
  /** Returns the value of a cookie for the browser that begins a login, with its secrets. */
  begin(login: string, now: Date): FlowSecrets & { readonly cookie: string };
  /** Returns the secrets of a cookie's value; null if it is too old, or no such value. */
  secretsOf(cookie: string, login: string, now: Date): FlowSecrets | null;
}

/** For a login, which may ask a person for a second factor. */
export const maxFlowSeconds = 600;

/** Derives the secrets of logins by a key of this process, so that a login that is never finished costs no memory. */
export function createFlows(): Flows {
  const key = randomBytes(32);
  function secretsOf(cookie: string, login: string): FlowSecrets {
    const derive = (purpose: string) =>
      createHmac("sha256", key).update([purpose, login, cookie].join("\n")).digest("base64url");
    return { state: derive("state"), nonce: derive("nonce"), verifier: derive("verifier") };
  }
  return {
    begin(login, now) {
      const cookie = `${randomBytes(32).toString("base64url")}.${now.getTime()}`;
      return { cookie, ...secretsOf(cookie, login) };
    },
    secretsOf(cookie, login, now) {
      const age = now.getTime() - Number(/^[\w-]{43}\.(\d{1,15})$/.exec(cookie)?.[1] ?? Number.NaN);
      return age >= 0 && age < maxFlowSeconds * 1000 ? secretsOf(cookie, login) : null;
    },
  };
}
