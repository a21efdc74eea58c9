import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";

interface Given {
  readonly pack?: object;
  readonly changelog?: string;
  /** Changes a file after the commit. */
  readonly isDirty?: boolean;
  readonly isUnsigned?: boolean;
  readonly hasIdentity?: boolean;
}

const changelog = "# Changelog\n\n## 1.2.0\n\n- what is new\n\n## 1.1.0\n\n- what was new\n";

/** Creates a repository with the script, a remote, and a key to sign with; npm and gh only note how they are called. */
function repository({
  pack = {},
  changelog: notes = changelog,
  isDirty = false,
  isUnsigned = false,
  hasIdentity = true,
}: Given = {}) {
  const home = mkdtempSync(join(tmpdir(), "pawl-release-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const [folder, remote, bin, calls] = ["work", "remote", "bin", "calls"].map((name) => join(home, name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const one of [join(folder, ".ci"), bin]) mkdirSync(one, { recursive: true });
  for (const name of ["npm", "gh"]) {
    writeFileSync(join(bin, name), `#!/bin/sh\ncase "$*" in *view*) exit 1 ;; esac\necho "${name} $*" >> ${calls}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const environment = {
    PATH: `${bin}:${process.env["PATH"]}`,
    HOME: home,
    GIT_CONFIG_NOSYSTEM: "1",
    ...(hasIdentity ? { SIGSTORE_ID_TOKEN: "token" } : {}),
  };
  const run = (command: string, ...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, env: environment, encoding: "utf8" });
    return { status, output: `${stdout}${stderr}` };
  };
  cpSync(resolve(".ci/release"), join(folder, ".ci/release"));
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "pawl", version: "1.2.0", repository: "team/pawl", ...pack }),
  );
  writeFileSync(join(folder, "CHANGELOG.md"), notes);
  run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", join(home, "key"));
  writeFileSync(join(home, "signers"), `release@pawl.test ${readFileSync(join(home, "key.pub"), "utf8")}`);
  run("git", "init", "--quiet", "--bare", remote);
  run("git", "init", "--quiet");
  const settings = {
    "user.name": "Release",
    "user.email": "release@pawl.test",
    "gpg.format": "ssh",
    "gpg.ssh.allowedSignersFile": join(home, "signers"),
    ...(isUnsigned ? {} : { "user.signingkey": join(home, "key") }),
  };
  for (const [name, value] of Object.entries(settings)) run("git", "config", name, value);
  run("git", "remote", "add", "origin", remote);
  run("git", "add", ".");
  run("git", "commit", "--quiet", "--no-gpg-sign", "--message", "release 1.2.0");
  if (isDirty) writeFileSync(join(folder, "new"), "");
  return {
    run,
    release: (...args: readonly string[]) => run(".ci/release", ...args),
    calls: () => spawnSync("cat", [calls], { encoding: "utf8" }).stdout.split("\n").filter(Boolean),
  };
}

const steps = [
  "npm ci",
  "npm audit signatures",
  "npm run check",
  "npm test",
  "npm run sbom",
  "npm run package",
  "npm publish ./dist --provenance --access public",
];

describe("a release", () => {
  test("is built from the lockfile, has a signed tag, a provenance and its SBOM, and can be repeated", () => {
    const { release, run, calls } = repository();
    expect(release("1.2.0")).toMatchObject({ status: 0 });
    expect(calls().slice(0, steps.length)).toEqual(steps);
    const [created, ...notes] = calls().slice(steps.length);
    expect(created).toContain("gh release create v1.2.0 --verify-tag");
    expect([created, ...notes].join(" ")).toMatch(/what is new.* sbom\/pawl.cdx.json sbom\/functions.cdx.json$/);
    expect(notes.join(" ")).not.toContain("what was new");
    expect(run("git", "verify-tag", "v1.2.0").output).toContain("Good");
    expect(run("git", "ls-remote", "--tags", "origin").output).toContain("refs/tags/v1.2.0");
    expect(release("1.2.0")).toMatchObject({ status: 0 });
  });

  test("that is only tried changes nothing, and says what it would run", () => {
    const { release, run, calls } = repository({ hasIdentity: false });
    const { status, output } = release("--dry-run", "1.2.0");
    expect(status).toBe(0);
    for (const step of [...steps, "git tag --sign v1.2.0", "git push origin v1.2.0"])
      expect(output).toContain(`+ ${step}`);
    expect([calls(), run("git", "tag").output]).toEqual([[], ""]);
  });

  test.for<{ when: string; given?: Given; version?: string; says: string }>([
    { when: "its name is no version", version: "next", says: "is not a version" },
    { when: "the package has another version", version: "1.3.0", says: "package.json has version 1.2.0" },
    { when: "the package has no repository", given: { pack: { repository: undefined } }, says: "has no repository" },
    { when: "the tree has changes", given: { isDirty: true }, says: "the working tree has changes" },
    { when: "the changelog does not have it", given: { changelog: "## 1.2.00\n" }, says: 'no section "## 1.2.0"' },
    { when: "nobody can sign the tag", given: { isUnsigned: true }, says: "user.signingkey" },
    { when: "it has no identity", given: { hasIdentity: false }, says: "id-token: write" },
  ])("is refused, and nothing is done, if $when", ({ given = {}, version = "1.2.0", says }) => {
    const { release, run, calls } = repository(given);
    const { status, output } = release(version);
    expect([status, output]).toEqual([1, expect.stringContaining(says)]);
    expect([calls(), run("git", "tag").output]).toEqual([[], ""]);
  });

  test("of another commit does not move a tag", () => {
    const { release, run, calls } = repository();
    run("git", "tag", "v1.2.0");
    run("git", "commit", "--quiet", "--no-gpg-sign", "--allow-empty", "--message", "another");
    expect(release("1.2.0").output).toContain("v1.2.0 is another commit");
    expect(calls()).toEqual([]);
  });

  test("whose tag is not signed is not published", () => {
    const { release, run, calls } = repository();
    run("git", "tag", "--no-sign", "v1.2.0");
    expect(release("1.2.0").status).not.toBe(0);
    expect(calls()).not.toContain("npm publish ./dist --provenance --access public");
  });
});

test("the package of this repository is not published by mistake", () => {
  expect(JSON.parse(readFileSync("package.json", "utf8"))).toMatchObject({ private: true });
});
