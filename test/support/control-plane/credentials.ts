import { generateKeyPairSync, randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";

/** Writes the API server's credentials: the token of the only user, and the key that signs ServiceAccount tokens. */
export async function writeCredentials(folder: string): Promise<{ readonly token: string }> {
  const token = randomUUID();
  const { publicKey, privateKey } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "sec1", format: "pem" },
  });
  const files = {
    "tokens.csv": `${token},admin,admin,"system:masters"\n`,
    "service-accounts.key": privateKey,
    "service-accounts.pub": publicKey,
  };
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text, { mode: 0o600 })));
  return { token };
}

/** Returns the admin's kubeconfig. Throws until the server has written its certificate. */
export async function kubeconfigFor(folder: string, url: string, token: string): Promise<string> {
  const authority = await readFile(join(folder, "apiserver.crt"));
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "test",
    clusters: [{ name: "test", cluster: { server: url, "certificate-authority-data": authority.toString("base64") } }],
    users: [{ name: "admin", user: { token } }],
    contexts: [{ name: "test", context: { cluster: "test", user: "admin", namespace: "default" } }],
  });
}
