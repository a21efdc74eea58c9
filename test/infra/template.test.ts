import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type WrittenTemplates, writeTemplates } from "../../infra/template/write-templates.ts";
import { zipFolder } from "../../infra/template/zip.ts";
import { runPawl } from "../cli/run-pawl.ts";
import { parseConfig } from "./synthesized-stack.ts";

interface Template {
  readonly Metadata: { readonly Pawl: { readonly Version: string } };
  readonly Parameters?: Readonly<
    Record<string, { readonly Default?: string; readonly ConstraintDescription: string; readonly Description: string }>
  >;
  readonly Resources: object;
}

const folder = mkdtempSync(join(tmpdir(), "pawl-templates-"));
const plain = join(folder, "plain");
const configured = join(folder, "configured");
let written: WrittenTemplates;
let fromFile: WrittenTemplates;

beforeAll(() => {
  written = writeTemplates(plain, null);
  fromFile = writeTemplates(configured, parseConfig("infra/config/pawl.example.json"));
}, 240_000);

afterAll(() => rmSync(folder, { recursive: true }));

const read = (name: string, from = plain) => JSON.parse(readFileSync(join(from, name), "utf8")) as Template;
const requiredOf = ({ Parameters = {} }: Template) =>
  Object.keys(Parameters).filter((id) => Parameters[id]?.Default === undefined);

describe("the templates", () => {
  test("without a configuration are those of one cluster, whose parameters are named if they are missing or malformed", () => {
    expect(written.templates).toEqual(["pawl.template.json", "pawl-cluster.template.json"]);
    const [shared, cluster] = written.templates.map((name) => read(name));
    expect(shared?.Parameters).toBeUndefined();
    expect(requiredOf(cluster!).toSorted()).toEqual([
      "AssetBucket",
      "CertificateAuthority",
      "EksClusterName",
      "Endpoint",
      "Name",
    ]);
    for (const [id, { ConstraintDescription }] of Object.entries(cluster?.Parameters ?? {}))
      expect(ConstraintDescription.startsWith(`${id}: `), id).toBe(true);
    expect(JSON.stringify(cluster)).toContain('"Fn::Join":["",["pawl-",{"Ref":"Name"},"-poll"]]');
  });

  test("of a configuration have its settings, and parameters only for their assets", () => {
    const clusters = fromFile.templates.map((name) => read(name, configured));
    expect(fromFile.templates.length).toBeGreaterThan(1);
    for (const template of clusters) expect(requiredOf(template).filter((id) => id !== "AssetBucket")).toEqual([]);
  });

  test("name their version, and only assets that are beside them", () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { readonly version: string };
    for (const [from, { templates, assets, prefix }] of [[plain, written] as const, [configured, fromFile] as const]) {
      expect(readdirSync(from).toSorted()).toEqual([...templates, ...assets].toSorted());
      // An update of a stack keeps the values of its parameters: they must serve the next version too.
      expect(prefix).toBe("pawl/");
      for (const name of templates) expect(JSON.stringify(read(name, from).Parameters ?? {})).not.toContain(version);
      const named = templates.flatMap((name) => {
        const template = read(name, from);
        expect(template.Metadata.Pawl.Version).toBe(version);
        return [...JSON.stringify(template).matchAll(/\$\{AssetPrefix\}([\w.-]+)/g)].map(([, asset = ""]) => asset);
      });
      expect([...new Set(named)].toSorted()).toEqual(assets.toSorted());
      expect(JSON.stringify(templates.map((name) => read(name, from)))).not.toContain("cdk-hnb659fds");
    }
  });
});

