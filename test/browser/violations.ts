import axe from "axe-core";
import type { Page } from "playwright-core";

/** Returns what axe-core finds, as `rule: element`. */
export async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const run = "axe.run().then((result) => result.violations)";
  const found = (await page.evaluate(run)) as { id: string; nodes: { html: string }[] }[];
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
