import { onTestFinished } from "vitest";
import { openGitHub, type GitHubOptions } from "../../../functions/adapters/github/repository.ts";
import { secondsAfter } from "../../../functions/domain/text/rfc3339.ts";
import { createExpiringCache } from "../../../functions/adapters/expiring-cache.ts";
import { createSender } from "../../../functions/adapters/github/send.ts";
import { type GitHubStandIn, startGitHub } from "../../support/git/github/server.ts";
import { appSecret } from "../../support/git/github/tokens.ts";

/** 2026-01-01, and where a test moves it. */
export interface Clock {
  now: Date;
}

const begin = new Date("2026-01-01T00:00:00Z");
const standInSecret = { get: async () => appSecret, forget: () => undefined };

/** Opens the adapter of `acme/deploy`. */
export function openDeploy(options: Partial<GitHubOptions>) {
  return openGitHub({
    name: "deploy",
    mode: "commit",
    repository: "acme/deploy",
    branch: "main",
    paths: ["*"],
    secret: standInSecret,
    now: () => begin,
    ...options,
  });
}

/** Opens the adapter of a stand-in that ends with the test. */
export async function openStandIn(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: Partial<GitHubOptions> = {},
  {
    clock = { now: begin },
    secret = async () => appSecret,
    modes = {},
  }: {
    readonly clock?: Clock;
    readonly secret?: () => Promise<string>;
    readonly modes?: Readonly<Record<string, string>>;
  } = {},
) {
  const now = () => clock.now;
  const host: GitHubStandIn = await startGitHub(files, now, modes);
  onTestFinished(() => host.stop());
  const cached = createExpiringCache(async () => ({ value: await secret(), expiresAt: secondsAfter(now(), 300) }), now);
  const git = openDeploy({
    apiUrl: host.apiUrl,
    repository: host.name,
    secret: cached,
    now,
    // Only ends what hangs: a machine may be busy.
    send: createSender(300),
    ...options,
  });
  return { git, host, clock };
}
