import { createHmac, randomBytes } from "node:crypto";

/** What binds the answer of an issuer to the browser and the login that asked for it. */
export interface FlowSecrets {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE. */
  readonly verifier: string;
}

export interface Flow extends FlowSecrets {
  /** The id of the session that the new one replaces; empty if there is none. */
  readonly replaces: string;
}

interface Flows {
  /**
   * Returns the value of a cookie for the browser that begins a login, with its secrets. The cookie names the session that it
   * replaces: that of the session itself is not sent when an issuer sends the browser back.
   */
  begin(login: string, now: Date, replaces: string): Flow & { readonly cookie: string };
  /** Returns the login that a cookie's value has begun; null if it is too old, or no such value. */
  find(cookie: string, login: string, now: Date): Flow | null;
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
    begin(login, now, replaces) {
      const cookie = `${randomBytes(32).toString("base64url")}.${now.getTime()}.${replaces}`;
      return { cookie, replaces, ...secretsOf(cookie, login) };
    },
    find(cookie, login, now) {
      const [, begunAt = Number.NaN, replaces = ""] = /^[\w-]{43}\.(\d{1,15})\.([\w-]*)$/.exec(cookie) ?? [];
      const age = now.getTime() - Number(begunAt);
      return age >= 0 && age < maxFlowSeconds * 1000 ? { replaces, ...secretsOf(cookie, login) } : null;
    },
  };
}
