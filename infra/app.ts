import { App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { readConfig } from "./config/read-config.ts";
import { readKmsKeys } from "./config/read-kms-keys.ts";
import { createPawlStacks } from "./pawl-stacks.ts";

const app = new App();
const allowsPlaceholders = app.node.tryGetContext("allow-placeholders") === "true";
const reading = readConfig(app.node.tryGetContext("pawl"), { allowsPlaceholders });

if (reading.kind === "invalid") {
  process.stderr.write(
    `Pawl configuration is invalid:\n${reading.problems.map((problem) => `  ${problem}\n`).join("")}`,
  );
  process.exit(2);
}

createPawlStacks(app, readKmsKeys(reading.input));
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
