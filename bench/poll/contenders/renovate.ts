import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repositories, runningTag } from "../images.ts";
import { type Measurement, measureProcess } from "../measure-process.ts";
import type { FoundTags, Job, LookupResult } from "./job.ts";
import { parseReport, parseLookupSeconds } from "./renovate-output.ts";

/** Runs Renovate with an empty cache on a compose file with every image once, and only its Docker look-ups. */
export async function runRenovate(program: string, job: Job): Promise<Measurement & LookupResult> {
  const directory = await mkdtemp(join(tmpdir(), "pawl-bench-renovate-"));
  try {
    const cwd = join(directory, "checkout");
    await mkdir(cwd);
    await writeFile(join(cwd, "docker-compose.yaml"), composeFile(job));
    await writeFile(join(directory, "config.json"), JSON.stringify(renovateConfig(job)));
    const args = [program, "--platform=local", "--dry-run=lookup"];
    const used = await measureProcess({ args, cwd, env: environment(directory), stdio: "ignore" });
    return { ...used, ...(await readResult(directory, job)) };
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

function renovateConfig({ host }: Job) {
  const matchHost = host.replace(/:\d+$/, "");
  return {
    enabledManagers: ["docker-compose"],
    onboarding: false,
    requireConfig: "optional",
    hostRules: [{ matchHost, hostType: "docker", insecureRegistry: true, allowInternal: true }],
  };
}

/** The debug log goes to a file: only it has the durations of the phases. */
function environment(directory: string) {
  return {
    RENOVATE_CONFIG_FILE: join(directory, "config.json"),
    RENOVATE_BASE_DIR: join(directory, "base"),
    RENOVATE_CACHE_DIR: join(directory, "cache"),
    RENOVATE_REPORT_TYPE: "file",
    RENOVATE_REPORT_PATH: join(directory, "report.json"),
    LOG_LEVEL: "fatal",
    // Relative, because Renovate converts the path to lower case and temporary directories have upper-case letters.
    LOG_FILE: "../log",
    LOG_FILE_LEVEL: "debug",
  };
}

async function readResult(directory: string, { host }: Job): Promise<LookupResult> {
  const seconds = parseLookupSeconds(await readFile(join(directory, "log"), "utf8"));
  const found: FoundTags = parseReport(await readFile(join(directory, "report.json"), "utf8"), host);
  return { seconds, found };
}
