import { describe, expect, test } from "vitest";
import {
  type ClusterSwitches,
  clusterSwitches,
  mapSwitches,
  switchEnvironment,
  switchFolders,
} from "../../../functions/domain/cluster/switches.ts";

const off: ClusterSwitches = mapSwitches(() => false);
const on: ClusterSwitches = mapSwitches(() => true);

describe("the switches of a cluster", () => {
  test("are all off by default", () => {
    expect(off).toEqual({ releases: false, hooks: false, jobMetrics: false, configSecrets: false });
    expect(switchFolders(off)).toEqual([]);
    expect(Object.values(switchEnvironment(off, true))).toEqual(Object.keys(clusterSwitches).map(() => null));
  });

  test("need a folder once, although two of them need it", () => {
    expect(switchFolders(on)).toEqual(["releases", "hooks", "pull-secrets"]);
    expect(switchFolders({ ...off, jobMetrics: true })).toEqual(["hooks"]);
  });

  test.for([
    { polls: true, secrets: "true" },
    { polls: false, secrets: null },
  ])("are in the environment of a function that polls ($polls): $secrets", ({ polls, secrets }) => {
    expect(switchEnvironment(on, polls)).toEqual({
      PAWL_RELEASES: "true",
      PAWL_HOOKS: "true",
      PAWL_JOB_METRICS: "true",
      PAWL_CONFIG_SECRETS: secrets,
    });
  });
});
