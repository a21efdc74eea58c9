import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createOciRegistry } from "../../functions/adapters/oci-registry/registry.ts";
import type { Credentials } from "../../functions/adapters/oci-registry/credentials/credentials.ts";
import type { ImageReference } from "../../functions/domain/image/reference.ts";

export interface RegistryUnderTest {
  /** `host:port` of a registry on plain HTTP. */
  readonly host: string;
  /** The login that it requires; null if it is anonymous. */
  readonly login: { readonly username: string; readonly password: string } | null;
  push(repository: string, tags: readonly string[]): Promise<void>;
  /** Pushes a different image to the same tag. */
  move(repository: string, tag: string): Promise<void>;
  close(): Promise<void>;
}

const manyTags = Array.from({ length: 173 }, (_, index) => `1.${index}.0`).sort();

/** The contract of every registry together with the adapter. */
export function registryContract(name: string, start: () => Promise<RegistryUnderTest>): void {
  describe(`${name} and the adapter`, () => {
    let registry: RegistryUnderTest;
    beforeAll(async () => {
      registry = await start();
      await registry.push("team/many", manyTags);
      await registry.push("single", ["1.0.0"]);
    });
    afterAll(() => registry.close());

    function image(repository: string, rest: Partial<ImageReference> = {}): ImageReference {
      return { registry: registry.host, repository, tag: null, digest: null, ...rest };
    }

    function adapter(credentials: Credentials | null = loginOf(registry)) {
      const now = () => new Date();
      return createOciRegistry({
        credentials: async () => credentials,
        insecureHosts: [registry.host],
        now,
        limits: { pageSize: 50 },
      });
    }

    test("lists all tags of a repository with several pages, each once", async () => {
      const tags = await adapter().listTags(image("team/many"));
      expect(tags).toHaveLength(manyTags.length);
      expect([...tags].sort()).toEqual(manyTags);
    });

    test("lists the only tag", async () => {
      expect(await adapter().listTags(image("single"))).toEqual(["1.0.0"]);
    });

    test("lists a tag that is pushed between two calls", async () => {
      const reader = adapter();
      await registry.push("growing", ["1.0.0"]);
      expect(await reader.listTags(image("growing"))).toEqual(["1.0.0"]);
      await registry.push("growing", ["1.1.0"]);
      expect([...(await reader.listTags(image("growing")))].sort()).toEqual(["1.0.0", "1.1.0"]);
    });

    test("lists many repositories concurrently", async () => {
      const reader = adapter();
      const listings = await Promise.all(Array.from({ length: 20 }, () => reader.listTags(image("single"))));
      expect(listings).toEqual(Array.from({ length: 20 }, () => ["1.0.0"]));
    });

    test("finds a digest by tag, and the same by that digest", async () => {
      const digest = await adapter().digestOf(image("single", { tag: "1.0.0" }));
      expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
      expect(await adapter().digestOf(image("single", { digest }))).toBe(digest);
    });

    test("finds every digest of a tag, the tag's own first, and the same in a second call", async () => {
      const reader = adapter();
      const digests = await reader.digestsOf(image("single", { tag: "1.0.0" }));
      expect(digests[0]).toBe(await reader.digestOf(image("single", { tag: "1.0.0" })));
      expect(await reader.digestsOf(image("single", { tag: "1.0.0" }))).toEqual(digests);
    });

    test("finds the digest that a tag has moved to, and the previous one by its digest", async () => {
      const reader = adapter();
      await registry.push("moving", ["1.0.0"]);
      const [before = ""] = await reader.digestsOf(image("moving", { tag: "1.0.0" }));
      await registry.move("moving", "1.0.0");
      const [after] = await reader.digestsOf(image("moving", { tag: "1.0.0" }));
      expect(after).not.toBe(before);
      expect(await reader.digestOf(image("moving", { tag: "1.0.0" }))).toBe(after);
      expect((await reader.digestsOf(image("moving", { digest: before })))[0]).toBe(before);
    });

    test("throws RepositoryNotFound if a repository, a tag or a digest does not exist", async () => {
      const unknown = `sha256:${"0".repeat(64)}`;
      await expect(adapter().listTags(image("team/absent"))).rejects.toThrow(
        expect.objectContaining({ name: "RepositoryNotFound" }),
      );
      await expect(adapter().digestOf(image("single", { tag: "9.9.9" }))).rejects.toThrow(
        expect.objectContaining({ name: "RepositoryNotFound" }),
      );
      await expect(adapter().digestOf(image("single", { digest: unknown }))).rejects.toThrow(
        expect.objectContaining({ name: "RepositoryNotFound" }),
      );
    });

    test("throws RegistryUnauthorized without the registry's login, if it requires one", async () => {
      const wrong = { kind: "password", username: "pawl", password: "guessed-wrong" } as const;
      const attempts = [adapter(null).listTags(image("single")), adapter(wrong).listTags(image("single"))];
      const outcomes = await Promise.allSettled(attempts);
      const expected =
        registry.login === null ? ["fulfilled", "fulfilled"] : ["RegistryUnauthorized", "RegistryUnauthorized"];
      expect(outcomes.map((one) => (one.status === "rejected" ? (one.reason as Error).name : one.status))).toEqual(
        expected,
      );
      expect(JSON.stringify(outcomes.map((one) => String(one.status === "rejected" && one.reason)))).not.toContain(
        "guessed",
      );
    });
  });
}

function loginOf({ login }: RegistryUnderTest): Credentials | null {
  return login === null ? null : { kind: "password", ...login };
}
