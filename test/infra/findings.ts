import { readFileSync } from "node:fs";
import type { App } from "aws-cdk-lib";

interface Report {
  readonly pluginReports: readonly { readonly violations: readonly { readonly ruleName: string }[] }[];
}

/** Returns the rules that the app violates. If there are any, `synth` throws after it writes a report. */
export function findViolations(app: App): readonly string[] {
  try {
    app.synth();
  } catch (error) {
    if (!String(error).includes("ValidationFailed")) throw error;
  }
  const report = JSON.parse(readFileSync(`${app.outdir}/validation-report.json`, "utf8")) as Report;
  return report.pluginReports.flatMap(({ violations }) => violations.map(({ ruleName }) => ruleName));
}
