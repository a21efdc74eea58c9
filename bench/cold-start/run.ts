import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { commonOptions } from "../../infra/bundles/build-functions.ts";
import { bundleFunctions } from "../../infra/constructs/functions/bundling.ts";
import { exportName, handlerNames } from "../../infra/constructs/functions/function-specs.ts";
import { signaturePredicate } from "../../functions/domain/signature/statement.ts";
import { startApiServer } from "./api-server.ts";
import { eventFor } from "./events.ts";
import { type ColdStart, measureColdStart } from "./measure.ts";
import { formatTable } from "./table.ts";

// Measures the cold start of each function, and of an empty one with a client of the AWS SDK. The least of some runs is what the code takes: other
// processes of the machine only add to it.

const runs = Number(process.argv[2] ?? 7);
/** Of some functions only: `apply-update,verify-image`. */
const chosen = process.argv[3]?.split(",") ?? handlerNames;
const folder = mkdtempSync(join(tmpdir(), "pawl-empty-"));
const entryPoints = { index: fileURLToPath(new URL("empty-handler.ts", import.meta.url)) };
await build({ ...commonOptions, target: "node24", entryPoints, outdir: folder });
const empty = { name: "empty", file: join(folder, "index.mjs"), handler: "handler", event: {} };
const bundle = join(bundleFunctions().folder, "index.mjs");
const functions = handlerNames.map((name) => ({
  name,
  file: bundle,
  handler: exportName(name),
  event: eventFor(name),
}));

const machine = "arn:aws:states:eu-central-1:123456789012:stateMachine:bench";
const server = await startApiServer();
// The server expects TLS: what is measured ends when the request has been sent.
const url = server.url.replace("https:", "http:");
const notifications = join(folder, "notifications.json");
writeFileSync(
  notifications,
  JSON.stringify([{ kind: "webhook", name: "bench", url, method: "POST", headers: {}, body: null, secretArn: null }]),
);
const { host } = new URL(url);
const rules = join(folder, "verify.json");
const key = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ type: "spki", format: "pem" });
const authority = { kind: "key", name: "bench", publicKey: key, transparencyLog: "optional", trustedRoot: null };
const requirements = [{ predicateType: signaturePredicate, any: [authority], builder: null }];
writeFileSync(rules, JSON.stringify([{ repositories: [host], namespaces: null, mode: "enforce", requirements }]));
const image = { event: { ...eventFor("verify-image"), target: { kind: "image", image: `${host}/web:1.1.0` } } };
const own: Readonly<Partial<Record<string, { readonly event: object; readonly environment: object }>>> = {
  "verify-image": { ...image, environment: { PAWL_VERIFY_FILE: rules, PAWL_INSECURE_REGISTRIES: host } },
};
const environment = {
  AWS_REGION: "eu-central-1",
  AWS_ACCESS_KEY_ID: "bench",
  AWS_SECRET_ACCESS_KEY: "bench",
  AWS_ENDPOINT_URL: "http://127.0.0.1:1",
  PAWL_CLUSTER: "bench",
  PAWL_EKS_CLUSTER: "bench",
  PAWL_EKS_ENDPOINT: server.url,
  PAWL_EKS_CA: server.certificate,
  PAWL_CLAIM_HOLDER: "bench",
  PAWL_STATE_MACHINE_ARN: machine,
  PAWL_POOL_MACHINE_ARN: machine,
  PAWL_WORK_BUCKET: "bench",
  PAWL_NOTIFICATIONS_FILE: notifications,
  PAWL_NODE_POOLS: "1",
  LOG_LEVEL: "SILENT",
  POWERTOOLS_METRICS_DISABLED: "true",
};

const programs = [empty, ...functions.filter(({ name }) => chosen.includes(name))];
const measured = new Map<string, ColdStart>();
try {
  for (let run = 0; run < runs; run += 1) {
    for (const { name, file, handler, event } of programs) {
      const next = await measureColdStart(file, handler, own[name]?.event ?? event, {
        ...environment,
        ...own[name]?.environment,
      });
      const best = measured.get(name);
      if (best === undefined || next.callMs < best.callMs) measured.set(name, next);
    }
  }
  console.log(formatTable(measured));
} finally {
  server.close();
  rmSync(folder, { recursive: true });
}
