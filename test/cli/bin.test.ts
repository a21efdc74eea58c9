import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

// The commands are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const bin = fileURLToPath(new URL("../../cli/pawl.js", import.meta.url));
const preload = ["--import", new URL("pretend-old-node.ts", import.meta.url).href];
const resolve = ["resolve", "--constraint", "*"];

interface StartOptions {
  readonly execArgv?: readonly string[];
  readonly NODE_OPTIONS?: string;
}

function start(path: string, { execArgv = [], NODE_OPTIONS = "" }: StartOptions) {
  const env = { PATH: process.env["PATH"], NODE_OPTIONS };
  return spawn(process.execPath, [...execArgv, path, ...resolve], { env, stdio: "pipe" });
}

/** Waits for the process and its child, which report on stderr. */
async function bothStarted({ stderr }: { readonly stderr: Readable }): Promise<void> {
  let started = 0;
  for await (const line of createInterface(stderr)) {
    if (line === "started") started += 1;
    if (started === 2) return;
  }
}

async function end(child: ChildProcess): Promise<readonly [number | null, NodeJS.Signals | null]> {
  const [status, signal] = await once(child, "close");
  return [status, signal];
}

test.for([
  { when: "a supported Node", execArgv: [] },
  { when: "an unsupported Node, by using the Node of the dependencies", execArgv: preload },
])("the command runs under $when", async ({ execArgv }) => {
  const child = start(bin, { execArgv });
  child.stdin.end("1.0.0\n");
  const [stdout, ended] = await Promise.all([text(child.stdout), end(child)]);
  expect([stdout, ...ended]).toEqual(["1.0.0\n", 0, null]);
});

test("the exit code of the child process is returned", async () => {
  const child = start(bin, { execArgv: preload });
  child.stdin.end("latest\n");
  expect(await end(child)).toEqual([1, null]);
});

test.for(["SIGTERM", "SIGINT", "SIGHUP"] as const)("%s also ends the child process", async (signal) => {
  const child = start(bin, { NODE_OPTIONS: preload.join(" ") });
  const ended = end(child);
  await bothStarted(child);
  // The child waits for stdin, which stays open, and keeps the pipes open: "close" is emitted after it has exited too.
  child.kill(signal);
  expect(await ended).toEqual([null, signal]);
});

test("SIGKILL also ends the child process", async () => {
  // Its stdin stays open when the killed process has ended.
  const input = spawn("sleep", ["600"], { stdio: ["ignore", "pipe", "ignore"] });
  const env = { PATH: process.env["PATH"], NODE_OPTIONS: preload.join(" ") };
  const child = spawn(process.execPath, [bin, ...resolve], { env, stdio: [input.stdout, "pipe", "pipe"] });
  const ended = end(child);
  try {
    await bothStarted(child);
    child.kill("SIGKILL");
    expect(await ended).toEqual([null, "SIGKILL"]);
  } finally {
    input.kill();
  }
});

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "pawl-bin-"));
});
afterEach(() => rm(directory, { recursive: true }));

test("without dependencies the message says how to install them", async () => {
  await cp(bin, join(directory, "command.mjs"));
  const child = start(join(directory, "command.mjs"), { execArgv: preload });
  const [stderr, ended] = await Promise.all([text(child.stderr), end(child)]);
  expect(stderr).toMatch(/^pawl: needs Node 24 or later .*npm ci.*$/m);
  expect(ended).toEqual([2, null]);
});
