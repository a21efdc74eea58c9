import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** What Pawl uses of a software bill of materials in CycloneDX's JSON format. */
export interface Sbom {
  readonly bomFormat: "CycloneDX";
  readonly serialNumber: string;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

export interface Component {
  /** `name@version`. */
  readonly "bom-ref": string;
  readonly name: string;
  readonly licenses?: readonly { readonly license?: { readonly id?: string }; readonly expression?: string }[];
}

interface Lockfile {
  /** By path: `node_modules/a/node_modules/b`; the project itself is `""`. */
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly dev?: boolean }>>;
}

/**
 * Reads the software bill of materials of the product from the lockfile, without development dependencies. `npm sbom --omit dev` also
 * omits packages of the product that a tool depends on, so the lockfile decides. Needs npm.
 */
export function readProductSbom(): Sbom {
  const args = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"];
  const all = JSON.parse(execFileSync("npm", args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] })) as Sbom;
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as Lockfile;
  const product = Object.entries(packages).filter(([, { dev = false }]) => !dev);
  return selectRefs(
    all,
    new Set(product.map(([path, { version = "" }]) => `${path.split("node_modules/").at(-1)}@${version}`)),
  );
}

/**
 * Returns the part of a bill that lists what is in a bundle. `packages` are `name@version`. Throws if the bill lacks one:
 * then `node_modules` is not what the lockfile says.
 */
export function selectComponents(product: Sbom, bundle: string, packages: ReadonlySet<string>): Sbom {
  const listed = new Set(product.components.map((one) => one["bom-ref"]));
  const unlisted = [...packages].filter((ref) => !listed.has(ref));
  if (unlisted.length > 0) {
    throw new Error(`the bundle of ${bundle} contains ${unlisted.join(", ")}, which the lockfile lacks; run npm ci`);
  }
  return {
    ...selectRefs(product, packages),
    serialNumber: `urn:uuid:${crypto.randomUUID()}`,
    metadata: { ...product.metadata, component: { ...product.metadata.component, name: `pawl-${bundle}` } },
  };
}

/** Returns the components with these `name@version`, and what depends on what among them. */
function selectRefs(sbom: Sbom, refs: ReadonlySet<string>): Sbom {
  const root = sbom.metadata.component["bom-ref"];
  return {
    ...sbom,
    components: sbom.components.filter((one) => refs.has(one["bom-ref"])),
    dependencies: sbom.dependencies
      .filter(({ ref }) => ref === root || refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) })),
  };
}
