import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { runPawl } from "../cli/run-pawl.ts";
import { readDocument, root } from "./document.ts";
import { blocksOf, normalise } from "./output.ts";

const text = readDocument("walkthrough.md");
const blocks = blocksOf(text);

let demo: ReturnType<typeof spawn>;
let printed = "";

beforeAll(async () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  const [program, ...args] = (scripts["start"] ?? "").split(" ");
  expect(program).toBe("node");
  demo = spawn(process.execPath, [...args, "--clock-speed", "150"], { cwd: root, env: { PATH: process.env["PATH"] } });
  demo.stdout?.on("data", (part: Buffer) => {
    printed += part.toString();
  });
  await vi.waitFor(() => expect(printed).toContain("✔ shop/payments"), { timeout: 110_000, interval: 200 });
}, 120_000);

afterAll(async () => {
  demo.kill("SIGINT");
  if (demo.exitCode === null) await once(demo, "exit");
}, 60_000);

test("the demo prints what the walkthrough shows", () => {
  const [start, canary] = blocks.filter(({ language }) => language === "text");
  const lines = normalise(printed).split("\n");
  const shown = normalise(`${start?.body}${canary?.body}`).trimEnd().split("\n");
  expect(shown).toHaveLength(7);
  const positions = shown.map((line) => lines.indexOf(line));
  expect(shown.filter((_line, index) => positions[index] === -1)).toEqual([]);
  expect(positions).toEqual(positions.toSorted((one, other) => one - other));
});

test("each command of the second terminal prints what the walkthrough shows", async () => {
  const variables = /export (PAWL_KUBECONFIG)=(\S+) (PAWL_INSECURE_REGISTRIES)=([^\s;]+)/.exec(printed) ?? [];
  const [, first = "", kubeconfig = "", second = "", registries = ""] = variables;
  const env = { [first]: kubeconfig, [second]: registries };
  const commands = blocks.flatMap(({ language, body }, index) => {
    const [, args] = /^npx --no-install pawl (.+)\n$/.exec(body) ?? [];
    return language === "sh" && args !== undefined ? [{ args, output: blocks[index + 1]?.body ?? "" }] : [];
  });
  expect(commands).toHaveLength(2);
  for (const { args, output } of commands) {
    // The poll after the update evaluates it.
    await vi.waitFor(
      async () => {
        const { stdout } = await runPawl(args.split(" "), { env });
        expect(normalise(stdout)).toBe(normalise(output));
      },
      { timeout: 60_000, interval: 500 },
    );
  }
});
