import { expect, test } from "vitest";
import { startEmbeddedRegistry } from "../../../infra/local/registry/embedded-registry.ts";

test("the embedded registry resolves images to digests", async () => {
  const registry = await startEmbeddedRegistry({ repositories: { "shop/app": ["latest", "prod"] } });
  const digest = `sha256:${"1".repeat(64)}`;
  registry.push("shop/app", "prod", digest);
  const of = (image: string) => registry.digestOf(`${registry.host}/shop/${image}`);
  expect([of("app:prod"), of(`app@${digest}`), of(`app:old@${digest}`)]).toEqual([digest, digest, digest]);
  expect(of("app")).toBe(of("app:latest"));
  expect(of("app")).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect([of("app:none"), of("other:prod"), registry.digestOf("elsewhere/shop/app:prod")]).toEqual([null, null, null]);
  await registry.close();
});
