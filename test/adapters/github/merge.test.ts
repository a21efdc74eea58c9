import { expect, test } from "vitest";
import { secondsAfter } from "../../../functions/domain/text/rfc3339.ts";
import { openStandIn } from "./open.ts";

const files = { "web.yaml": 'image: app:1.0.0 # {"$imagepolicy": "shop:web"}\n' };

async function proposed() {
  const clock = { now: new Date("2026-01-01T00:00:00Z") };
  const { git, host } = await openStandIn(files, { mode: "pullRequest", now: () => clock.now }, { clock });
  await host.allowAutoMerge({ hasRule: false });
  const { commit } = await git.readHead();
  const changed = new Map([["web.yaml", "image: app:2\n"]]);
  const change = { expectedHead: commit, files: changed, headline: "shop/web", body: "", branch: "pawl/one" };
  const { url } = await git.propose(change);
  return { git, host, url, change, clock };
}

test.for([
  { of: "another branch", by: { head: "feature" } },
  // People with access may push to any branch.
  { of: "a person, with the claims of Pawl", by: { login: "mallory" } },
  { of: "a person who is called like the App", by: { login: "pawl-of-acme" } },
  { of: "another App", by: { login: "other[bot]" } },
])("a pull request of $of is not followed, closed or merged, though a status has its address", async ({ by }) => {
  const { git, host, url, change } = await proposed();
  Object.assign(host.state.pulls[0] ?? {}, by);
  const { repository } = host.state;
  repository.moveRef("feature", repository.head("pawl/one") ?? "", null);
  expect(await git.listProposals()).toEqual([]);
  expect(await git.mergeProposal(url)).toBe("it is no pull request of Pawl for main");
  await git.closeProposal(url, "It has ended");
  expect(await git.readProposal(url, change.expectedHead)).toBeNull();
  expect(host.state.pulls).toMatchObject([{ state: "open", body: "" }]);
});

test("one that a person opened first of the branch of a change is not taken for it: a person has to close it", async () => {
  const { git, host, change } = await proposed();
  Object.assign(host.state.pulls[0] ?? {}, { login: "mallory" });
  await expect(git.propose(change)).rejects.toThrow(
    expect.objectContaining({
      name: "GitRefused",
      message: expect.stringContaining("A pull request already exists for acme:pawl/one.") as string,
    }),
  );
  await host.close(1);
  expect(await git.propose(change)).toMatchObject({ number: 2, state: "open" });
});

test("what a person has pushed to the branch is merged by a person", async () => {
  const { git, host, url } = await proposed();
  const { repository } = host.state;
  const before = repository.head("pawl/one");
  repository.moveRef("pawl/one", repository.commit(before, new Map([["x.yaml", "a: 1\n"]]), "a person"), before);
  expect(await git.mergeProposal(url)).toBe("its branch has other commits than that of Pawl");
  expect(host.state.pulls).toMatchObject([{ state: "open" }]);
});

test("what a person has pushed after the host was to merge is not merged by it any more", async () => {
  const { git, host, url } = await proposed();
  await host.allowAutoMerge({ hasRule: true });
  expect(await git.mergeProposal(url)).toBeNull();
  const { repository } = host.state;
  const before = repository.head("pawl/one");
  repository.moveRef("pawl/one", repository.commit(before, new Map([["x.yaml", "a: 1\n"]]), "a person"), before);
  expect(await git.mergeProposal(url)).toBe("its branch has other commits than that of Pawl");
  await host.pass(1);
  expect(host.state.pulls).toMatchObject([{ state: "open", isAutoMerged: false }]);
});

test("a merge that its branch has lost is one that a person reverted, once GitHub had time to show it", async () => {
  const { git, host, url, change, clock } = await proposed();
  await host.merge(1);
  const { repository } = host.state;
  repository.moveRef("main", change.expectedHead, repository.head("main"));
  const { commit } = await git.readHead();
  expect(await git.readProposal(url, commit)).toMatchObject({ state: "merged", isIncluded: false });
  clock.now = secondsAfter(clock.now, 700);
  expect(await git.readProposal(url, commit)).toMatchObject({ state: "merged", isIncluded: true });
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
