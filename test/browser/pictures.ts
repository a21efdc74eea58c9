import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { violations } from "./violations.ts";

/** Where the pictures are: `PAWL_PICTURES`, or a folder for temporary files. */
const folder = process.env["PAWL_PICTURES"] ?? join(tmpdir(), "pawl-pictures");

/**
 * Takes pictures of a page as it is, on a desktop and on a phone, light and dark. Returns what axe-core finds on them, and those that need
 * sideways scrolling.
 */
export async function takePictures(page: Page, name: string): Promise<readonly string[]> {
  const problems: string[] = [];
  await mkdir(folder, { recursive: true });
  for (const theme of ["light", "dark"] as const) {
    await page.evaluate(`document.documentElement.dataset.theme = "${theme}"`);
    for (const [device, width, height] of [
      ["desktop", 1280, 800],
      ["phone", 390, 844],
    ] as const) {
      const picture = `${name}-${device}-${theme}`;
      await page.setViewportSize({ width, height });
      if ((await page.evaluate("document.documentElement.scrollWidth")) !== width)
        problems.push(`${picture}: too wide`);
      await page.screenshot({ path: join(folder, `${picture}.png`) });
      for (const violation of await violations(page)) problems.push(`${picture}: ${violation}`);
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  return problems;
}
