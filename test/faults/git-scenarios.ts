import { parse } from "yaml";
import { manifest } from "../support/git/manifest.ts";
import type { Scenario } from "./scenario.ts";
import { about, bystanders } from "./scenarios.ts";

function inGit(name: string, repository: "good" | "bad", more: Partial<Scenario> = {}): Scenario {
  const text: Scenario["manifest"] = ({ registry }) => manifest("web", `${registry}/shop/${repository}:1.0.0`);
  return {
    ...about(name, { repository }),
    manifest: text,
    objects: (around) => [parse(text(around)) as object, ...bystanders(around)],
    ...more,
  };
}

export const gitScenarios: readonly Scenario[] = [
  inGit("update through git", "good"),
  inGit("rollback through git", "bad"),
  inGit("adopted commit", "good", { killedAfter: "SyncUpdate: POST createCommitOnBranch" }),
];
