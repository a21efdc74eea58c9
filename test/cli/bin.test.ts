import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

// Each starts processes, which on a busy machine take their time.
vi.setConfig({ testTimeout: 60_000 });

const bin = fileURLToPath(new URL("../../cli/pawl.js", import.meta.url));
const preload = ["--import", new URL("pretend-old-node.ts", import.meta.url).href];
const resolve = ["resolve", "--constraint", "*"];

function start(path: string, options: { readonly execArgv?: readonly string[]; readonly NODE_OPTIONS?: string }) {
  const { execArgv = [], NODE_OPTIONS = "" } = options;
  const env = { PATH: process.env["PATH"], NODE_OPTIONS };
  return spawn(process.execPath, [...execArgv, path, ...resolve], { env, stdio: "pipe" });
}

async function end(child: ChildProcess): Promise<readonly [number | null, NodeJS.Signals | null]> {
  const [status, signal] = await once(child, "close");
  return [status, signal];
}

test.for([
  { when: "a Node that is new enough", execArgv: [] },
  { when: "one that is too old, by the Node of the dependencies", execArgv: preload },
])("the command runs under $when", async ({ execArgv }) => {
  const child = start(bin, { execArgv });
  child.stdin.end("1.0.0\n");
  const [stdout, ended] = await Promise.all([text(child.stdout), end(child)]);
  expect([stdout, ...ended]).toEqual(["1.0.0\n", 0, null]);
});

test("an exit status is passed on", async () => {
  const child = start(bin, { execArgv: preload });
  child.stdin.end("latest\n");
  expect(await end(child)).toEqual([1, null]);
});

test.for(["SIGTERM", "SIGINT", "SIGHUP"] as const)("%s ends the process that does the work too", async (signal) => {
  const child = start(bin, { NODE_OPTIONS: preload.join(" ") });
  const ended = end(child);
  let started = 0;
  for await (const line of createInterface(child.stderr)) {
    if (line === "started") started += 1;
    if (started === 2) break;
  }
  // It waits for stdin, which stays open, and holds the pipes: "close" comes when it is gone as well.
  child.kill(signal);
  expect(await ended).toEqual([null, signal]);
});

let elsewhere: string;
beforeEach(async () => {
  elsewhere = await mkdtemp(join(tmpdir(), "pawl-bin-"));
});
afterEach(() => rm(elsewhere, { recursive: true }));

test("without dependencies it says what is missing", async () => {
  await cp(bin, join(elsewhere, "pawl.mjs"));
  const child = start(join(elsewhere, "pawl.mjs"), { execArgv: preload });
  const [stderr, ended] = await Promise.all([text(child.stderr), end(child)]);
  expect(stderr).toMatch(/^pawl: needs Node 24 or later .*npm ci.*$/m);
  expect(ended).toEqual([2, null]);
});
