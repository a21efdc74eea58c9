import { expect, test } from "vitest";
import { openStandIn } from "./open.ts";

const files = { "web.yaml": 'image: app:1.0.0 # {"$imagepolicy": "shop:web"}\n' };

async function proposed() {
  const { git, host } = await openStandIn(files, { mode: "pullRequest" });
  await host.allowAutoMerge({ hasRule: false });
  const { commit } = await git.readHead();
  const changed = new Map([["web.yaml", "image: app:2\n"]]);
  const change = { expectedHead: commit, files: changed, headline: "shop/web", body: "" };
  const { url } = await git.propose({ ...change, branch: "pawl/one" });
  return { git, host, url, head: commit };
}

test("a pull request that is not Pawl's is not read, closed or merged, though a status has its address", async () => {
  const { git, host, url, head } = await proposed();
  Object.assign(host.state.pulls[0] ?? {}, { head: "feature" });
  const { repository } = host.state;
  repository.moveRef("feature", repository.head("pawl/one") ?? "", null);
  expect(await git.mergeProposal(url)).toBe("feature is no branch of Pawl for main");
  await git.closeProposal(url, "It has ended");
  expect(await git.readProposal(url, head)).toBeNull();
  expect(host.state.pulls).toMatchObject([{ state: "open", body: "" }]);
});

test("what a person has pushed to the branch is merged by a person", async () => {
  const { git, host, url } = await proposed();
  const { repository } = host.state;
  const before = repository.head("pawl/one");
  repository.moveRef("pawl/one", repository.commit(before, new Map([["x.yaml", "a: 1\n"]]), "a person"), before);
  expect(await git.mergeProposal(url)).toBe("its branch has other commits than that of Pawl");
  expect(host.state.pulls).toMatchObject([{ state: "open" }]);
});

test("a check that is not required keeps nothing from being merged", async () => {
  const { git, host, url } = await proposed();
  host.state.autoMerge = { hasRule: false, isUnstable: true };
  expect(await git.mergeProposal(url)).toBeNull();
  expect(await host.read("web.yaml")).toBe("image: app:2\n");
});

test("an open pull request is found behind the newest hundred of others", async () => {
  const { git, host, url } = await proposed();
  const [own] = host.state.pulls;
  if (own === undefined) throw new Error("none is open");
  const others = (state: "open" | "closed") =>
    Array.from({ length: 110 }, () => ({ ...own, head: "main", state, number: host.state.pulls.length + 1 }));
  for (const other of [...others("open"), ...others("closed")])
    host.state.pulls.push({ ...other, number: host.state.pulls.length + 1 });
  expect(await git.listProposals()).toMatchObject([{ url, state: "open" }]);
});
