#!/usr/bin/env node
// Plain JavaScript for any Node since 18: it looks for the Node that can run the rest.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";

/** A package has a bundle instead of the source, for which Node has to run TypeScript. */
const bundle = new URL("./pawl.mjs", import.meta.url);
const isPackage = existsSync(bundle);
const oldest = isPackage ? [22, 19] : [24, 0];
const [major, minor] = process.versions.node.split(".").map(Number);

if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1]))
  await import(isPackage ? bundle.href : "./pawl.ts");
else runUnder(isPackage ? undefined : installedNode());

function installedNode() {
  const places = ["../node_modules/node/bin/node", "../node_modules/.bin/node"];
  return places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((path) => existsSync(path));
}

function runUnder(node) {
  if (node === undefined) {
    const needs = isPackage ? oldest.join(".") : oldest[0];
    const fix = isPackage ? "install it" : `run "npm ci" in the checkout, which brings it along`;
    process.stderr.write(`pawl: needs Node ${needs} or later and this is ${process.version}: ${fix}\n`);
    process.exitCode = 2;
    return;
  }
  const command = fileURLToPath(new URL("./pawl.ts", import.meta.url));
  // The channel is never used. Its end tells the child that this process was killed.
  const stdio = ["inherit", "inherit", "inherit", "ipc"];
  const child = spawn(node, [command, ...process.argv.slice(2)], { stdio });
  child.on("error", (error) => {
    process.stderr.write(`pawl: ${node} cannot be run: ${error.message}\n`);
    process.exitCode = 2;
  });
  passSignals(child);
  child.on("exit", (code, signal) => endAs(code, signal));
}

/** A terminal sends Ctrl-C to both processes by itself; a second one would mean "at once". */
function passSignals(child) {
  const onTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"]) {
    const sentByTerminal = onTerminal && (signal === "SIGINT" || signal === "SIGQUIT");
    process.on(signal, () => sentByTerminal || child.kill(signal));
  }
}

function endAs(code, signal) {
  if (signal === null) {
    process.exitCode = code;
    return;
  }
  process.removeAllListeners(signal);
  process.exitCode = 128 + (constants.signals[signal] ?? 0);
  process.kill(process.pid, signal);
}
