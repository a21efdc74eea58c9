import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { App, Aws, CfnParameter, DefaultStackSynthesizer, type IReusableStackSynthesizer, Stack } from "aws-cdk-lib";
import cdk from "../../cdk.json" with { type: "json" };
import manifest from "../../package.json" with { type: "json" };
import type { PawlConfigInput } from "../config/schema.ts";
import { Pawl } from "../pawl.ts";
import { PawlCluster } from "../pawl-cluster.ts";
import { createPawlStacks } from "../pawl-stacks.ts";
import { zipFolder } from "./zip.ts";

export interface WrittenTemplates {
  /** The file names of the templates, in the order in which they are deployed. */
  readonly templates: readonly string[];
  /** The parameters without a default, by the file name of their template. */
  readonly required: Readonly<Record<string, readonly string[]>>;
  /** The file names of what the templates refer to, each with the hash of its content. */
  readonly assets: readonly string[];
  /** Where the templates expect the assets in their bucket by default. */
  readonly prefix: string;
}

interface AssetManifest {
  readonly files: Readonly<
    Record<string, { readonly source: { readonly path: string; readonly packaging: "file" | "zip" } }>
  >;
}

/** The start of the keys of all assets, without a version: an update of a stack keeps the values of its parameters, and assets are named by their content. */
const assetPrefix = `${manifest.name}/`;

/**
 * Writes the CloudFormation templates of a configuration, or without one those of one EKS cluster that parameters describe, and the assets
 * that have to be uploaded. Throws `InvalidProps`.
 */
export function writeTemplates(folder: string, input: PawlConfigInput | null): WrittenTemplates {
  const outdir = mkdtempSync(join(tmpdir(), "pawl-template-"));
  try {
    const app = createApp(outdir);
    const stacks = input === null ? createStacks(app) : createPawlStacks(app, input);
    for (const stack of stacks) addAssetParameters(stack);
    app.synth();
    mkdirSync(folder, { recursive: true });
    const assets = new Set(stacks.flatMap((stack) => writeAssets(stack, outdir, folder)));
    const required = stacks.map((stack) => [stack.templateFile, writeTemplate(stack, outdir, folder)] as const);
    return {
      templates: required.map(([name]) => name),
      required: Object.fromEntries(required),
      assets: [...assets],
      prefix: assetPrefix,
    };
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

function createApp(outdir: string): App {
  const { pawl: _, ...context } = cdk.context;
  return new App({
    outdir,
    context,
    analyticsReporting: false,
    treeMetadata: false,
    builtinCloudFormationValidation: false,
    // The parameters of the templates say where the assets are, and nothing of the CDK needs to be in the account.
    defaultStackSynthesizer: new DefaultStackSynthesizer({
      fileAssetsBucketName: "${AssetBucket}",
      bucketPrefix: "${AssetPrefix}",
      generateBootstrapVersionRule: false,
    }) as IReusableStackSynthesizer,
  });
}

/** Creates the stacks of a deployment with one EKS cluster in the region of its stack. */
function createStacks(app: App): readonly Stack[] {
  const description = `Pawl ${manifest.version}: updates Kubernetes workloads from outside the cluster`;
  const shared = new Stack(app, "pawl", { description });
  new Pawl(shared, "Pawl");
  const stack = new Stack(app, "pawl-cluster", { description: `${description}: one cluster` });
  const ask = (id: string, text: string, allowedPattern: string) =>
    new CfnParameter(stack, id, { description: text, allowedPattern, constraintDescription: `${id}: ${text}` })
      .valueAsString;
  const name = ask(
    "Name",
    "The name of the cluster in Pawl: 1 to 24 of a-z, 0-9 and inner hyphens",
    "[a-z0-9]([a-z0-9-]{0,22}[a-z0-9])?",
  );
  const eks = {
    clusterName: ask("EksClusterName", "The name of the cluster in EKS", "[A-Za-z0-9][A-Za-z0-9_-]{0,99}"),
    region: Aws.REGION,
    endpoint: ask(
      "Endpoint",
      "The https:// address of the API server, without a path",
      "https://[A-Za-z0-9.-]+(:[0-9]{1,5})?/?",
    ),
    certificateAuthority: ask(
      "CertificateAuthority",
      "certificateAuthority.data of aws eks describe-cluster",
      "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t[A-Za-z0-9+/=]+",
    ),
  };
  // The dashboard, which is in the shared stack, cannot have the value of a parameter of another one.
  new PawlCluster(stack, "Cluster", { pawl: Pawl.fromSettings({}), name, eks });
  return [shared, stack];
}

function addAssetParameters(stack: Stack): void {
  new CfnParameter(stack, "AssetBucket", {
    description: "The bucket with the assets of this template, in the region of the stack",
    allowedPattern: "[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]",
    constraintDescription: "AssetBucket: the name of a bucket",
  });
  new CfnParameter(stack, "AssetPrefix", {
    description: "What the keys of the assets start with",
    default: assetPrefix,
    allowedPattern: "([A-Za-z0-9!_.*'()-]+/)*",
    constraintDescription: "AssetPrefix: empty, or a folder such as pawl/ with its slash",
  });
  stack.templateOptions.metadata = { Pawl: { Version: manifest.version } };
}

/** Returns the names of the assets of a stack, and writes them. */
function writeAssets(stack: Stack, outdir: string, folder: string): readonly string[] {
  const { files } = JSON.parse(readFileSync(join(outdir, `${stack.artifactId}.assets.json`), "utf8")) as AssetManifest;
  return Object.entries(files)
    .filter(([, { source }]) => !source.path.endsWith(".template.json"))
    .map(([hash, { source }]) => {
      const [from, name] = [
        join(outdir, source.path),
        `${hash}${source.packaging === "zip" ? ".zip" : extname(source.path)}`,
      ];
      if (source.packaging === "zip") writeFileSync(join(folder, name), zipFolder(from));
      else copyFileSync(from, join(folder, name));
      return name;
    });
}

/** Writes a template without the parameters that it does not use, and returns the names of those without a default. */
function writeTemplate(stack: Stack, outdir: string, folder: string): readonly string[] {
  const template = JSON.parse(readFileSync(join(outdir, stack.templateFile), "utf8")) as {
    Parameters: Readonly<Record<string, { readonly Default?: string }>>;
  };
  const { Parameters, ...rest } = template;
  const text = JSON.stringify(rest);
  const isUsed = (id: string) => text.includes(`"Ref":"${id}"`) || text.includes(`\${${id}}`);
  const used = Object.entries(Parameters).filter(([id]) => isUsed(id));
  writeFileSync(
    join(folder, stack.templateFile),
    JSON.stringify({ ...rest, ...(used.length > 0 && { Parameters: Object.fromEntries(used) }) }, null, 1),
  );
  return used.filter(([, { Default }]) => Default === undefined).map(([id]) => id);
}
