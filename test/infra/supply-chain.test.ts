import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { listBundledPackages } from "../../infra/sbom/bundled-packages.ts";
import { readProductSbom, type Sbom, selectComponents } from "../../infra/sbom/sbom.ts";

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly inBundle?: boolean;
  readonly license?: string;
  readonly dev?: boolean;
}

const lock = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Readonly<Record<string, Locked>> };
const locked = Object.entries(lock.packages).filter(([path]) => path !== "");

/** Licenses that allow use and redistribution with a notice. */
const permissive = [
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "ISC",
  "MIT",
  "MIT-0",
  "PSF-2.0",
  "Python-2.0",
  "Unlicense",
];
/** Tools may be copyleft by file: nothing of them is deployed. */
const forDevelopment = ["MPL-2.0"];
const choices: Readonly<Record<string, string>> = { "(MIT OR GPL-3.0-or-later)": "MIT" };

describe("every package of the lockfile", () => {
  test.for(locked)("%s has an allowed license", ([, { license = "none", dev = false }]) => {
    expect([...permissive, ...(dev ? forDevelopment : [])]).toContain(choices[license] ?? license);
  });

  test("comes from the npm registry, and has a hash", () => {
    const others = locked.filter(([, { resolved = registry, integrity, inBundle = false }]) => {
      return !inBundle && (!resolved.startsWith(registry) || !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ""));
    });
    expect(others).toEqual([]);
    expect(locked.length).toBeGreaterThan(200);
  });

  test("is named by an exact version in package.json, if it is there", () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as Record<
      string,
      object
    >;
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      expect(lock.packages[`node_modules/${name}`]?.version, name).toBe(version);
    }
  });
});

const registry = "https://registry.npmjs.org/";

describe("the software bill of materials", () => {
  const product = readProductSbom();

  test("lists what is deployed or runs locally, with licenses, and no tools for development", () => {
    const names = product.components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["@kubernetes/client-node", "undici", "commander"]));
    expect(names).not.toContain("vitest");
    expect(product.components.filter(({ licenses = [] }) => licenses.length === 0)).toEqual([]);
  });

  test("of the functions lists what is in their bundle only", { timeout: 120_000 }, () => {
    const { components, dependencies, metadata } = selectComponents(product, "functions", listBundledPackages());
    const names = components.map(({ name }) => name);
    expect(metadata.component.name).toBe("pawl-functions");
    expect(names).toEqual(expect.arrayContaining(["@kubernetes/client-node", "undici", "valibot"]));
    expect(names).not.toContain("aws-cdk-lib");
    const refs = new Set(components.map((one) => one["bom-ref"]));
    for (const { dependsOn } of dependencies) for (const ref of dependsOn) expect(refs).toContain(ref);
  });

  test("of a bundle with a package that the lockfile lacks is an error", () => {
    const empty: Sbom = { ...product, components: [] };
    expect(() => selectComponents(empty, "functions", new Set(["evil@1.0.0"]))).toThrow(
      "the bundle of functions contains evil@1.0.0, which the lockfile lacks; run npm ci",
    );
  });
});
