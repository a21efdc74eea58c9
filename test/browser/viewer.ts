import type { IncomingHttpHeaders } from "node:http";
import { request } from "node:https";
import { text as readText } from "node:stream/consumers";
import type { Browser, BrowserContext, Page } from "playwright-core";

/** Somebody who has signed in to both clusters of a page for a team. */
export interface Viewer {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What the page wrote to its console as an error, such as a violation of its security policy. */
  readonly errors: readonly string[];
  /** The header with the cookies of now. */
  cookies(): Promise<string>;
  /** Sends what a page would, with these headers beside the cookies. A body is that of a POST. */
  ask(
    path: string,
    headers?: Readonly<Record<string, string>>,
    body?: object,
  ): Promise<readonly [status: number, text: string]>;
}

/** Opens the page at `url` in a browser of its own, and signs in at the issuer as a person does. */
export async function openViewer(browser: Browser, url: string, user: string): Promise<Viewer> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" && page.url().startsWith(url)) errors.push(message.text());
  });
  await page.goto(url);
  for (const cluster of ["staging", "production"]) {
    await page.getByRole("link", { name: `Sign in to ${cluster}` }).click();
    const name = page.getByRole("textbox", { name: "login" });
    const proceed = page.getByRole("button", { name: "Continue" });
    await name.or(proceed).first().waitFor();
    if (await name.isVisible()) {
      await name.fill(user);
      await page.getByRole("textbox", { name: "password" }).fill("any");
      await page.getByRole("button", { name: "Sign-in" }).click();
    }
    await proceed.click();
    await page.getByText(`${user}@example.com`).waitFor();
  }
  const cookies = async () => (await context.cookies(url)).map(({ name, value }) => `${name}=${value}`).join("; ");
  return {
    context,
    page,
    errors,
    cookies,
    async ask(path, headers = {}, body) {
      const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
      const [status, text] = await send(url + path, { ...init, headers: { cookie: await cookies(), ...headers } });
      return [status, text];
    },
  };
}

type Sent = readonly [status: number, text: string, headers: IncomingHttpHeaders];

/** `fetch` sets the header Host itself, and trusts no certificate of a test. */
export function send(
  url: string,
  {
    method = "GET",
    headers = {},
    body,
  }: { method?: string; headers?: Readonly<Record<string, string>>; body?: string },
): Promise<Sent> {
  const { promise, resolve, reject } = Promise.withResolvers<Sent>();
  request(url, { method, headers, rejectUnauthorized: false }, (response) => {
    readText(response).then((text) => resolve([response.statusCode ?? 0, text, response.headers]), reject);
  })
    .once("error", reject)
    .end(body);
  return promise;
}
