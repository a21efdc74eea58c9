import { Command } from "commander";
import { afterEach, describe, expect, test, vi } from "vitest";
import { poolEnvironment, type PoolRolloutOptions, withPoolRolloutOptions } from "../../../cli/options/node-pool.ts";
import { withClusterOptions } from "../../../cli/options/cluster.ts";
import { readSettings } from "../../../functions/runtime/read-settings.ts";

afterEach(() => vi.unstubAllEnvs());

/** Returns the settings that a function reads from these flags. */
function settingsOf(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const command = withPoolRolloutOptions(
    withClusterOptions(new Command().exitOverride().configureOutput({ writeErr() {} })),
  );
  command.parse(args, { from: "user" });
  return readSettings(poolEnvironment(command.opts<PoolRolloutOptions>())).nodePools;
}

describe("node pools are included", () => {
  test.for<{ args: readonly string[]; env?: Readonly<Record<string, string>>; enabled: boolean }>([
    { args: [], enabled: true },
    { args: ["-n", "shop"], enabled: false },
    { args: ["-n", "shop", "--node-pools"], enabled: true },
    { args: ["--no-node-pools"], enabled: false },
    { args: ["--node-pools", "false"], enabled: false },
    { args: [], env: { PAWL_NODE_POOLS: "0" }, enabled: false },
    { args: ["-n", "shop"], env: { PAWL_NODE_POOLS: "1" }, enabled: true },
    { args: ["--no-node-pools"], env: { PAWL_NODE_POOLS: "1" }, enabled: false },
    { args: ["--node-pools"], env: { PAWL_NODE_POOLS: "0" }, enabled: true },
  ])("$args, $env: $enabled", ({ args, env = {}, enabled }) => {
    expect(settingsOf(args, env)).toMatchObject({ enabled });
  });
});

describe("the options of node pools", () => {
  test.for<{ args: readonly string[]; env?: Readonly<Record<string, string>>; expected: object }>([
    { args: [], expected: { tagCacheSeconds: 300, usePullSecrets: false } },
    { args: ["--tag-cache", "90s"], expected: { tagCacheSeconds: 90 } },
    { args: ["--tag-cache", "1h30m"], expected: { tagCacheSeconds: 5400 } },
    { args: [], env: { PAWL_TAG_CACHE_SECONDS: "60" }, expected: { tagCacheSeconds: 60 } },
    { args: ["--node-pool-pull-secrets"], expected: { usePullSecrets: true } },
    { args: [], env: { PAWL_NODE_POOL_USE_PULL_SECRETS: "true" }, expected: { usePullSecrets: true } },
  ])("$args, $env: $expected", ({ args, env = {}, expected }) => {
    expect(settingsOf(args, env)).toMatchObject(expected);
  });

  test.for([
    ["--tag-cache", "0"],
    ["--tag-cache", "soon"],
    ["--tag-cache", "1.5s"],
    ["--node-pools", "maybe"],
  ])("%s %s is rejected", ([flag, value]) => {
    expect(() => settingsOf([flag as string, value as string])).toThrow(
      expect.objectContaining({ code: "commander.invalidArgument" }),
    );
  });
});
