import { readText } from "./read-text.ts";
import { fileURLToPath } from "node:url";

/** The runbook in a clone of the project, and in the package. */
const path = "docs/how-to/runbook.md";

const gitConfig = fileURLToPath(new URL("../../.git/config", import.meta.url));

const manifest = fileURLToPath(new URL("../../package.json", import.meta.url));

/**
 * Returns the address of the runbook where this clone comes from, so that alarms link to it. Without an origin, that is the `repository` of
 * `package.json`. Without either, returns the path of the file.
 */
export function defaultRunbookUrl(configFile = gitConfig, manifestFile = manifest): string {
  const address = repositoryAddress(configFile, manifestFile);
  return address === null ? path : `${address}/blob/HEAD/${path}`;
}

/** Returns the web address of the project: that of the clone's origin, or else of its manifest; null if neither is known. */
export function repositoryAddress(configFile = gitConfig, manifestFile = manifest): string | null {
  return webAddress(originOf(configFile)) ?? webAddress(repositoryOf(manifestFile));
}

/** Returns the address of the remote `origin`; empty if there is none. */
function originOf(configFile: string): string {
  const [, section = ""] = /\[remote "origin"\]([^[]*)/.exec(readText(configFile) ?? "") ?? [];
  const [, remote = ""] = /^\s*url\s*=\s*(\S+)\s*$/m.exec(section) ?? [];
  return remote;
}

/** https://docs.npmjs.com/cli/v11/configuring-npm/package-json#repository */
function repositoryOf(manifestFile: string): string {
  const { repository } = JSON.parse(readText(manifestFile) || "{}") as { repository?: string | { url?: string } };
  return (typeof repository === "string" ? repository : (repository?.url ?? "")).replace(/^git\+/, "");
}

/** Returns the web address of a repository, without a login; null if it has none. */
function webAddress(remote: string): string | null {
  const [, host, repository] =
    /^(?:https?:\/\/(?:[^@/]*@)?|ssh:\/\/git@|git@)([a-z0-9.-]+)(?::[0-9]+(?=\/))?[:/](.+?)(?:\.git)?\/?$/i.exec(
      remote,
    ) ?? [];
  return host === undefined || repository === undefined ? null : `https://${host}/${repository}`;
}
