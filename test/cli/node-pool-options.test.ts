import { Command } from "commander";
import { afterEach, describe, expect, test, vi } from "vitest";
import { poolEnvironment, type PoolRolloutOptions, withPoolRolloutOptions } from "../../cli/reach/node-pool-options.ts";
import { withClusterOptions } from "../../cli/reach/cluster-options.ts";
import { readSettings } from "../../functions/settings.ts";

afterEach(() => vi.unstubAllEnvs());

/** What the functions make of these flags. */
function settingsOf(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const command = withPoolRolloutOptions(
    withClusterOptions(new Command().exitOverride().configureOutput({ writeErr() {} })),
  );
  command.parse(args, { from: "user" });
  return readSettings(poolEnvironment(command.opts<PoolRolloutOptions>())).nodePools;
}

describe("node pools are looked at", () => {
  test.for<{ args: readonly string[]; env?: Readonly<Record<string, string>>; areOn: boolean }>([
    { args: [], areOn: true },
    { args: ["-n", "shop"], areOn: false },
    { args: ["-n", "shop", "--node-pools"], areOn: true },
    { args: ["--no-node-pools"], areOn: false },
    { args: ["--node-pools", "false"], areOn: false },
    { args: [], env: { PAWL_NODE_POOLS: "0" }, areOn: false },
    { args: ["-n", "shop"], env: { PAWL_NODE_POOLS: "1" }, areOn: true },
    { args: ["--no-node-pools"], env: { PAWL_NODE_POOLS: "1" }, areOn: false },
    { args: ["--node-pools"], env: { PAWL_NODE_POOLS: "0" }, areOn: true },
  ])("$args, $env: $areOn", ({ args, env = {}, areOn }) => {
    expect(settingsOf(args, env)).toMatchObject({ areOn });
  });
});

describe("how they are kept", () => {
  test.for<{ args: readonly string[]; env?: Readonly<Record<string, string>>; kept: object }>([
    { args: [], kept: { tagResolutionSeconds: 300, pullSecrets: false } },
    { args: ["--tag-resolution", "90s"], kept: { tagResolutionSeconds: 90 } },
    { args: ["--tag-resolution", "1h30m"], kept: { tagResolutionSeconds: 5400 } },
    { args: [], env: { PAWL_TAG_RESOLUTION_SECONDS: "60" }, kept: { tagResolutionSeconds: 60 } },
    { args: ["--node-pool-pull-secrets"], kept: { pullSecrets: true } },
    { args: [], env: { PAWL_NODE_POOL_PULL_SECRETS: "true" }, kept: { pullSecrets: true } },
  ])("$args, $env: $kept", ({ args, env = {}, kept }) => {
    expect(settingsOf(args, env)).toMatchObject(kept);
  });

  test.for([
    ["--tag-resolution", "0"],
    ["--tag-resolution", "soon"],
    ["--tag-resolution", "1.5s"],
    ["--node-pools", "maybe"],
  ])("%s %s is refused", ([flag, value]) => {
    expect(() => settingsOf([flag as string, value as string])).toThrow(
      expect.objectContaining({ code: "commander.invalidArgument" }),
    );
  });
});
