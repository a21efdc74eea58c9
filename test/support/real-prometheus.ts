import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Component, startComponent } from "./control-plane/component.ts";
import { eventually } from "./control-plane/eventually.ts";
import { freePorts } from "./control-plane/ports.ts";

export interface RealPrometheus extends AsyncDisposable {
  readonly url: string;
  /** Kills the process; what it has scraped stays. */
  stop(): Promise<void>;
  /** Starts it again, at the same address and with what it had. */
  start(): Promise<void>;
}

/** Runs prometheus (Debian package) on a free loopback port, scraping the targets (`host:port`) every second. */
export async function startRealPrometheus(targets: readonly string[] = []): Promise<RealPrometheus> {
  const directory = await mkdtemp(join(tmpdir(), "pawl-prometheus-"));
  const [port] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  let running: Component | undefined;

  async function start(): Promise<void> {
    running = await startComponent("prometheus", argsFor(directory, port), [directory]).catch(explain);
    await eventually("prometheus is ready", async () => (await fetch(`${url}/-/ready`)).ok, running.died);
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
    await writeFile(join(directory, "prometheus.yml"), JSON.stringify(configFor(targets)));
    await start();
    return { url, start, stop, [Symbol.asyncDispose]: clear };
  } catch (error) {
    await clear();
    throw error;
  }
}

/** JSON is YAML. */
function configFor(targets: readonly string[]): object {
  return {
    global: { scrape_interval: "1s", scrape_timeout: "1s" },
    scrape_configs: [{ job_name: "pawl", static_configs: [{ targets }] }],
  };
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
