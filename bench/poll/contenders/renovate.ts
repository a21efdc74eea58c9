import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repositories, runningTag } from "../images.ts";
import { type Measured, measured } from "../measured.ts";
import type { Found, Job, Told } from "./job.ts";
import { foundIn, lookupSeconds } from "./renovate-output.ts";

/** Runs Renovate, cold, on a compose file that names every image once. Nothing but docker look-ups happens. */
export async function runRenovate(program: string, job: Job): Promise<Measured & Told> {
  const directory = await mkdtemp(join(tmpdir(), "pawl-bench-renovate-"));
  try {
    const cwd = join(directory, "checkout");
    await mkdir(cwd);
    await writeFile(join(cwd, "docker-compose.yaml"), composeFile(job));
    await writeFile(join(directory, "config.json"), JSON.stringify(configFor(job)));
    const args = [program, "--platform=local", "--dry-run=lookup"];
    const used = await measured({ args, cwd, env: environment(directory), stdio: "ignore" });
    return { ...used, ...(await toldIn(directory, job)) };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function composeFile(job: Job): string {
  const services = repositories(job).map((repository, index) => {
    return `  app-${index}:\n    image: ${job.host}/${repository}:${runningTag}\n`;
  });
  return `services:\n${services.join("")}`;
}

function configFor({ host }: Job) {
  const matchHost = host.replace(/:\d+$/, "");
  return {
    enabledManagers: ["docker-compose"],
    onboarding: false,
    requireConfig: "optional",
    hostRules: [{ matchHost, hostType: "docker", insecureRegistry: true, allowInternal: true }],
  };
}

/** Debug goes to a file, for the time of its phases stands nowhere else. */
function environment(directory: string) {
  return {
    RENOVATE_CONFIG_FILE: join(directory, "config.json"),
    RENOVATE_BASE_DIR: join(directory, "base"),
    RENOVATE_CACHE_DIR: join(directory, "cache"),
    RENOVATE_REPORT_TYPE: "file",
    RENOVATE_REPORT_PATH: join(directory, "report.json"),
    LOG_LEVEL: "fatal",
    // Relative, for Renovate makes small letters of the path, and a temporary directory has capitals.
    LOG_FILE: "../log",
    LOG_FILE_LEVEL: "debug",
  };
}

async function toldIn(directory: string, { host }: Job): Promise<Told> {
  const seconds = lookupSeconds(await readFile(join(directory, "log"), "utf8"));
  const found: Found = foundIn(await readFile(join(directory, "report.json"), "utf8"), host);
  return { seconds, found };
}
