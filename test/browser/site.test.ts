import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import axe from "axe-core";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { documents, root } from "../docs/document.ts";
import { hasBrowser, openBrowser, openPage } from "./browser.ts";

const types: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

describe.runIf(hasBrowser)("the site of the documentation", () => {
  let folder: string;
  let server: Server;
  let browser: Browser;
  let url: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "pawl-site-"));
    const config = ["--config=infra/site/eleventy.config.ts", `--output=${folder}`, "--quiet"];
    await promisify(execFile)(join(root, "node_modules/.bin/eleventy"), config, { cwd: root });
    server = createServer((request, response) => void serve(request.url ?? "/", response));
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await openBrowser();
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    server.close();
    await rm(folder, { recursive: true });
  });

  async function serve(path: string, response: ServerResponse): Promise<void> {
    const file = join(folder, new URL(path, url).pathname);
    const body = await readFile(file).catch(() => null);
    response.writeHead(body === null ? 404 : 200, { "content-type": types[extname(file)] ?? "application/wasm" });
    response.end(body);
  }

  test("has every page of docs", async () => {
    const missing = documents
      .filter((document) => document.startsWith("docs/"))
      .filter((document) => !existsSync(join(folder, document.replace(/^docs\/(.*)\.md$/, "$1.html"))));
    expect(missing).toEqual([]);
  });

  test("finds a page by its words, without a request elsewhere", async () => {
    const { page, errors, foreign } = await openPage(browser, `${url}/tutorial/tutorial.html`);
    await page.getByRole("textbox").fill("change calendar");
    await page.locator(".pagefind-ui__result-link", { hasText: "Change calendars" }).first().click();
    await page.waitForURL(/how-to\/gates.*#change-calendars$/);
    expect(errors).toEqual([]);
    expect(foreign).toEqual([]);
  });

  test.for([
    { name: "index", theme: "light" },
    { name: "how-to/gates", theme: "dark" },
  ] as const)("$name, $theme: no violation of axe, and no sideways scrolling", async ({ name, theme }) => {
    const { page } = await openPage(browser, `${url}/${name}.html`, theme);
    await page.getByRole("textbox").waitFor();
    await page.evaluate(axe.source);
    const { violations } = (await page.evaluate("axe.run()")) as axe.AxeResults;
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(", ")}`)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    await page.context().close();
  });
});
