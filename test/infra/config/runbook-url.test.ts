import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { defaultRunbookUrl } from "../../../infra/config/runbook-url.ts";

function urlWith(config: string | null, manifest: object = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "pawl-git-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "config");
  if (config !== null) writeFileSync(file, config);
  const packageFile = join(folder, "package.json");
  writeFileSync(packageFile, JSON.stringify(manifest));
  return defaultRunbookUrl(file, packageFile);
}

test.for([
  { remote: "https://github.com/team/pawl.git", origin: "https://github.com/team/pawl" },
  { remote: "https://user:secret@git.team.test/tools/pawl.git", origin: "https://git.team.test/tools/pawl" },
  { remote: "git@github.com:team/pawl.git", origin: "https://github.com/team/pawl" },
  { remote: "ssh://git@git.team.test:2222/tools/pawl", origin: "https://git.team.test/tools/pawl" },
])("alarms link to the runbook of $remote", ({ remote, origin }) => {
  const config = `[core]\n\tbare = false\n[remote "origin"]\n\turl = ${remote}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`;
  expect(urlWith(config)).toBe(`${origin}/blob/HEAD/docs/how-to/runbook.md`);
});

test.for([
  null,
  "[core]\n",
  '[remote "upstream"]\n\turl = https://github.com/team/pawl\n',
  '[remote "origin"]\n\turl = /srv/pawl\n',
])("without a web address of the origin and a repository of the package, to the file: %j", (config) => {
  expect(urlWith(config)).toBe("docs/how-to/runbook.md");
});

test.for(["https://github.com/team/pawl", { type: "git", url: "git+https://github.com/team/pawl.git" }])(
  "without an origin, alarms link to the repository of the package: %j",
  (repository) => {
    const expected = "https://github.com/team/pawl/blob/HEAD/docs/how-to/runbook.md";
    expect(urlWith(null, { repository })).toBe(expected);
    expect(urlWith('[remote "origin"]\n\turl = https://git.team.test/a\n', { repository })).not.toBe(expected);
  },
);
