import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startComponent } from "../control-plane/component.ts";
import { eventually } from "../control-plane/eventually.ts";
import { type Contents, pushImage } from "./push-image.ts";

export interface RealRegistry {
  /** `127.0.0.1:port`. */
  readonly host: string;
  readonly url: string;
  /** Pushes one small image under every tag. Each call creates different content. */
  pushImage(repository: string, tags: readonly string[]): Promise<void>;
  /** Pushes one image with these contents under one tag, and returns the digest that the tag resolves to. */
  push(repository: string, tag: string, contents?: Partial<Contents>): Promise<string>;
  /** Stops the process and deletes its data. */
  close(): Promise<void>;
}

interface Login {
  readonly username: string;
  readonly password: string;
}

/** Runs docker-registry (CNCF distribution, Debian package) on a free loopback port, with its own data directory. */
export async function startRealRegistry({ auth }: { readonly auth?: Login } = {}): Promise<RealRegistry> {
  const directory = await mkdtemp(join(tmpdir(), "pawl-registry-"));
  try {
    const config = join(directory, "config.json");
    await writeFile(config, JSON.stringify(await configFor(directory, auth)));
    const server = await startComponent("docker-registry", ["serve", config], [directory]).catch(
      explain("docker-registry", "docker-registry"),
    );
    const host = await eventually("docker-registry listens", () => hostIn(directory), server.died);
    const url = `http://${host}`;
    const authorization = auth === undefined ? {} : { authorization: basic(auth) };
    let images = 0;
    const next = () => ({ content: `image ${(images += 1)}` });
    return {
      host,
      url,
      async pushImage(repository, tags) {
        await pushImage(url, authorization, repository, tags, next());
      },
      push: (repository, tag, contents = {}) =>
        pushImage(url, authorization, repository, [tag], { ...next(), ...contents }),
      close: async () => {
        await server.stop();
        await rm(directory, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
}

async function configFor(directory: string, auth: Login | undefined): Promise<object> {
  const config = {
    version: "0.1",
    log: { level: "info", accesslog: { disabled: true } },
    storage: { filesystem: { rootdirectory: join(directory, "data") } },
    http: { addr: "127.0.0.1:0", secret: "pawl" },
  };
  if (auth === undefined) return config;
  const path = join(directory, "htpasswd");
  await writeFile(path, await htpasswd(auth));
  return { ...config, auth: { htpasswd: { realm: "pawl", path } } };
}

/** docker-registry accepts only bcrypt; cost 4 keeps the tests fast. */
async function htpasswd({ username, password }: Login): Promise<string> {
  const output = promisify(execFile)("htpasswd", ["-nbB", "-C", "4", username, password]);
  const { stdout } = await output.catch(explain("htpasswd", "apache2-utils"));
  return stdout;
}

/** Finds the address in the log: the kernel chooses the port, so that no other process can take it first. */
async function hostIn(directory: string): Promise<string | undefined> {
  const log = await readFile(join(directory, "docker-registry.log"), "utf8");
  return /listening on ([\d.]+:\d+)/.exec(log)?.[1];
}

function explain(program: string, debianPackage: string): (error: unknown) => never {
  return (error) => {
    const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
    const how = missing ? `is not installed; on Debian: apt-get install ${debianPackage}` : "does not start";
    throw new Error(`${program} ${how}.`, { cause: error });
  };
}

function basic({ username, password }: Login): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}
