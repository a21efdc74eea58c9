import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readConfig } from "../../../infra/config/read-config.ts";

const example = JSON.parse(readFileSync("infra/config/pawl.example.json", "utf8")) as {
  readonly clusters: readonly object[];
  readonly alarms: object;
  readonly registries: object;
  readonly notifications: readonly object[];
};
const own = { name: "prod", eks: { clusterName: "prod", region: "eu-west-1" } };

test("the example cannot be deployed, and the reason names the command to run", () => {
  expect(readConfig("infra/config/pawl.example.json")).toEqual({
    kind: "invalid",
    problems: [
      expect.stringMatching(
        /^pawl: has placeholders of the example \(clusters\[0\]\.eks\.endpoint, clusters\[0\]\.eks\.certificateAuthority, .* and \d+ more\); run "npx --no-install pawl init"/,
      ),
    ],
  });
});

const [production, edge] = example.clusters as readonly [
  { eks: object; network: object; prometheus: unknown[] },
  object,
];

test.for([
  { when: "a cluster by secret", config: { clusters: [edge] } },
  { when: "a network", config: { clusters: [{ ...own, network: production.network }] } },
  { when: "an endpoint", config: { clusters: [{ ...own, eks: production.eks }] } },
  { when: "a workspace", config: { clusters: [{ ...own, prometheus: production.prometheus.slice(1, 2) }] } },
  { when: "a login", config: { clusters: [{ ...own, prometheus: production.prometheus.slice(2) }] } },
  { when: "registries", config: { clusters: [own], registries: example.registries } },
  { when: "alarms", config: { clusters: [own], alarms: example.alarms } },
  ...example.notifications.map((one, index) => ({
    when: `notification ${index}`,
    config: { clusters: [own], notifications: [one] },
  })),
])("refuses $when of the example", ({ config }) => {
  expect(readConfig(config)).toMatchObject({ kind: "invalid", problems: [expect.stringContaining("placeholders")] });
});

test("accepts values of an account", () => {
  const { kind } = readConfig({ clusters: [{ ...own, runtimeImages: { a: "ghcr.io/example/a" } }] });
  expect(kind).toBe("config");
});
