import { describe, expect, test } from "vitest";
import type { GitChange, GitRepository } from "../../functions/ports/git-repository.ts";
import type { GitHost, MemoryGitOptions } from "../support/git/memory-git.ts";

export interface GitUnderTest {
  readonly git: GitRepository;
  readonly host: GitHost;
}

const marked = 'image: app:1.0.0 # {"$imagepolicy": "shop:web"}\n';
const files = { "apps/web.yaml": marked, "apps/other.yaml": "a: 1\n", "README.md": marked };

/** The behaviour of every implementation of the port. `create` makes a repository with these files. */
export function gitRepositoryContract(
  name: string,
  create: (options: MemoryGitOptions) => Promise<GitUnderTest>,
): void {
  describe(`${name}: the port of a repository`, () => {
    const change = async ({ git }: GitUnderTest, text: string): Promise<GitChange> => ({
      expectedHead: (await git.readHead()).commit,
      files: new Map([["apps/web.yaml", text]]),
      headline: "shop/web: app 1.1.0",
      body: "Deployment shop/web\n",
    });

    test("reads the head: the YAML files of the allowed paths that may name an image, byte for byte", async () => {
      const text = '\uFEFFa: "é" # {"$imagepolicy": "shop:web"}\r\nb: 1';
      const { git } = await create({
        paths: ["apps", "clusters/*/prod.yaml"],
        files: {
          ...files,
          "apps/bom.yml": text,
          "clusters/eu/prod.yaml": marked,
          "clusters/eu/test.yaml": marked,
          "apps/base/kustomization.yaml": "images: []\n",
        },
      });
      const head = await git.readHead();
      expect(Object.fromEntries(head.files)).toEqual({
        "apps/web.yaml": marked,
        "apps/bom.yml": text,
        "clusters/eu/prod.yaml": marked,
        "apps/base/kustomization.yaml": "images: []\n",
      });
      expect(head.commit).toMatch(/^[0-9a-f]{40}$/);
      expect((await git.readHead()).commit).toBe(head.commit);
    });

    test("reads what was pushed and deleted since", async () => {
      const { git, host } = await create({ files });
      const before = await git.readHead();
      const pushed = await host.push({ "apps/web.yaml": null, "apps/new.yaml": marked });
      const head = await git.readHead();
      expect(head.commit).toBe(pushed);
      expect(head.commit).not.toBe(before.commit);
      expect([...head.files.keys()]).toEqual(["apps/new.yaml"]);
    });

    test("commits all files of a change at once, and leaves others as they are", async () => {
      const subject = await create({ files });
      const { git, host } = subject;
      const wanted = await change(subject, "image: a:2\r\n");
      const outcome = await git.commit({ ...wanted, files: new Map([...wanted.files, ["apps/other.yaml", "a: é"]]) });
      expect(outcome).toMatchObject({ kind: "committed", commit: (await git.readHead()).commit });
      expect(await host.read("apps/web.yaml")).toBe("image: a:2\r\n");
      expect(await host.read("apps/other.yaml")).toBe("a: é");
      expect(await host.read("README.md")).toBe(marked);
      expect(await host.log()).toEqual(["shop/web: app 1.1.0", "initial"]);
    });

    test("reads the messages of the commits up to a head, newest first", async () => {
      const subject = await create({ files });
      const { git } = subject;
      const before = await git.readHead();
      const { headline, body, ...wanted } = await change(subject, "image: a:2\n");
      await git.commit({ ...wanted, headline, body });
      const [head, ...others] = await git.readLog((await git.readHead()).commit, new Date(0));
      expect(head?.message.trim()).toBe(`${headline}\n\n${body}`.trim());
      expect(others.map(({ commit }) => commit)).toEqual([before.commit]);
      expect(await git.readLog(before.commit, new Date(0))).toEqual(others);
    });

    test("writes nothing if the branch has moved", async () => {
      const subject = await create({ files });
      const { git, host } = subject;
      const wanted = await change(subject, "image: a:2\n");
      await host.push({ "README.md": "by a person" });
      expect(await git.commit(wanted)).toEqual({ kind: "moved" });
      expect(await host.read("apps/web.yaml")).toBe(marked);
    });

    test("commits once, of two that start from the same head", async () => {
      const subject = await create({ files });
      const [one, other] = [await change(subject, "image: a:2\n"), await change(subject, "image: a:3\n")];
      const outcomes = await Promise.all([subject.git.commit(one), subject.git.commit(other)]);
      expect(outcomes.map(({ kind }) => kind).sort()).toEqual(["committed", "moved"]);
    });

    test("throws GitRefused if the branch is protected", async () => {
      const subject = await create({ files });
      await subject.host.protect();
      await expect(subject.git.commit(await change(subject, "a: 2\n"))).rejects.toThrow(
        expect.objectContaining({
          name: "GitRefused",
          message: expect.stringMatching(/; .*mode: pullRequest/) as string,
        }),
      );
      expect(await subject.host.read("apps/web.yaml")).toBe(marked);
    });

    describe("a proposal", () => {
      const apart = { isIncluded: false, isConflicting: false, otherBase: null };
      const propose = async (subject: GitUnderTest, text = "image: a:2\n", branch = "pawl/one") =>
        subject.git.propose({ ...(await change(subject, text)), branch });

      test("changes the branch when it is merged", async () => {
        const subject = await create({ files, mode: "pullRequest" });
        const opened = await propose(subject);
        expect(opened.state).toBe("open");
        expect(await subject.host.read("apps/web.yaml")).toBe(marked);
        expect(await subject.git.readProposal(opened.url, (await subject.git.readHead()).commit)).toEqual({
          ...opened,
          ...apart,
        });
        await subject.host.merge(opened.number);
        expect(await subject.host.read("apps/web.yaml")).toBe("image: a:2\n");
        expect(await subject.git.readProposal(opened.url, (await subject.git.readHead()).commit)).toEqual({
          ...opened,
          ...apart,
          state: "merged",
          isIncluded: true,
        });
      });

      test.for(["open", "closed", "merged"] as const)(
        "that exists and is %s is returned, and none is opened",
        async (state) => {
          const subject = await create({ files, mode: "pullRequest" });
          const wanted = { ...(await change(subject, "image: a:2\n")), branch: "pawl/one" };
          const opened = await subject.git.propose(wanted);
          if (state === "closed") await subject.host.close(opened.number);
          if (state === "merged") await subject.host.merge(opened.number);
          expect(await subject.git.propose(wanted)).toEqual({ ...opened, state });
          expect(await subject.git.readProposal(`${opened.url}1`, wanted.expectedHead)).toBeNull();
        },
      );

      test("is the same after the branch has moved", async () => {
        const subject = await create({ files, mode: "pullRequest" });
        const opened = await propose(subject);
        await subject.host.push({ "README.md": "by a person" });
        expect(await propose(subject)).toEqual(opened);
      });

      test("is new if the one before was merged and then reverted", async () => {
        const subject = await create({ files, mode: "pullRequest" });
        const first = await propose(subject);
        await subject.host.merge(first.number);
        await subject.host.push({ "apps/web.yaml": marked });
        const second = await propose(subject);
        expect(second).toMatchObject({ state: "open" });
        expect(second.number).toBeGreaterThan(first.number);
        await subject.host.merge(second.number);
        expect(await subject.host.read("apps/web.yaml")).toBe("image: a:2\n");
      });

      test("that was closed by closeProposal is opened again as a new one, and one that a person closed is not", async () => {
        const subject = await create({ files, mode: "pullRequest" });
        const first = await propose(subject);
        await subject.git.closeProposal(first.url, "1.2.0 takes its place");
        expect(await subject.git.readProposal(first.url, (await subject.git.readHead()).commit)).toMatchObject({
          url: first.url,
          state: "withdrawn",
        });
        const second = await propose(subject);
        expect(second).toMatchObject({ state: "open" });
        await subject.host.close(second.number);
        expect(await propose(subject)).toEqual({ ...second, state: "closed" });
        await subject.host.reopen(second.number);
        expect(await propose(subject)).toEqual(second);
      });

      test("is listed with its body and state, newest first", async () => {
        const subject = await create({ files, mode: "pullRequest" });
        expect(await subject.git.listProposals()).toEqual([]);
        const first = await propose(subject);
        const second = await propose(subject, "image: a:3\n", "pawl/two");
        await subject.host.close(first.number);
        expect(await subject.git.listProposals()).toEqual([second, { ...first, state: "closed" }]);
        expect(first.body).toBe("Deployment shop/web\n");
      });

      test("that is closed says why, once, however often that is asked for", async () => {
        const subject = await create({ files, mode: "pullRequest" });
        const { url } = await propose(subject);
        const close = () => subject.git.closeProposal(url, "1.2.0 takes its place");
        await Promise.all([close(), close()]);
        await close();
        const [found, ...others] = await subject.git.listProposals();
        expect(found).toMatchObject({ state: "withdrawn", body: expect.stringMatching(/^Deployment shop\/web\n/) });
        expect(found?.body.match(/1\.2\.0 takes its place/g)).toHaveLength(1);
        expect(others).toEqual([]);
      });

      test("that is merged is included in a head read after it, and in none before", async () => {
        const subject = await create({ files, mode: "pullRequest" });
        const opened = await propose(subject);
        const before = (await subject.git.readHead()).commit;
        await subject.host.merge(opened.number);
        const merged = { ...opened, ...apart, state: "merged" };
        expect(await subject.git.readProposal(opened.url, before)).toEqual(merged);
        await subject.host.push({ "apps/web.yaml": marked });
        const { commit } = await subject.git.readHead();
        expect(await subject.git.readProposal(opened.url, commit)).toEqual({ ...merged, isIncluded: true });
      });

      test("conflicts if a person changes the same line, and is opened again on the new head", async () => {
        const subject = await create({ files, mode: "pullRequest" });
        const opened = await propose(subject);
        await subject.host.push({ "apps/web.yaml": "image: a:7\n" });
        const { commit } = await subject.git.readHead();
        expect(await subject.git.readProposal(opened.url, commit)).toMatchObject({
          isConflicting: true,
          state: "open",
        });
        await subject.git.closeProposal(opened.url, "It conflicts");
        const again = await propose(subject);
        expect(await subject.git.readProposal(again.url, commit)).toEqual({ ...again, ...apart });
        await subject.host.merge(again.number);
        expect(await subject.host.read("apps/web.yaml")).toBe("image: a:2\n");
      });

      test("waits for a person if the repository does not allow auto-merge", async () => {
        const subject = await create({ files, mode: "pullRequest" });
        const opened = await propose(subject);
        expect(await subject.git.mergeProposal(opened.url)).toContain("does not allow auto-merge");
        expect(await subject.host.read("apps/web.yaml")).toBe(marked);
      });

      test("merges at once if it is allowed and no rule is to be met", async () => {
        const subject = await create({ files, mode: "pullRequest" });
        await subject.host.allowAutoMerge({ hasRule: false });
        const opened = await propose(subject);
        expect(await subject.git.mergeProposal(opened.url)).toBeNull();
        expect(await subject.host.read("apps/web.yaml")).toBe("image: a:2\n");
      });

      test("merges once its rules are met, if it is allowed, however often that is asked for", async () => {
        const subject = await create({ files, mode: "pullRequest" });
        await subject.host.allowAutoMerge({ hasRule: true });
        const opened = await propose(subject);
        await subject.host.pass(opened.number);
        expect(await subject.host.read("apps/web.yaml")).toBe(marked);
        expect(await subject.git.mergeProposal(opened.url)).toBeNull();
        expect(await subject.git.mergeProposal(opened.url)).toBeNull();
        expect(await subject.host.read("apps/web.yaml")).toBe(marked);
        await subject.host.pass(opened.number);
        expect(await subject.host.read("apps/web.yaml")).toBe("image: a:2\n");
      });

      test("that is merged stays merged if it is closed", async () => {
        const subject = await create({ files, mode: "pullRequest" });
        const opened = await propose(subject);
        await subject.host.merge(opened.number);
        await subject.git.closeProposal(opened.url, "1.2.0 takes its place");
        expect(await subject.git.readProposal(opened.url, (await subject.git.readHead()).commit)).toEqual({
          ...opened,
          ...apart,
          state: "merged",
          isIncluded: true,
        });
      });

      test("that a person moves to another branch is not listed, nor merged by the host, and never included", async () => {
        const subject = await create({ files, mode: "pullRequest" });
        await subject.host.allowAutoMerge({ hasRule: false });
        const opened = await propose(subject);
        await subject.host.retarget(opened.number, "staging");
        const read = async () => subject.git.readProposal(opened.url, (await subject.git.readHead()).commit);
        expect(await subject.git.listProposals()).toEqual([]);
        expect(await read()).toEqual({ ...opened, ...apart, otherBase: "staging" });
        expect(await subject.git.mergeProposal(opened.url)).toBe("it is no pull request of Pawl for main");
        await subject.host.merge(opened.number);
        expect(await read()).toEqual({ ...opened, ...apart, state: "merged", otherBase: "staging" });
        expect(await subject.host.read("apps/web.yaml")).toBe(marked);
      });

      test("is refused if its body is too long", async () => {
        const subject = await create({ files, mode: "pullRequest" });
        const wanted = { ...(await change(subject, "image: a:2\n")), branch: "pawl/one" };
        await expect(subject.git.propose({ ...wanted, body: "a".repeat(65_537) })).rejects.toThrow(
          expect.objectContaining({
            name: "GitRefused",
            message: expect.stringContaining("body is too long") as string,
          }),
        );
        expect(await subject.git.propose({ ...wanted, body: "a".repeat(65_536) })).toMatchObject({ state: "open" });
      });

      test("does not exist under another number", async () => {
        expect(
          await (await create({ files, mode: "pullRequest" })).git.readProposal("https://git.test/pull/77", "main"),
        ).toBeNull();
      });
    });
  });
}
