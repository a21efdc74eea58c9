import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Stack } from "aws-cdk-lib";
import { Function, Runtime } from "aws-cdk-lib/aws-lambda";
import { describe, expect, test } from "vitest";
import { codeOf } from "../../../infra/constructs/bundling.ts";
import { handlersOf } from "../../../infra/constructs/deployed.ts";
import { certificatesFile } from "../../../infra/constructs/names.ts";
import { certificates } from "../certificates.ts";
import { aBundlingApp, synthesise } from "../synthesised.ts";

const file = join(mkdtempSync(join(tmpdir(), "pawl-certificates-")), "authority.pem");
writeFileSync(file, certificates);

const stack = synthesise({
  clusters: [{ name: "prod", eks: { clusterName: "prod", region: "eu-central-1" } }],
  registries: { pullSecrets: true, certificateAuthority: file },
  digests: { baseline: "running", pullPolicy: "always" },
  proxy: { url: "http://proxy.internal:3128", except: [".svc", "registry.internal:5000"] },
});

const handlers = handlersOf({ nodePools: null });

function environmentOf(handler: string): Record<string, unknown> {
  const { Environment } = stack.at(`prod/Functions/${handler}/Function`).Properties;
  return (Environment as { Variables: Record<string, unknown> }).Variables;
}

describe("what the configuration says of registries and digests", () => {
  test("the poll is told", () => {
    expect(environmentOf("poll")).toMatchObject({
      PAWL_PULL_SECRETS: "true",
      PAWL_DIGEST_BASELINE: "running",
      NODE_EXTRA_CA_CERTS: "/var/task/certificate-authority.pem",
      HTTPS_PROXY: "http://proxy.internal:3128",
      HTTP_PROXY: "http://proxy.internal:3128",
      NO_PROXY: "localhost,127.0.0.1,169.254.100.1,.svc,registry.internal:5000",
    });
    expect(environmentOf("poll")).not.toHaveProperty("PAWL_DIGEST_PULL_POLICY");
  });

  test.for(handlers.filter((name) => name !== "poll"))("%s, which asks no registry, is not", (handler) => {
    const told = Object.keys(environmentOf(handler)).join(" ");
    expect(told).not.toMatch(/PROXY|NODE_|PULL_SECRETS|BASELINE/);
  });

  test("those that restart are told of the pull policy", () => {
    const told = handlers.filter((name) => environmentOf(name)["PAWL_DIGEST_PULL_POLICY"] === "always");
    expect(told).toEqual(["apply-update", "adopt-update", "start-canary", "record-success", "roll-back"]);
  });
});

test(
  "the certificates lie beside the code under the name that the environment says, where there are any",
  { timeout: 60_000 },
  () => {
    const app = aBundlingApp();
    const made = (id: string, authority: string | null) => {
      const code = codeOf("hand-over", authority);
      new Function(new Stack(app, id), "Function", { code, handler: "index.handler", runtime: Runtime.NODEJS_24_X });
    };
    made("with", file);
    made("without", null);
    const { directory } = app.synth();
    const assets = readdirSync(directory).filter((name) => name.startsWith("asset."));
    const lying = assets.filter((asset) => readdirSync(join(directory, asset)).includes(certificatesFile));
    expect([assets.length, lying.length]).toEqual([2, 1]);
    expect(readFileSync(join(directory, lying[0] ?? "", certificatesFile), "utf8")).toBe(certificates);
  },
);
