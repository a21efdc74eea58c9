import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { eventFor } from "../../bench/cold-start/events.ts";
import { deferredEntries } from "../../infra/bundles/deferred-packages.ts";
import { bundleFunctions } from "../../infra/constructs/functions/bundling.ts";
import { exportName, handlerNames } from "../../infra/constructs/functions/function-specs.ts";
import { bundleFolder } from "../support/run/bundles.ts";
import { readLoadedFiles, totalBytes } from "../support/run/loaded-files.ts";

/** Of the archive that is deployed. */
const maxZipBytes = 1_500_000;
/** Loaded until the first request to the cluster: most time of a cold start compiles it. */
const maxLoadedBytes = 1_920_000;

const folder = bundleFolder();
const files = readdirSync(folder);

function read(file: string): Buffer {
  return readFileSync(join(folder, file));
}

/** Invokes a handler of the bundle in a child process without a configuration, as Lambda does, and fails if it keeps a handle open. */
const program = `
const { [process.argv[2]]: handler } = await import(process.argv[1]);
console.log("imported");
await handler(JSON.parse(process.argv[3])).catch(({ name }) => console.log(name));
`;

const requireFile = createRequire(import.meta.url) as (file: string) => object;

/** No server listens on port 1. */
const unreachableCluster = {
  AWS_REGION: "eu-central-1",
  AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
  AWS_SECRET_ACCESS_KEY: "secret",
  AWS_ENDPOINT_URL: "http://127.0.0.1:1",
  AWS_MAX_ATTEMPTS: "1",
  PAWL_CLUSTER: "bench",
  PAWL_EKS_CLUSTER: "bench",
  PAWL_EKS_ENDPOINT: "https://127.0.0.1:1",
  PAWL_EKS_CA: Buffer.from("none").toString("base64"),
};

function run(handler: string, environment: Readonly<Record<string, string>>, event: object = {}) {
  const args = ["--input-type=module", "-e", program, join(folder, "index.mjs"), handler, JSON.stringify(event)];
  return spawnSync(process.execPath, args, { cwd: tmpdir(), env: environment, encoding: "utf8", timeout: 60_000 });
}

describe("the bundle of the functions", { timeout: 120_000 }, () => {
  test("fits its limits, and has no source maps", () => {
    expect(files.filter((file) => !file.endsWith(".mjs"))).toEqual([]);
    // As in a zip, each file is compressed by itself.
    const zipBytes = files.map((file) => gzipSync(read(file)).length).reduce((one, other) => one + other);
    expect(zipBytes).toBeLessThan(maxZipBytes);
  });

  test("contains of the generated client of Kubernetes what is called", () => {
    const text = files.map((file) => read(file).toString()).join("\n");
    for (const called of ["listNamespacedPod", "createNamespacedPodEviction", "V1PodSpec"])
      expect(text).toContain(called);
    for (const unused of ["AppsV1Api", "listNamespacedEndpoints", "V1StorageClass"]) expect(text).not.toContain(unused);
  });

  test.for(["apply-update", "check-readiness", "poll"] as const)(
    "loads for the first request of %s what it needs",
    (handler) => {
      const coverage = mkdtempSync(join(tmpdir(), "pawl-loaded-"));
      try {
        const { stdout } = run(
          exportName(handler),
          { ...unreachableCluster, NODE_V8_COVERAGE: coverage },
          eventFor(handler),
        );
        expect(stdout).toMatch(/^imported\n.*\nUnreachable\n$/s);
        const loaded = readLoadedFiles(coverage, folder);
        expect(totalBytes(loaded)).toBeLessThan(maxLoadedBytes);
        const rarelyUsed = new Set(Object.keys(deferredEntries).map((name) => join(folder, `${name}.mjs`)));
        expect(loaded.filter((file) => rarelyUsed.has(file))).toEqual([]);
      } finally {
        rmSync(coverage, { recursive: true });
      }
    },
  );

  test.for(Object.keys(deferredEntries))("has all of %s in its file", async (name) => {
    const [deferred, original] = [requireFile(join(folder, `${name}.mjs`)), (await import(name)) as object];
    expect(Object.keys(deferred)).toEqual(
      expect.arrayContaining(Object.keys(original).filter((key) => !/\W|__/.test(key))),
    );
  });

  test("is the same if it is built again, elsewhere", () => {
    const again = bundleFunctions().folder;
    expect(again).not.toBe(folder);
    expect(readdirSync(again)).toEqual(files);
    for (const file of files) expect(readFileSync(join(again, file)).equals(read(file)), file).toBe(true);
  });

  test.for(handlerNames)("exports %s, which creates no client on import, and logs it", (handler) => {
    // No region and no credentials: a client created on import would fail.
    const { status, stdout, stderr } = run(exportName(handler), {});
    expect({ status, stdout }).toEqual({ status: 0, stdout: "imported\nInputInvalid\n" });
    expect(JSON.parse(stderr)).toMatchObject({ task: exportName(handler), message: "task failed" });
  });
});
