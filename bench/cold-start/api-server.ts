import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { once } from "node:events";
import { createSecureServer, type ServerHttp2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const notFound = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", code: 404, reason: "NotFound" };

export interface ApiServer {
  readonly url: string;
  /** In base64. */
  readonly certificate: string;
  close(): void;
}

/** Starts a server with HTTP/2, as API servers have, that answers each request as they do for what does not exist. Needs openssl. */
export async function startApiServer(): Promise<ApiServer> {
  const folder = mkdtempSync(join(tmpdir(), "pawl-cold-start-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"];
  execFileSync("openssl", ["req", "-x509", ...newKey, "-out", cert, "-days", "2", ...subject], { stdio: "ignore" });
  const pair = { key: readFileSync(key), cert: readFileSync(cert) };
  const server = createSecureServer({ ...pair, allowHTTP1: true }, (request, response) => {
    request.resume();
    response.writeHead(404, { "content-type": "application/json" });
    response.end(JSON.stringify(notFound));
  });
  const sessions = new Set<ServerHttp2Session>();
  server.on("session", (session) => sessions.add(session));
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    certificate: readFileSync(cert).toString("base64"),
    close() {
      server.close();
      for (const session of sessions) session.destroy();
      rmSync(folder, { recursive: true });
    },
  };
}