test(
  "the command prints a stack with each parameter that its template requires, and with no other",
  { timeout: 120_000 },
  async () => {
    const { status, stdout } = await runPawl(["template", "--out", join(folder, "printed")]);
    const parametersOf = (stack: string) => {
      const line = stdout.split("\n").find((one) => one.includes(` --stack-name ${stack} `));
      return [...line!.matchAll(/ParameterKey=(\w+),ParameterValue=\S+/g)].map(([, id]) => id);
    };
    expect(status).toBe(0);
    expect(parametersOf("pawl")).toEqual(requiredOf(read("pawl.template.json")));
    expect(parametersOf("pawl-cluster")).toEqual(written.required["pawl-cluster.template.json"]);
    for (const name of written.templates) expect(written.required[name]).toEqual(requiredOf(read(name)));
    expect(stdout).not.toContain("--parameters\n");
  },
);

test("a configuration with problems writes nothing, and names them", async () => {
  writeFileSync(join(folder, "invalid.json"), JSON.stringify({ clusters: [{ name: "edge" }] }));
  const out = join(folder, "out");
  const ran = await runPawl(["template", "--file", join(folder, "invalid.json"), "--out", out]);
  expect(ran).toMatchObject({ status: 2, stderr: expect.stringContaining("has neither eks nor kubeconfig") as string });
  expect(existsSync(out)).toBe(false);
});

describe("a zip", () => {
  const files = join(folder, "files");
  const content = { "index.mjs": "export const answer = 42;\n".repeat(1000), "part/empty.txt": "", "part/ü.txt": "ü" };

  beforeAll(() => {
    mkdirSync(join(files, "part"), { recursive: true });
    for (const [name, text] of Object.entries(content)) writeFileSync(join(files, name), text);
    writeFileSync(join(folder, "files.zip"), zipFolder(files));
  });

  test("has the same bytes for the same files", () => {
    cpSync(files, join(folder, "copy"), { recursive: true });
    expect(zipFolder(join(folder, "copy"))).toEqual(zipFolder(files));
  });

  test.skipIf(spawnSync("unzip", ["-v"]).status !== 0)("has all files, which everybody may read", () => {
    const out = join(folder, "unzipped");
    const { status, stderr } = spawnSync("unzip", ["-q", join(folder, "files.zip"), "-d", out], { encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
    for (const [name, text] of Object.entries(content)) expect(readFileSync(join(out, name), "utf8")).toBe(text);
    const listed = spawnSync("unzip", ["-Z", join(folder, "files.zip")], { encoding: "utf8" }).stdout;
    expect(listed.match(/^-rw-r--r--/gm)).toHaveLength(3);
  });
});

const terraformModule = "infra/terraform";
const providers = "/opt/tf-plugins";
const isHere = existsSync(providers) && spawnSync("terraform", ["version"]).status === 0;

describe("the module of Terraform", () => {
  test("declares, describes and documents each variable", () => {
    const text = (name: string) => readFileSync(join(terraformModule, name), "utf8");
    const declared = [...text("variables.tf").matchAll(/^variable "(\w+)" \{\n  description = "[^"]+"$/gm)].map(
      ([, name]) => name,
    );
    const used = [...text("main.tf").matchAll(/\bvar\.(\w+)/g)].map(([, name]) => name);
    const documented = [...text("README.md").matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
    expect(new Set(declared)).toEqual(new Set(used));
    expect(documented).toEqual(declared);
  });

  test.skipIf(!isHere)(
    "is valid, uploads what the templates need, and names a parameter that is missing",
    { timeout: 240_000 },
    () => {
      const copy = join(folder, "module");
      cpSync(terraformModule, copy, { recursive: true });
      const run = (...args: readonly string[]) => {
        const env = { PATH: process.env["PATH"], HOME: folder, CHECKPOINT_DISABLE: "1" };
        const { status, stdout, stderr } = spawnSync("terraform", args, { cwd: copy, encoding: "utf8", env });
        expect([args[0], status, stderr]).toEqual([args[0], 0, ""]);
        return stdout;
      };
      run("init", `-plugin-dir=${providers}`, "-input=false", "-no-color");
      run("validate", "-no-color");
      run("fmt", "-check", "-recursive");
      expect(run("test", "-no-color", `-var=folder=${plain}`)).toContain("3 passed, 0 failed");
    },
  );
});
