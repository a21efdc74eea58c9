import { Command } from "commander";
import { upgradeChecks } from "../doctor/all-checks.ts";
import { type CheckReport, runChecks } from "../doctor/check.ts";
import { readTarget, type TargetFlags, withTargetOptions } from "../doctor/target.ts";
import { exitCodes } from "../exit-codes.ts";
import { type ContextOptions, withContextOptions } from "../options/cluster.ts";
import { printJson, printStdout } from "../output/print.ts";
import { renderTable } from "../output/table.ts";

type Flags = ContextOptions & TargetFlags & { readonly json?: true };

const columns = [{ header: "PART" }, { header: "RESULT" }, { header: "DEPLOYED", narrow: "wrap" }] as const;

export function createCommand(): Command {
  const command = new Command("upgrade").description(
    "Compares what is deployed with this version of Pawl: custom resources, permissions and admission policies of the cluster, " +
      "then the functions. Prints the steps of an upgrade in their order, and changes nothing.",
  );
  return withTargetOptions(withContextOptions(command))
    .requiredOption("--plan", "print the steps: Pawl takes none of them itself")
    .option("--json", "print one JSON document: the comparisons and the steps")
    .addHelpText(
      "after",
      "\nExamples:\n  pawl upgrade --plan\n  pawl upgrade --plan --cluster edge --context edge\n\nExit codes: 0 nothing to do, 1 steps are to be taken, 3 something could not be compared.",
    )
    .action(runUpgrade);
}

async function runUpgrade(flags: Flags): Promise<void> {
  const target = readTarget(flags);
  const parts = await runChecks(await upgradeChecks(target, flags));
  const steps = stepsOf(parts);
  if (flags.json) printJson({ parts, steps });
  else {
    printStdout(renderTable(columns, parts.map(toRow), { stream: process.stdout }));
    printStdout(steps.map((step, index) => `${index === 0 ? "\n" : ""}${index + 1}. ${step}\n`).join(""));
  }
  if (parts.some(({ result }) => result === "unknown")) process.exitCode = exitCodes.unreachable;
  else if (steps.length > 0) process.exitCode = exitCodes.noMatch;
}

/** Returns each step once: one command may apply several parts. What could not be compared stands in the way of what comes after it. */
function stepsOf(parts: readonly CheckReport[]): readonly string[] {
  const steps = parts.flatMap((part) => {
    if (part.result === "failed") return part.fix.split("; ");
    return part.result === "unknown" ? [`find out why the ${part.check} could not be compared: ${part.detail}`] : [];
  });
  return steps.length === 0 ? [] : [...new Set(steps), "npx --no-install pawl doctor"];
}

const words = { passed: "current", failed: "outdated", unknown: "unknown" } as const;

function toRow({ check, result, detail }: CheckReport): readonly string[] {
  return [check, words[result], detail];
}
