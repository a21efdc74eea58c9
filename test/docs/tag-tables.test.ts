import { describe, expect, test } from "vitest";
import { decideByTag } from "../../functions/domain/workload/decision/decide-by-tag.ts";
import { decidedState } from "../../functions/domain/state/decided-state.ts";
import { tagOf } from "../../functions/domain/image/reference.ts";
import { noon, workload } from "../support/workloads.ts";
import { readDocument } from "./document.ts";

interface Row {
  readonly running: string;
  readonly constraint: string | null;
  readonly published: readonly string[];
  readonly chosen: string;
}

function rowsOf(page: string): readonly Row[] {
  const [, table = ""] = readDocument(page).split("| running | constraint | published | chosen | why |\n");
  const [rows = ""] = table.split("\n\n");
  return rows
    .split("\n")
    .slice(1)
    .map((row) => row.split("|").map((cell) => cell.replaceAll("`", "").trim()))
    .map(([, running = "", constraint = "", published = "", chosen = ""]) => ({
      running,
      constraint: constraint === "" ? null : constraint,
      published: published.split(", "),
      chosen,
    }));
}

function choose({ running, constraint, published }: Row): string {
  const image = `app:${running}`;
  const subject = workload({ image, source: image, policy: { versionConstraint: constraint } });
  const decision = decideByTag(subject, image, published, noon);
  if (decision.kind === "update") return tagOf(decision.target.image);
  return `none, ${decidedState(subject, decision, noon).reason}`;
}

describe.for(["annotations.md", "migration.md"])("the table of docs/%s", (page) => {
  test("has rows", () => {
    expect(rowsOf(page).length).toBeGreaterThan(3);
  });

  test.for(rowsOf(page))("$running, constraint $constraint, of $published: $chosen", (row) => {
    expect(choose(row)).toBe(row.chosen);
  });
});
