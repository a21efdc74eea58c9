import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listBundledPackages } from "./bundled-packages.ts";
import { readProductSbom, type Sbom, selectComponents } from "./sbom.ts";

// Writes the software bill of materials of the product, and of the bundle of its functions, into `sbom/`.

const folder = "sbom";
const product = readProductSbom();

function write(name: string, sbom: Sbom): void {
  const path = join(folder, `${name}.cdx.json`);
  writeFileSync(path, `${JSON.stringify(sbom, null, 2)}\n`);
  process.stdout.write(`${path}: ${sbom.components.length} packages\n`);
}

mkdirSync(folder, { recursive: true });
write("pawl", product);
write("functions", selectComponents(product, "functions", listBundledPackages()));
