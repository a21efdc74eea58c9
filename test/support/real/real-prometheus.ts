import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import https from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Component, startComponent } from "../control-plane/component.ts";
import { eventually } from "../control-plane/eventually.ts";
import { freePorts } from "../control-plane/ports.ts";
import { selfSigned } from "./self-signed.ts";

export interface RealPrometheus extends AsyncDisposable {
  readonly url: string;
  /** Kills the process; what it has scraped stays. */
  stop(): Promise<void>;
  /** Starts it again, at the same address and with what it had. */
  start(): Promise<void>;
}

/** Runs prometheus (Debian package) on a free loopback port, scraping the targets (`host:port`) every second. */
export async function startRealPrometheus(targets: readonly string[] = []): Promise<RealPrometheus> {
  return startConfiguredPrometheus([{ job_name: "pawl", static_configs: [{ targets }] }]);
}

/** The same with other scrape configurations. */
export async function startConfiguredPrometheus(scrapeConfigs: readonly object[]): Promise<RealPrometheus> {
  return startPrometheus(scrapeConfigs, {}, async (url) => (await fetch(`${url}/-/ready`)).ok);
}

/** Runs one that requires TLS and a login, which `setPassword` changes. Its certificate is `selfSigned`. */
export async function startPrivatePrometheus(username: string, password: string) {
  const folder = await mkdtemp(join(tmpdir(), "pawl-private-prometheus-"));
  const file = (name: string) => join(folder, name);
  const setPassword = async (next: string) => {
    // Prometheus accepts only bcrypt; cost 4 keeps the tests fast.
    const { stdout } = await promisify(execFile)("htpasswd", ["-nbBC", "4", username, next]);
    const tls_server_config = { cert_file: file("cert.pem"), key_file: file("key.pem") };
    const config = { tls_server_config, basic_auth_users: { [username]: stdout.trim().split(":")[1] } };
    await writeFile(file("web.next"), JSON.stringify(config));
    await rename(file("web.next"), file("web.yml"));
  };
  await writeFile(file("cert.pem"), selfSigned.cert);
  await writeFile(file("key.pem"), selfSigned.key);
  await setPassword(password);
  const options = { ca: selfSigned.cert, agent: false, auth: `${username}:${password}` };
  const isReady = async (url: string) => {
    const [response] = (await once(https.get(`${url}/-/ready`, options), "response")) as [IncomingMessage];
    return response.resume().statusCode === 200;
  };
  const started = await startPrometheus([], { webConfig: file("web.yml") }, isReady);
  return {
    url: started.url,
    setPassword,
    async [Symbol.asyncDispose]() {
      await started[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startPrometheus(
  scrapeConfigs: readonly object[],
  { webConfig }: { readonly webConfig?: string },
  isReady: (url: string) => Promise<boolean>,
): Promise<RealPrometheus> {
  const directory = await mkdtemp(join(tmpdir(), "pawl-prometheus-"));
  const [port] = await freePorts(1);
  const url = `${webConfig === undefined ? "http" : "https"}://127.0.0.1:${port}`;
  const args = [...argsFor(directory, port), ...(webConfig === undefined ? [] : [`--web.config.file=${webConfig}`])];
  let running: Component | undefined;

  async function start(): Promise<void> {
    running = await startComponent("prometheus", args, [directory]).catch(explain);
    await eventually("prometheus is ready", () => isReady(url), running.died);
  }

  async function stop(): Promise<void> {
    await running?.stop();
    running = undefined;
  }

  async function clear(): Promise<void> {
    await stop();
    await rm(directory, { recursive: true, force: true });
  }

  try {
    // JSON is YAML.
    const config = { global: { scrape_interval: "1s", scrape_timeout: "1s" }, scrape_configs: scrapeConfigs };
    await writeFile(join(directory, "prometheus.yml"), JSON.stringify(config));
    await start();
    return { url, start, stop, [Symbol.asyncDispose]: clear };
  } catch (error) {
    await clear();
    throw error;
  }
}

function argsFor(directory: string, port: number | undefined): readonly string[] {
  return [
    `--config.file=${join(directory, "prometheus.yml")}`,
    `--storage.tsdb.path=${join(directory, "data")}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ];
}

function explain(error: unknown): never {
  const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
  const how = missing ? "is not installed; on Debian: apt-get install prometheus" : "does not start";
  throw new Error(`prometheus ${how}.`, { cause: error });
}
