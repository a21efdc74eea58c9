import { App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { readConfig } from "./config/read-config.ts";
import { PawlStack } from "./pawl-stack.ts";

const app = new App();
const reading = readConfig(app.node.tryGetContext("pawl"));

if (reading.kind === "invalid") {
  process.stderr.write(
    `Pawl configuration is invalid:\n${reading.problems.map((problem) => `  ${problem}\n`).join("")}`,
  );
  process.exit(2);
}

new PawlStack(app, "pawl", {
  description: "Pawl: updates Kubernetes workloads from outside the cluster",
  config: reading.config,
});
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
