import { existsSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readSettings } from "../../../../functions/runtime/read-settings.ts";
import { withSettingsFile } from "../../../../functions/runtime/settings-file.ts";
import { fitEnvironment } from "../../../../infra/constructs/functions/fit-environment.ts";
import { createPawlStacks } from "../../../../infra/pawl-stacks.ts";
import { createApp, parseConfig, type Synthesised, synthesised, withoutValidation } from "../../synthesized-stack.ts";

const certificate = Buffer.from(`-----BEGIN CERTIFICATE-----\n${"A".repeat(1100)}\n-----END CERTIFICATE-----`);
const eks = {
  clusterName: "prod",
  region: "eu-central-1",
  endpoint: "https://prod.eks.example.com",
  certificateAuthority: certificate.toString("base64"),
};
const namespaces = [...Array(100).keys()].map((index) => `team-${index}-${"x".repeat(30)}`);

function synthesiseWith(input: object): Synthesised & { readonly directory: string } {
  const app = createApp(withoutValidation);
  const stacks = createPawlStacks(app, parseConfig(input));
  return { ...synthesised(stacks), directory: app.outdir };
}

function environmentsOf({ ofType }: Synthesised): readonly Readonly<Record<string, unknown>>[] {
  return ofType("AWS::Lambda::Function").map(
    ([, { Properties }]) => (Properties["Environment"] as { Variables: Readonly<Record<string, unknown>> }).Variables,
  );
}

describe("100 namespaces and a certificate authority", () => {
  const stack = synthesiseWith({ clusters: [{ name: "prod", eks, namespaces }] });
  const environments = environmentsOf(stack);

  test("fit into the environment of each function", () => {
    expect(Buffer.byteLength(namespaces.join(",")) + eks.certificateAuthority.length).toBeGreaterThan(4096);
    for (const environment of environments) {
      const [names, values] = [Object.keys(environment), Object.values(environment)];
      const sizes = [...names, ...values].map((part) => (typeof part === "string" ? Buffer.byteLength(part) : 150));
      expect(sizes.reduce((one, other) => one + other)).toBeLessThanOrEqual(4096);
      expect(environment["PAWL_CLUSTER"]).toBe("prod");
    }
  });

  test("are read from a file of the layer", () => {
    const assets = readdirSync(stack.directory).filter((name) => name.startsWith("asset."));
    const files = assets.map((asset) => join(stack.directory, asset, "settings.json"));
    const file = files.find((path) => existsSync(path)) ?? "";
    const settings = readSettings(
      withSettingsFile({ PAWL_EKS_CLUSTER: "prod", PAWL_EKS_REGION: "eu-central-1", PAWL_SETTINGS_FILE: file }),
    );
    expect(settings.namespaces).toEqual(namespaces);
    expect(
      environments.every(({ PAWL_SETTINGS_FILE: path = "/opt/settings.json" }) => path === "/opt/settings.json"),
    ).toBe(true);
  });

  test("a function with a short environment has no layer", () => {
    expect(stack.at("prod/Functions/continue-as-new/Function").Properties).not.toHaveProperty("Layers");
    expect(stack.at("prod/Functions/poll/Function").Properties["Layers"]).toHaveLength(1);
  });

  test("the layer's id changes with its files, so that a new version is published", () => {
    const layersOf = (one: Synthesised) => one.ofType("AWS::Lambda::LayerVersion").map(([path]) => path);
    const other = synthesiseWith({ clusters: [{ name: "prod", eks, namespaces: [...namespaces, "one-more"] }] });
    expect(layersOf(other).filter((path) => layersOf(stack).includes(path))).toEqual([]);
  });
});

test.for([
  { when: "short", variables: { PAWL_A: "a".repeat(4076), B: "" }, moved: [] },
  { when: "one byte too long", variables: { PAWL_A: "a".repeat(4076), B: "b" }, moved: ["PAWL_A"] },
  { when: "two long settings", variables: { PAWL_A: "a".repeat(3000), PAWL_B: "b".repeat(2000) }, moved: ["PAWL_A"] },
  { when: "all long", variables: { PAWL_A: "a".repeat(5000), PAWL_B: "b".repeat(5000) }, moved: ["PAWL_A", "PAWL_B"] },
  {
    when: "the cluster, which is compared with the input first",
    variables: { PAWL_CLUSTER: "c".repeat(40), PAWL_A: "a".repeat(35), B: "b".repeat(3986) },
    moved: ["PAWL_A"],
  },
  { when: "quotes, which JSON escapes", variables: { PAWL_A: '"'.repeat(2040), B: "b" }, moved: ["PAWL_A"] },
  { when: "multi-byte characters", variables: { PAWL_A: "ä".repeat(2045), B: "bb" }, moved: ["PAWL_A"] },
])("$when: moves $moved", ({ variables, moved }) => {
  const { environment, settings } = fitEnvironment("pawl-prod-poll", variables);
  expect(Object.keys(settings)).toEqual(moved);
  expect({ PAWL_SETTINGS_FILE: "/opt/settings.json", ...environment, ...settings }).toEqual({
    PAWL_SETTINGS_FILE: "/opt/settings.json",
    ...variables,
  });
});

test("what is too long and no setting of Pawl is a problem that names it", () => {
  const noProxy = [...Array(200).keys()].map((index) => `registry-${index}.internal.example.com`);
  const proxy = { url: "http://proxy.internal:3128", noProxy };
  expect(() => synthesiseWith({ clusters: [{ name: "prod", eks }], proxy })).toThrow(
    /^the environment of pawl-prod-poll has \d+ bytes, and Lambda allows 4096; shorten what NO_PROXY comes from/,
  );
});

test("the environment takes precedence over the file, and no file changes nothing", () => {
  const file = join(mkdtempSync(join(tmpdir(), "pawl-settings-")), "settings.json");
  writeFileSync(file, JSON.stringify({ PAWL_A: "file", PAWL_B: "file" }));
  expect(withSettingsFile({ PAWL_SETTINGS_FILE: file, PAWL_A: "set" })).toMatchObject({
    PAWL_A: "set",
    PAWL_B: "file",
  });
  expect(withSettingsFile({ PAWL_A: "set" })).toEqual({ PAWL_A: "set" });
});
