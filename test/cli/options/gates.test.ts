import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { gateEnvironment } from "../../../cli/options/gates.ts";
import { readSettings } from "../../../functions/runtime/read-settings.ts";

const cluster = { name: "staging", eks: { clusterName: "staging", region: "eu-central-1" } };
const defaults = [{ policy: { pin: "digest" } }];

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pawl-gates-"));
});

afterAll(() => rm(folder, { recursive: true }));

async function written(config: object): Promise<string> {
  const file = join(folder, "pawl.json");
  await writeFile(file, JSON.stringify({ clusters: [cluster], ...config }));
  return file;
}

describe("pawl local", () => {
  test("has the limits, freezes and defaults of a file, as the functions on AWS", async () => {
    const freeze = [{ reason: "Christmas" }];
    const config = await written({
      limits: { maxConcurrent: 3, haltAfter: 4, haltScope: "cluster" },
      freeze,
      defaults,
    });
    const settings = readSettings({ ...gateEnvironment({ config }), PAWL_KUBECONFIG: "/none" });
    expect(settings.limits).toMatchObject({ maxConcurrent: 3, haltAfter: 4, haltScope: "cluster" });
    expect(settings.freezes).toMatchObject([{ reason: "Christmas" }]);
    expect(settings.defaults).toHaveLength(1);
  });

  test.for([
    { when: "with neither", options: {}, limits: undefined },
    { when: "with --max-concurrent", options: { maxConcurrent: "7" }, limits: '{"maxConcurrent":7}' },
  ])("$when has the limits $limits", ({ options, limits }) => {
    expect(gateEnvironment(options).PAWL_LIMITS).toBe(limits);
  });

  test("has --max-concurrent instead of that of the file", async () => {
    const config = await written({ limits: { maxConcurrent: 3, perNamespace: 2 } });
    const { PAWL_LIMITS: limits = "" } = gateEnvironment({ config, maxConcurrent: "7" });
    expect(JSON.parse(limits)).toEqual({ maxConcurrent: 7, perNamespace: 2 });
  });

  test.for(["0", "-1", "1.5", "many", "", "100001"])("refuses --max-concurrent %s", (maxConcurrent) => {
    const message = `--max-concurrent ${maxConcurrent}: must be a whole number from 1 to 100000`;
    expect(() => gateEnvironment({ maxConcurrent })).toThrow(message);
  });

  test("refuses a file that is invalid, and one that does not exist", async () => {
    const config = await written({ limits: { maxConcurrent: 0 } });
    expect(() => gateEnvironment({ config })).toThrow(/--config .*: .*limits.maxConcurrent/);
    expect(() => gateEnvironment({ config: join(folder, "none.json") })).toThrow("no such file");
  });
});
