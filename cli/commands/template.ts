import { Command } from "commander";
import { readConfig } from "../../infra/config/read-config.ts";
import { readKmsKeys } from "../../infra/config/read-kms-keys.ts";
import { InvalidInput } from "../exit-codes.ts";
import { printJson, printStdout } from "../output/print.ts";

interface Flags {
  readonly file?: string;
  readonly out: string;
  readonly json?: true;
}

export function createCommand(): Command {
  return new Command("template")
    .description(
      "Writes CloudFormation templates and the assets to upload beside them, for a deployment with CloudFormation or Terraform. " +
        "Without --file, parameters of the template describe one EKS cluster.",
    )
    .option("--file <path>", "write the templates of this configuration, such as pawl.json")
    .option("--out <folder>", "the folder to write to", "template")
    .option("--json", "print one JSON document: the files")
    .addHelpText("after", "\nExamples:\n  pawl template\n  pawl template --file pawl.json --out build/pawl")
    .action(runTemplate);
}

async function runTemplate({ file, out, json }: Flags): Promise<void> {
  const reading = file === undefined ? null : readConfig(file);
  if (reading?.kind === "invalid") throw new InvalidInput(reading.problems.join("; "));
  const { writeTemplates } = await import("../../infra/template/write-templates.ts").catch(explainMissing);
  const written = writeTemplates(out, reading === null ? null : readKmsKeys(reading.input));
  if (json) return printJson(written);
  const { templates, required, assets, prefix } = written;
  printStdout(
    [
      `Wrote ${templates.join(", ")} and ${assets.length} assets to ${out}.`,
      "",
      "Next, with a bucket in the region of the stacks:",
      `  aws s3 cp --recursive ${out} s3://BUCKET/${prefix}`,
      ...templates.map((name) => `  ${createStack(name, prefix, required[name] ?? [])}`),
      "",
    ].join("\n"),
  );
}

function createStack(template: string, prefix: string, required: readonly string[]): string {
  // A stack of an account and region has these in the name of its file.
  const [name] = template.replace(/\.template\.json$/, "").split("_");
  const values = required.map((id) => `ParameterKey=${id},ParameterValue=${id === "AssetBucket" ? "BUCKET" : "…"}`);
  return [
    `aws cloudformation create-stack --stack-name ${name} --capabilities CAPABILITY_NAMED_IAM`,
    `--template-url https://BUCKET.s3.amazonaws.com/${prefix}${template}`,
    ...(values.length === 0 ? [] : ["--parameters", ...values]),
  ].join(" ");
}

/** The package has the CDK as a peer. */
function explainMissing(error: NodeJS.ErrnoException): never {
  if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
  throw new InvalidInput("template: the AWS CDK is not installed; run: npm install aws-cdk-lib constructs");
}
