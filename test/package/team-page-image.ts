import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { text as readText } from "node:stream/consumers";

const host = "pawl.example.com";

interface Image {
  /** Asks it as a proxy in front of it does. */
  get(path: string): Promise<readonly [status: number, text: string]>;
  stop(): Promise<number | null>;
}

/** Starts what the Dockerfile copies from the package, with its command, as its user, and with no other file of the project. */
export async function startTeamPageImage(packageFolder: string): Promise<Image> {
  const folder = mkdtempSync(join(tmpdir(), "pawl-image-"));
  chmodSync(folder, 0o755);
  const dockerfile = readFileSync(join(packageFolder, "infra/team-page/Dockerfile"), "utf8");
  for (const [, line = ""] of dockerfile.matchAll(/^COPY (.+)$/gm)) {
    const parts = line.split(" ");
    const to = parts.pop() ?? "";
    for (const from of parts) copy(join(packageFolder, from), join(folder, to === "./" ? basename(from) : to));
  }
  const [command = "", ...args] = JSON.parse(/^CMD (.+)$/m.exec(dockerfile)?.[1] ?? "[]") as string[];
  const [, uid = ""] = /^USER (\d+):\1$/m.exec(dockerfile) ?? [];
  const file = join(folder, "team-page.yaml");
  writeFileSync(file, JSON.stringify(configuration));
  writeFileSync(join(folder, "ca.crt"), "authority");
  // Only root may change the user.
  const user = process.getuid?.() === 0 ? { uid: Number(uid), gid: Number(uid) } : {};
  const options = {
    cwd: folder,
    ...user,
    env: {},
    stdio: ["ignore", "pipe", "inherit"] as ["ignore", "pipe", "inherit"],
  };
  const child = spawn(process.execPath, [command, ...args.slice(0, -1), file], options);
  child.once("close", () => rmSync(folder, { recursive: true }));
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const address = / listening on (\S+) for /.exec(line)?.[1] ?? "";
  return {
    get(path) {
      const { promise, resolve, reject } = Promise.withResolvers<readonly [number, string]>();
      request(`http://${address}${path}`, { headers: { host } }, (response) => {
        readText(response).then((text) => resolve([response.statusCode ?? 0, text]), reject);
      })
        .once("error", reject)
        .end();
      return promise;
    },
    async stop() {
      const closed = once(child, "close");
      child.kill("SIGTERM");
      await closed;
      return child.exitCode;
    },
  };
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true });
}

const configuration = {
  url: `https://${host}`,
  address: "127.0.0.1",
  port: 0,
  logins: [{ name: "company", issuer: "https://issuer.example.com", clientId: "pawl" }],
  clusters: [{ name: "production", server: "https://10.0.0.1", certificateAuthorityFile: "ca.crt", login: "company" }],
};
