import { existsSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { handlersFor } from "../../../../infra/constructs/functions/function-specs.ts";
import { certificatesFile } from "../../../../infra/constructs/resource-names.ts";
import { createPawlStacks } from "../../../../infra/pawl-stacks.ts";
import { certificates } from "../../certificates.ts";
import { createApp, parseConfig, synthesise, synthesised, withoutValidation } from "../../synthesized-stack.ts";

const file = join(mkdtempSync(join(tmpdir(), "pawl-certificates-")), "authority.pem");
writeFileSync(file, certificates);

const eks = { clusterName: "prod", region: "eu-central-1" };
const stack = synthesise({
  clusters: [{ name: "prod", eks }],
  registries: { usePullSecrets: true, certificateAuthority: file },
  digests: { onFirstSeen: "adopt", imagePullPolicy: "Always" },
  proxy: { url: "http://proxy.internal:3128", noProxy: [".svc", "registry.internal:5000"] },
});

const handlers = handlersFor({ nodePools: null, releases: false, hooks: false });

function environmentOf(handler: string): Record<string, unknown> {
  const { Environment } = stack.at(`prod/Functions/${handler}/Function`).Properties;
  return (Environment as { Variables: Record<string, unknown> }).Variables;
}

describe("the configuration of registries and digests", () => {
  const pollers = ["poll", "poll-batch"] as const;

  test.for(pollers)("is passed to %s", (poller) => {
    expect(environmentOf(poller)).toMatchObject({
      PAWL_USE_PULL_SECRETS: "true",
      PAWL_DIGEST_ON_FIRST_SEEN: "adopt",
      NODE_EXTRA_CA_CERTS: "/opt/certificate-authority.pem",
      HTTPS_PROXY: "http://proxy.internal:3128",
      HTTP_PROXY: "http://proxy.internal:3128",
      NO_PROXY: "localhost,127.0.0.1,169.254.100.1,.svc,registry.internal:5000",
    });
    expect(environmentOf(poller)).not.toHaveProperty("PAWL_DIGEST_IMAGE_PULL_POLICY");
  });

  test.for(handlers.filter((name) => !pollers.some((one) => one === name)))(
    "is not passed to %s, which reads no registry",
    (handler) => {
      const variables = Object.keys(environmentOf(handler)).join(" ");
      expect(variables).not.toMatch(/PROXY|NODE_|PULL_SECRETS|BASELINE/);
    },
  );

  test("the pull policy is passed to functions that restart workloads", () => {
    const restarting = handlers.filter((name) => environmentOf(name)["PAWL_DIGEST_IMAGE_PULL_POLICY"] === "Always");
    expect(restarting).toEqual([
      "apply-update",
      "adopt-update",
      "start-canary",
      "record-success",
      "roll-back",
      "check-rollback",
    ]);
  });
});

test("certificates are a layer of the polling functions only, under the name in the environment", () => {
  const app = createApp(withoutValidation);
  const registries = { certificateAuthority: file };
  const stacks = createPawlStacks(app, parseConfig({ clusters: [{ name: "prod", eks }], registries }));
  const layered = synthesised(stacks)
    .ofType("AWS::Lambda::Function")
    .filter(([, { Properties }]) => Properties["Layers"] !== undefined);
  expect(layered.map(([path]) => path)).toEqual(["prod/Functions/poll/Function", "prod/Functions/poll-batch/Function"]);
  const { directory } = app.synth();
  const assets = readdirSync(directory).filter((name) => name.startsWith("asset."));
  const [layer = "", ...others] = assets.filter((asset) => existsSync(join(directory, asset, certificatesFile)));
  expect(others).toEqual([]);
  expect(readdirSync(join(directory, layer))).toEqual([certificatesFile]);
  expect(readFileSync(join(directory, layer, certificatesFile), "utf8")).toBe(certificates);
});
