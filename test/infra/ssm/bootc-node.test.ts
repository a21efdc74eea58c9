import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { parseBootcStatus } from "../../../functions/domain/node-pool/agent/bootc-status.ts";
import { statusOutput } from "../../domain/node-pool/agent/hosts.ts";
import { digestB, digestC, imageA, imageB, imageC } from "../../domain/node-pool/pools.ts";

interface Document {
  readonly schemaVersion: string;
  readonly parameters: {
    readonly action: { readonly allowedValues: readonly string[] };
    readonly image: { readonly allowedPattern: string; readonly default: string };
  };
  readonly mainSteps: readonly [
    { readonly action: string; readonly inputs: { readonly runCommand: readonly string[] } },
  ];
}

const document: Document = parse(readFileSync("infra/ssm/bootc-node.yaml", "utf8"));
const { action, image } = document.parameters;

interface Json {
  readonly status: { readonly staged: { readonly image: object } };
}

interface Host {
  readonly booted?: string;
  readonly staged?: string;
  readonly rollback?: string;
  readonly switching?: string;
  /** What `bootc --version` prints. */
  readonly version?: string;
  /** The output of `bootc status`, instead of one built from the fields above. */
  readonly statusText?: string;
}

/** Runs the document's script as SSM does, on a host whose bootc and systemd only log their commands. */
function runOn(host: Host, name: string, of: string) {
  const folder = mkdtempSync(path.join(tmpdir(), "pawl-ssm-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const log = path.join(folder, "log");
  const program = (file: string, script: string) => {
    writeFileSync(path.join(folder, file), `#!/bin/sh\n${script}\n`);
    chmodSync(path.join(folder, file), 0o755);
  };
  const status = host.statusText ?? statusOutput(host.booted ?? imageA, host.staged ?? null, host.rollback ?? null);
  program(
    "bootc",
    `echo "bootc $*" >>${log}\nif [ "$1" = status ]; then echo '${status}'; elif [ "$1" = --version ]; then ${printVersion(host)}; else echo progress; ${host.switching ?? ":"}; fi`,
  );
  program("systemctl", `echo "systemctl $*" >>${log}; exit 5`);
  program("systemd-run", `while [ "$1" != bootc ]; do echo "systemd-run $1" >>${log}; shift; done\nexec "$@"`);
  const [{ inputs }] = document.mainSteps;
  const script = inputs.runCommand.join("\n").replaceAll("{{ action }}", name).replaceAll("{{ image }}", of);
  const ran = spawnSync("sh", ["-c", script], { env: { PATH: `${folder}:/usr/bin:/bin` }, encoding: "utf8" });
  const commands = readFileSync(log, "utf8").trimEnd().split("\n");
  return {
    ...ran,
    status: ran.status,
    commands: commands.filter((line) => !queries.has(line)),
  };
}

const queries = new Set(["bootc status --json --format-version=1", "bootc --version"]);

function printVersion({ version = "bootc 1.16.10" }: Host): string {
  return version === "" ? "exit 127" : `echo '${version}'`;
}

const failing = { switching: "echo 'error: Switching: no such manifest' >&2; exit 1" };

test.for([
  { name: "status", of: "", host: {}, commands: [] },
  {
    name: "stage",
    of: imageB,
    host: {},
    commands: [
      "systemctl stop pawl-stage.service",
      ...["--quiet", "--collect", "--wait", "--pipe", "--unit=pawl-stage"].map((option) => `systemd-run ${option}`),
      `bootc switch --download-only ${imageB}`,
    ],
  },
  { name: "apply", of: imageB, host: { staged: imageB }, commands: ["bootc switch --from-downloaded --apply"] },
  {
    name: "apply-soft",
    of: imageB,
    host: { staged: imageB },
    commands: ["bootc switch --from-downloaded --apply --soft-reboot=auto"],
  },
])("$name runs the commands of bootc-operator's daemon, and prints only the status", ({ name, of, host, commands }) => {
  const ran = runOn(host, name, of);
  expect(ran.commands).toEqual(commands);
  expect(ran).toMatchObject({ status: 0, stderr: "" });
  expect(parseBootcStatus(ran.stdout)).toMatchObject({ kind: "images" });
});

test.for([
  { when: "staging fails", name: "stage", host: failing, last: "error: Switching: no such manifest" },
  {
    when: "applying fails",
    name: "apply",
    host: { ...failing, staged: imageB },
    last: "error: Switching: no such manifest",
  },
  { when: "something else is staged", name: "apply", host: { staged: imageC }, last: `error: ${imageB} is not staged` },
])("if $when, it fails with the error, and also prints the status", ({ name, host, last }) => {
  const ran = runOn(host, name, imageB);
  expect(ran).toMatchObject({ status: 1, stderr: `${last}\n` });
  expect(parseBootcStatus(ran.stdout)).toMatchObject({ kind: "images" });
});

test.for([
  { version: "bootc 1.16.10", isEnough: true },
  { version: "bootc 1.17.0", isEnough: true },
  { version: "bootc 2.0.0-rc1", isEnough: true },
  { version: "bootc 1.16.9", isEnough: false },
  { version: "bootc 1.9.12", isEnough: false },
  { version: "", isEnough: false },
])("$version is new enough to stage: $isEnough; an older one stages nothing, and still prints the status", (tested) => {
  const { version, isEnough } = tested;
  for (const name of ["status", "stage"]) {
    const ran = runOn({ version }, name, name === "stage" ? imageB : "");
    expect([ran.status, parseBootcStatus(ran.stdout).kind]).toEqual([isEnough ? 0 : 1, "images"]);
    const reason = `error: ${version || "bootc of unknown version"} is too old: 1.16.10 or newer is needed\n`;
    expect(ran.stderr).toBe(isEnough ? "" : reason);
    expect(ran.commands.includes(`bootc switch --download-only ${imageB}`)).toBe(isEnough && name === "stage");
  }
});

const stagedB: Json = JSON.parse(statusOutput(imageA, imageB));
const stagedC: Json = JSON.parse(statusOutput(imageA, imageC));
const { staged: entryB } = stagedB.status;
const { staged: entryC, ...noneStaged } = stagedC.status;

function hostWithStatus(status: object): Host {
  return { statusText: JSON.stringify({ ...stagedB, status }) };
}

test.for<{ when: string; host: Host; isApplied: boolean }>([
  { when: "it is staged", host: { staged: imageB }, isApplied: true },
  {
    when: "it is staged, and the one to roll back to as well",
    host: { staged: imageB, rollback: imageB },
    isApplied: true,
  },
  {
    when: "the slots come in another order",
    host: hostWithStatus({ booted: entryC, rollback: entryC, staged: entryB }),
    isApplied: true,
  },
  { when: "it is printed on many lines", host: { statusText: JSON.stringify(stagedB, null, 2) }, isApplied: true },
  {
    when: "its reference names the digest and another is that of the platform",
    host: {
      statusText: statusOutput(imageA, imageB).replaceAll(`"imageDigest":"${digestB}"`, `"imageDigest":"${digestC}"`),
    },
    isApplied: true,
  },
  {
    when: "its reference is a tag",
    host: { statusText: statusOutput(imageA, imageB).replaceAll(imageB, "quay.io/example/myos:stable") },
    isApplied: true,
  },
  { when: "another is staged", host: { staged: imageC }, isApplied: false },
  {
    when: "it is the one to roll back to, and another is staged",
    host: { staged: imageC, rollback: imageB },
    isApplied: false,
  },
  { when: "it is booted, and another is staged", host: { staged: imageC, booted: imageB }, isApplied: false },
  { when: "it is the one to roll back to, and none is staged", host: { rollback: imageB }, isApplied: false },
  {
    when: "it is pinned, and another is staged",
    host: hostWithStatus({ ...stagedC.status, otherDeployments: [entryB] }),
    isApplied: false,
  },
  {
    when: "it comes after the one that is staged",
    host: hostWithStatus({ ...stagedC.status, staged: { ...entryC, cachedUpdate: entryB.image } }),
    isApplied: false,
  },
  { when: "bootc names no slot for what is staged", host: hostWithStatus(noneStaged), isApplied: false },
  { when: "bootc prints nothing", host: { statusText: "" }, isApplied: false },
])("an image is applied if $when: $isApplied", ({ host, isApplied }) => {
  const applied = isApplied ? ["bootc switch --from-downloaded --apply"] : [];
  expect(runOn(host, "apply", imageB).commands).toEqual(applied);
});

describe("the document", () => {
  test("is a script of four actions", () => {
    expect(document.schemaVersion).toBe("2.2");
    expect(document.mainSteps.map((step) => step.action)).toEqual(["aws:runShellScript"]);
    expect(action.allowedValues).toEqual(["status", "stage", "apply", "apply-soft"]);
  });

  const digest = `sha256:${"b".repeat(64)}`;
  test.for([
    ...["", imageB, `registry.example:5000/a_b/c-d.e@${digest}`, `Quay.io/x@sha512:${"0".repeat(128)}`].map(
      (text) => [text, true] as const,
    ),
    ...[
      "quay.io/x:latest",
      "quay.io/x@sha256:short",
      `'; reboot; '@${digest}`,
      `$(reboot)@${digest}`,
      `\`reboot\`@${digest}`,
      `a b@${digest}`,
      `--apply@${digest}`,
      `${imageB}'; reboot`,
      `${imageB} --apply`,
      `x\nreboot@${digest}`,
      `{{ ssm:x }}@${digest}`,
    ].map((text) => [text, false] as const),
  ])("accepts %j as an image: %s", ([text, isTaken]) => {
    expect(new RegExp(image.allowedPattern, "u").test(text)).toBe(isTaken);
  });

  test("has a valid default", () => {
    expect(new RegExp(image.allowedPattern, "u").test(image.default)).toBe(true);
  });
});
