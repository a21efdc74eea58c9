import { generateKeyPairSync, randomBytes, verify } from "node:crypto";

export interface AccessToken {
  readonly repositories: readonly string[];
  readonly permissions: Readonly<Record<string, string>>;
  readonly expiresAt: number;
}

export const { privateKey, publicKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});

export const appSlug = "pawl-of-acme";

/** The secret of the App 4711. */
export const appSecret = JSON.stringify({ appId: "4711", privateKey });

/** Verifies the token of the App as GitHub does. Returns why it is refused; null if it is not. */
export function appTokenProblem(token: string, now: Date): string | null {
  const [header = "", claims = "", signature = ""] = token.split(".");
  const decode = (part: string) =>
    JSON.parse(Buffer.from(part, "base64url").toString() || "{}") as Record<string, unknown>;
  if (
    decode(header)["alg"] !== "RS256" ||
    !verify("sha256", Buffer.from(`${header}.${claims}`), publicKey, Buffer.from(signature, "base64url"))
  )
    return "A JSON web token could not be decoded";
  const { iat, exp, iss } = decode(claims);
  const seconds = now.getTime() / 1000;
  if (iss !== "4711") return "'Issuer' claim ('iss') must be an Integer";
  if (Number(iat) > seconds)
    return "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued";
  if (Number(exp) < seconds)
    return "'Expiration time' claim ('exp') must be a numeric value representing the future time";
  return Number(exp) > seconds + 600 ? "'Expiration time' claim ('exp') is too far in the future" : null;
}

export function createTokens(now: () => Date) {
  const tokens = new Map<string, AccessToken>();
  return {
    issued: () => [...tokens.values()],
    revoke: () => tokens.clear(),
    issue(repositories: readonly string[], permissions: AccessToken["permissions"]) {
      const token = `ghs_${randomBytes(18).toString("hex")}`;
      const expiresAt = now().getTime() + 3_600_000;
      tokens.set(token, { repositories, permissions, expiresAt });
      return { token, expires_at: new Date(expiresAt).toISOString() };
    },
    find(token: string): AccessToken | null {
      const found = tokens.get(token);
      return found === undefined || found.expiresAt <= now().getTime() ? null : found;
    },
  };
}
