import { readFileSync } from "node:fs";
import type { App } from "aws-cdk-lib";

interface Report {
  readonly pluginReports: readonly { readonly violations: readonly { readonly ruleName: string }[] }[];
}

/** The rules that a synthesis finds broken: the CDK throws then, and leaves a report behind. */
export function findingsOf(app: App): readonly string[] {
  try {
    app.synth();
  } catch (error) {
    if (!String(error).includes("ValidationFailed")) throw error;
  }
  const report = JSON.parse(readFileSync(`${app.outdir}/validation-report.json`, "utf8")) as Report;
  return report.pluginReports.flatMap(({ violations }) => violations.map(({ ruleName }) => ruleName));
}
