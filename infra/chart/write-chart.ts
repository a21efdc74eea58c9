import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

// Writes the Helm chart into a folder: node infra/chart/write-chart.ts FOLDER
// Its templates are the manifests of infra/cluster, each folder in one file, under the values that include it.

const here = dirname(fileURLToPath(import.meta.url));
const clusterFolder = join(here, "..", "cluster");

/** The values that must all be true, by the folder of `infra/cluster`. */
export const chartParts: Readonly<Record<string, readonly string[]>> = {
  crds: ["crds"],
  rbac: [],
  "cluster-wide": [],
  "admission-policies": ["admissionPolicies"],
  releases: ["releases"],
  hooks: ["hooks"],
  "pull-secrets": ["pullSecrets"],
  peers: ["peers"],
  prometheus: ["prometheus"],
  "node-pools/crds": ["nodePools", "crds"],
  "node-pools/rbac": ["nodePools"],
  "node-pools/admission-policies": ["nodePools", "admissionPolicies"],
};

/** Returns the templates of the chart by their path. */
export function chartTemplates(): ReadonlyMap<string, string> {
  const templates = Object.entries(chartParts).map(([part, values]) => {
    const manifests = filesOf(join(clusterFolder, part)).map((file) => readFileSync(file, "utf8").trim());
    // What Helm would take for its own is the text of a manifest.
    const text = `${manifests.join("\n---\n").replaceAll("{{", '{{ "{{" }}')}\n`;
    const condition =
      values.length === 1 ? `.Values.${values[0]}` : `and ${values.map((one) => `.Values.${one}`).join(" ")}`;
    const path = `templates/${part.replace("/", "-")}.yaml`;
    return [path, values.length === 0 ? text : `{{- if ${condition} }}\n${text}{{- end }}\n`] as const;
  });
  return new Map(templates);
}

function filesOf(folder: string): readonly string[] {
  const { resources } = parse(readFileSync(join(folder, "kustomization.yaml"), "utf8")) as {
    readonly resources: readonly string[];
  };
  return resources.map((file) => join(folder, file));
}

/** Writes the chart. */
export function writeChart(folder: string): void {
  mkdirSync(join(folder, "templates"), { recursive: true });
  for (const file of ["Chart.yaml", "values.yaml"]) copyFileSync(join(here, file), join(folder, file));
  for (const [path, text] of chartTemplates()) writeFileSync(join(folder, path), text);
}

const [, script, folder] = process.argv;
if (script === fileURLToPath(import.meta.url) && folder !== undefined) writeChart(folder);
