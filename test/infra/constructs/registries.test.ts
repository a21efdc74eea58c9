import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Stack } from "aws-cdk-lib";
import { Function, Runtime } from "aws-cdk-lib/aws-lambda";
import { describe, expect, test } from "vitest";
import { createCode } from "../../../infra/constructs/bundling.ts";
import { handlersFor } from "../../../infra/constructs/function-specs.ts";
import { certificatesFile } from "../../../infra/constructs/resource-names.ts";
import { certificates } from "../certificates.ts";
import { createBundlingApp, synthesise } from "../synthesized-stack.ts";

const file = join(mkdtempSync(join(tmpdir(), "pawl-certificates-")), "authority.pem");
writeFileSync(file, certificates);

const stack = synthesise({
  clusters: [{ name: "prod", eks: { clusterName: "prod", region: "eu-central-1" } }],
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
  test("is passed to the poll", () => {
    expect(environmentOf("poll")).toMatchObject({
      PAWL_USE_PULL_SECRETS: "true",
      PAWL_DIGEST_ON_FIRST_SEEN: "adopt",
      NODE_EXTRA_CA_CERTS: "/var/task/certificate-authority.pem",
      HTTPS_PROXY: "http://proxy.internal:3128",
      HTTP_PROXY: "http://proxy.internal:3128",
      NO_PROXY: "localhost,127.0.0.1,169.254.100.1,.svc,registry.internal:5000",
    });
    expect(environmentOf("poll")).not.toHaveProperty("PAWL_DIGEST_IMAGE_PULL_POLICY");
  });

  test.for(handlers.filter((name) => name !== "poll"))("is not passed to %s, which reads no registry", (handler) => {
    const variables = Object.keys(environmentOf(handler)).join(" ");
    expect(variables).not.toMatch(/PROXY|NODE_|PULL_SECRETS|BASELINE/);
  });

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

test("certificates are added to the code under the name in the environment", { timeout: 60_000 }, () => {
  const app = createBundlingApp();
  const create = (id: string, authority: string | null) => {
    const code = createCode("continue-as-new", authority);
    new Function(new Stack(app, id), "Function", { code, handler: "index.handler", runtime: Runtime.NODEJS_24_X });
  };
  create("with", file);
  create("without", null);
  const { directory } = app.synth();
  const assets = readdirSync(directory).filter((name) => name.startsWith("asset."));
  const withCertificates = assets.filter((asset) => readdirSync(join(directory, asset)).includes(certificatesFile));
  expect([assets.length, withCertificates.length]).toEqual([2, 1]);
  expect(readFileSync(join(directory, withCertificates[0] ?? "", certificatesFile), "utf8")).toBe(certificates);
});
