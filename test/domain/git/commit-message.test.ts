import { expect, test } from "vitest";
import {
  bodyOf,
  branchOf,
  claimIdOf,
  type CommittedUpdate,
  groupOfFirst,
  headlineOf,
  isCommitOf,
  isOtherCommitOf,
} from "../../../functions/domain/git/commit-message.ts";

const digest = `sha256:${"0".repeat(64)}`;
const web: CommittedUpdate = {
  workload: "Deployment shop/web",
  from: "ghcr.io/org/web:1.0.0",
  to: `ghcr.io/org/web:1.1.0@${digest}`,
  isRollback: false,
  claim: "c-1",
  gates: ["windows", "approval"],
  link: "https://pawl.example.com/#shop/web",
};
const api: CommittedUpdate = {
  workload: "Deployment shop/api",
  from: "api:1",
  to: "api:2",
  isRollback: false,
  claim: "c-2",
  gates: [],
  link: null,
};

test.for([
  { updates: [web], headline: "Update shop/web to 1.1.0" },
  { updates: [web, api], headline: "Update shop/api to 2 and 1 more" },
  { updates: [{ ...api, from: "api:2", to: "api:1", isRollback: true }], headline: "Restore shop/api to 1" },
  { updates: [{ ...api, isRollback: true }, web], headline: "Update shop/api to 2 and 1 more" },
  { updates: [{ ...web, workload: `Deployment shop/${"w".repeat(90)}` }], headline: `Update shop/${"w".repeat(59)}…` },
  { updates: [], headline: "Update no image" },
])("the headline is $headline", ({ updates, headline }) => {
  expect(headlineOf(updates)).toBe(headline);
});

test("the body has a paragraph for each workload, in one order", () => {
  const body = bodyOf([web, { ...api, gates: ["after"], isRollback: true }]);
  expect(body).toBe(
    [
      "Deployment shop/api: 1 -> 2",
      "Image: api:2",
      "Rollback: the new version failed",
      "Claim: c-2",
      "",
      "Deployment shop/web: 1.0.0 -> 1.1.0",
      `Image: ghcr.io/org/web:1.1.0@${digest}`,
      "Gates of its policy: windows approval",
      "Claim: c-1",
      "See https://pawl.example.com/#shop/web",
      "",
    ].join("\n"),
  );
  expect(bodyOf([api, web])).toBe(bodyOf([web, api]));
  expect(["c-1", "c-2", "c-", "c-3"].map((claim) => isCommitOf(body, claim))).toEqual([true, true, false, false]);
});

test.for([
  { from: "a:fixes #12 [skip ci]\n\nskip-checks: true", shown: "fixes _12 _skip ci___skip-checks: true" },
  { from: "a:@octocat", shown: "@\u200Boctocat" },
  { from: "a:1.-@team:x", shown: "1.-" },
  { from: "a@org/team", shown: "@\u200Borg/team" },
  { from: "a:<img src=x>`x`", shown: "_img src_x>_x_" },
  { from: "a:\u001B[31m\u202Ex", shown: "__31m_x" },
  { from: "a@fixes https://github.com/o/r/issues/1", shown: "@\u200Bfixes https:__github.com/o/r/issues/1" },
  { from: "a:GH-12", shown: "GH-\u200B12" },
  { from: "a:é", shown: "_" },
])("what a tenant wrote is plain text: $shown", ({ from, shown }) => {
  const update = { ...api, from };
  expect(bodyOf([update])).toBe(`Deployment shop/api: ${shown} -> 2\nImage: api:2\nClaim: c-2\n`);
  expect(headlineOf([{ ...api, to: from }])).toBe(`Update shop/api to ${shown}`);
});

test("the branch is named after the updates, in any order, and after nothing else", () => {
  expect(branchOf([web, api])).toMatch(/^pawl\/[0-9a-f]{12}$/);
  expect(branchOf([api, { ...web, link: null }])).toBe(branchOf([web, api]));
  const others = [
    [web],
    [{ ...web, to: web.from }],
    [{ ...web, from: "a:1" }],
    [{ ...web, workload: "Deployment shop/x" }],
    [{ ...web, claim: "c-7" }],
  ];
  expect(new Set(others.map(branchOf)).size).toBe(5);
});

test.for([
  { when: "names are short", name: "w", groups: 4 },
  { when: "all is long", name: "w".repeat(400), groups: 11 },
])("updates that do not fit into one body are grouped, the same from each of them, if $when", ({ name, groups }) => {
  const updates = Array.from({ length: 1000 }, (_, index) => ({ ...web, workload: `Deployment shop/${name}${index}` }));
  const bodies = new Map<CommittedUpdate, string>();
  for (const own of updates.filter((_, index) => index % 20 === 0)) {
    const group = groupOfFirst([own, ...updates.filter((one) => one !== own)], (one) => one);
    expect(group[0]).toBe(own);
    const body = bodyOf(group);
    for (const one of group) expect(bodies.get(one) ?? body).toBe(body);
    for (const one of group) bodies.set(one, body);
    expect(body.length).toBeLessThan(65_536 - 5000);
  }
  expect(bodies.size).toBe(1000);
  expect(new Set(bodies.values()).size).toBe(groups);
});

test("a claim is named by the workload and the second at which it was made", () => {
  const at = (time: string) => new Date(`2026-01-01T${time}Z`);
  const id = claimIdOf("u-1", at("12:00:00.001"));
  expect(id).toMatch(/^[0-9a-f]{24}$/);
  expect(claimIdOf("u-1", at("12:00:00.900"))).toBe(id);
  const others = [
    claimIdOf("u-2", at("12:00:00")),
    claimIdOf("u-1", at("12:00:01")),
    claimIdOf("u-1", at("12:00:00"), true),
  ];
  expect(others).not.toContain(id);
  const [foreign, ...later] = others.map((other) => isOtherCommitOf(`x\nClaim: ${other}\n`, id));
  expect([foreign, later, isOtherCommitOf(`Claim: ${id}`, id)]).toEqual([false, [true, true], false]);
});

test("a body that a person has edited in a browser, with CRLF, has the same claims", () => {
  const [own, before] = [new Date(2000), new Date(1000)].map((since) => claimIdOf("uid", since)) as [string, string];
  const body = bodyOf([{ ...web, claim: own }]).replaceAll("\n", "\r\n");
  expect([isCommitOf(body, own), isOtherCommitOf(body, own)]).toEqual([true, false]);
  expect([isCommitOf(body, before), isOtherCommitOf(body, before)]).toEqual([false, true]);
});
