import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";

/** Debian's package. `PAWL_CHROMIUM` is another path. */
const executable = process.env["PAWL_CHROMIUM"] ?? "/usr/bin/chromium";

/** With `CI` a missing browser fails the tests; without, they are skipped. */
export const hasBrowser = existsSync(executable) || process.env["CI"] === "true";

/** Opens a browser without a sandbox, which needs rights that containers lack: it only visits pages of the tests. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: executable, args: ["--no-sandbox"] });
}

export interface OpenPage {
  readonly page: Page;
  /** What the page wrote to its console as an error, such as a violation of its security policy. */
  readonly errors: readonly string[];
  /** The URLs that it asked for, of other origins than its own. */
  readonly foreign: readonly string[];
}

/** Opens the dashboard in a context of its own. */
export async function openPage(
  browser: Browser,
  url: string,
  colorScheme: "light" | "dark" = "light",
): Promise<OpenPage> {
  const context = await browser.newContext({ colorScheme, viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const errors: string[] = [];
  const foreign: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  page.on("pageerror", ({ message }) => errors.push(message));
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== new URL(url).origin) foreign.push(request.url());
  });
  await page.goto(url);
  return { page, errors, foreign };
}
