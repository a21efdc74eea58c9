import { spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { openBrowser, openPage } from "./browser.ts";

/** Takes the pictures of README.md and docs from the demo: `npm run pictures`. */
const folder = fileURLToPath(new URL("../../docs/pictures/", import.meta.url));
/** On a busy machine. */
const patienceMs = 120_000;

interface Picture {
  readonly name: string;
  readonly show: (page: Page) => Promise<void>;
  /** In the dark theme. */
  readonly isPhone?: true;
}

const command = fileURLToPath(new URL("../../cli/pawl.ts", import.meta.url));

const pictures: readonly Picture[] = [
  {
    name: "overview",
    async show(page) {
      await page.getByRole("cell", { name: "Circuit open" }).waitFor();
    },
  },
  {
    name: "phone",
    isPhone: true,
    async show(page) {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.getByRole("row").filter({ hasText: "Updating" }).first().waitFor();
    },
  },
  {
    name: "canary",
    async show(page) {
      await page.getByRole("link", { name: "deployment/shop/payments" }).click();
      await page.getByRole("listitem").filter({ hasText: "now, waits for time" }).waitFor();
    },
  },
  {
    name: "rollback",
    async show(page) {
      await page.getByRole("link", { name: "statefulset/shop/cart" }).click();
      await page.getByRole("cell", { name: "RolledBack" }).waitFor();
      await page.getByRole("button", { name: "Ask the registry" }).click();
      await page.getByText("has failed before").first().waitFor();
      await page.getByRole("heading", { name: "Pods" }).evaluate((heading: { scrollIntoView(): void }) => {
        heading.scrollIntoView();
      });
    },
  },
  {
    name: "node-pool",
    async show(page) {
      await page.getByRole("link", { name: "Node pools" }).click();
      await page.getByRole("link", { name: "workers" }).click();
      await page.getByRole("listitem").filter({ hasText: "↻ rebooting" }).waitFor();
    },
  },
];

await mkdir(folder, { recursive: true });
const browser = await openBrowser();
for (const { name, show, isPhone = false } of pictures) {
  const demo = spawn(process.execPath, [command, "local", "--demo", "--dashboard", "--clock-speed", "30"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const { page } = await openPage(browser, await dashboardUrl(demo.stdout), isPhone ? "dark" : "light");
    page.setDefaultTimeout(patienceMs);
    await show(page);
    await page.screenshot({ path: `${folder}${name}.png` });
    await page.context().close();
  } finally {
    demo.kill("SIGINT");
  }
}
await browser.close();

/** Resolves to the address that the demo prints. Keeps reading: a demo whose output is closed ends. */
function dashboardUrl(output: Readable): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = "";
  output
    .on("data", (part: Buffer) => {
      text += part.toString();
      const url = /^Dashboard: (\S+)$/m.exec(text)?.[1];
      if (url !== undefined) resolve(url);
    })
    .once("close", () => reject(new Error(`the demo has ended: ${text}`)));
  return promise;
}
