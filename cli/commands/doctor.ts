import { existsSync } from "node:fs";
import { Command } from "commander";
import { allChecks } from "../doctor/all-checks.ts";
import { type CheckReport, runChecks } from "../doctor/check.ts";
import { defaultFile, readTarget, type TargetFlags, withTargetOptions } from "../doctor/target.ts";
import { exitCodes } from "../exit-codes.ts";
import { type ContextOptions, withContextOptions } from "../options/cluster.ts";
import { printJson, printStderr, printStdout } from "../output/print.ts";
import { type Cell, renderTable } from "../output/table.ts";

type Flags = ContextOptions & TargetFlags & { readonly json?: true };

const columns = [
  { header: "CHECK" },
  { header: "RESULT" },
  { header: "DETAIL", narrow: "wrap" },
  { header: "FIX", narrow: "wrap" },
] as const;

export function createCommand(): Command {
  const command = new Command("doctor").description(
    "Checks a deployment and its cluster, and changes nothing: credentials, bootstrap, quotas, functions, access to EKS, CRDs and " +
      "permissions, variants of tags, rules of signatures, other owners of images, schedule, change calendars, polls, dead letters, alarms and the clock. Without pawl.json only the cluster of the kubeconfig is checked. Each failed check names its fix. A check that cannot be made " +
      "is unknown, with the reason.",
  );
  return withTargetOptions(withContextOptions(command))
    .option("--json", "print one JSON document: a list of checks")
    .addHelpText(
      "after",
      "\nExamples:\n  pawl doctor\n  pawl doctor --cluster edge --context edge\n\nExit codes: 0 all checks passed, 1 a check failed, 3 none failed but some could not be made.",
    )
    .action(runDoctor);
}

async function runDoctor(flags: Flags): Promise<void> {
  const { file, cluster, region, ...context } = flags;
  const isAlone = file === defaultFile && cluster === undefined && region === undefined && !existsSync(file);
  if (isAlone)
    printStderr(`there is no ${file}: only the cluster is checked; name the configuration of a deployment with --file`);
  const target = isAlone ? null : readTarget(flags);
  const options = isAlone ? context : { ...context, config: file };
  const reports = await runChecks(await allChecks(target, options, () => new Date()));
  if (flags.json) printJson(reports);
  else printStdout(renderTable(columns, reports.map(toRow), { stream: process.stdout }));
  if (reports.some(({ result }) => result === "failed")) process.exitCode = exitCodes.noMatch;
  else if (reports.some(({ result }) => result === "unknown")) process.exitCode = exitCodes.unreachable;
}

const colours = { passed: "green", failed: "red", unknown: "yellow" } as const;

function toRow({ check, ...verdict }: CheckReport): readonly Cell[] {
  const { result, detail } = verdict;
  const fix = result === "passed" ? "" : (verdict.fix ?? "");
  return [check, { text: result, colour: colours[result] }, detail, fix];
}
