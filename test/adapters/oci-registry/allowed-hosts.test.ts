import { describe, expect, test } from "vitest";
import { createHostPolicy } from "../../../functions/adapters/oci-registry/http/host-policy.ts";
import { createLookup, isPublicAddress } from "../../../functions/adapters/oci-registry/http/public-address.ts";
import type { Address } from "../../../functions/adapters/oci-registry/http/resolve-names.ts";
import { catchError, createAdapter, imageAt, json, startScriptedServer } from "./scripted-server.ts";

describe("an address", () => {
  test.for([
    { address: "93.184.216.34", isPublic: true },
    { address: "2606:2800:220:1:248:1893:25c8:1946", isPublic: true },
    { address: "0.0.0.0", isPublic: false },
    { address: "10.1.2.3", isPublic: false },
    { address: "100.64.0.1", isPublic: false },
    { address: "127.0.0.1", isPublic: false },
    { address: "127.255.255.254", isPublic: false },
    { address: "169.254.169.254", isPublic: false },
    { address: "169.254.170.2", isPublic: false },
    { address: "172.16.0.1", isPublic: false },
    { address: "192.168.1.1", isPublic: false },
    { address: "198.18.0.1", isPublic: false },
    { address: "224.0.0.1", isPublic: false },
    { address: "255.255.255.255", isPublic: false },
    { address: "::", isPublic: false },
    { address: "::1", isPublic: false },
    { address: "fd00:ec2::254", isPublic: false },
    { address: "fe80::1", isPublic: false },
    { address: "ff02::1", isPublic: false },
    { address: "::ffff:127.0.0.1", isPublic: false },
    { address: "::ffff:93.184.216.34", isPublic: true },
    { address: "64:ff9b::93.184.216.34", isPublic: true },
    { address: "64:ff9b::169.254.169.254", isPublic: false },
    { address: "2002:a9fe:a9fe::", isPublic: false },
    { address: "168.63.129.16", isPublic: false },
    { address: "::ffff:168.63.129.16", isPublic: false },
    { address: "64:ff9b::168.63.129.16", isPublic: false },
    { address: "::169.254.169.254", isPublic: false },
    { address: "::7f00:1", isPublic: false },
    { address: "192.0.0.192", isPublic: false },
    { address: "192.0.2.1", isPublic: false },
    { address: "192.88.99.1", isPublic: false },
    { address: "198.51.100.1", isPublic: false },
    { address: "203.0.113.1", isPublic: false },
    { address: "240.0.0.1", isPublic: false },
    { address: "100::1", isPublic: false },
    { address: "fec0::1", isPublic: false },
    { address: "2001::1", isPublic: false },
    { address: "2001:db8::1", isPublic: false },
    { address: "3fff::1", isPublic: false },
    { address: "64:ff9b:1::1", isPublic: false },
  ])("$address is public: $isPublic", ({ address, isPublic }) => {
    expect(isPublicAddress(address)).toBe(isPublic);
  });
});

describe("a host that the deployment does not name", () => {
  test.for(["127.0.0.1", "2130706433", "0x7f.1", "127.1", "[::1]", "[::ffff:127.0.0.1]", "localhost"])(
    "is not requested as %s",
    async (host) => {
      await using server = await startScriptedServer((_, response) => json(response, { tags: ["1.0.0"] }));
      const port = server.host.split(":")[1];
      const failure = await catchError(createAdapter([]).listTags(imageAt(`${host}:${port}`)));
      expect(failure).toMatchObject({
        name: "RegistryNotAllowed",
        message: expect.stringMatching(/has no public address.*add .* to registries\.allowed/),
      });
      expect(server.requests).toEqual([]);
    },
  );

  test("is not requested because a registry redirects or links there, or names it for tokens, over https too", async () => {
    await using inside = await startScriptedServer((_, response) => json(response, { tags: ["9.9.9"], token: "t" }));
    for (const target of [`https://${inside.host}/v2/x`, `https://localhost:${inside.host.split(":")[1]}/v2/x`]) {
      for (const by of ["redirect", "link", "realm"] as const) {
        await using server = await startScriptedServer((_, response) => {
          if (by === "redirect") return response.writeHead(307, { location: target }).end();
          if (by === "link") return json(response, { tags: ["1.0.0"] }, { link: `<${target}>; rel="next"` });
          return json(response, {}, { "www-authenticate": `Bearer realm="${target}"` }, 401);
        });
        const failure = await catchError(createAdapter([server.host]).listTags(imageAt(server.host)));
        expect(failure, `${by} to ${target}`).toMatchObject({ name: "RegistryNotAllowed" });
      }
    }
    expect(inside.connections).toBe(0);
  });
});

describe("a name", () => {
  function resolveTo(...addresses: readonly string[]) {
    const found = addresses.map((address): Address => ({ address, family: address.includes(":") ? 6 : 4 }));
    return new Promise((resolve) => {
      createLookup(async () => found, "public")("registry.example", { all: true }, (error, all) =>
        resolve(error?.code ?? all),
      );
    });
  }

  test("is connected to at its public addresses only", async () => {
    expect(await resolveTo("10.0.0.1", "93.184.216.34")).toEqual([{ address: "93.184.216.34", family: 4 }]);
  });

  test("is not connected to if it has none", async () => {
    expect(await resolveTo("10.0.0.1", "fd00::1")).toBe("ERR_ADDRESS_NOT_PUBLIC");
  });
});

describe("the policy of a deployment", () => {
  const policy = createHostPolicy({
    insecureHosts: ["h:80", "i:5000", "j"],
    allowed: ["*", "harbor.corp", "gitlab.corp:8443", "*.corp:9443"],
    denied: ["evil.example"],
  });
  const image = (registry: string) => imageAt(registry);
  const ecr = "123456789012.dkr.ecr.eu-central-1.amazonaws.com";

  test.for([
    { registry: "h:80", url: "http://h/v2/team/app/tags/list" },
    { registry: "h", url: "https://h/v2/team/app/tags/list" },
    { registry: "i:5000", url: "http://i:5000/v2/team/app/tags/list" },
    { registry: "i", url: "https://i/v2/team/app/tags/list" },
    { registry: "j", url: "http://j/v2/team/app/tags/list" },
    { registry: "j:443", url: "https://j/v2/team/app/tags/list" },
  ])("requests $registry at $url", ({ registry, url }) => {
    expect(policy.repositoryUrl(image(registry), "tags/list").href).toBe(url);
  });

  test.for([
    { of: "harbor.corp", url: "https://harbor.corp/", mayBePrivate: true },
    { of: "harbor.corp:443", url: "https://harbor.corp/", mayBePrivate: true },
    { of: "harbor.corp:8443", url: "https://harbor.corp:8443/", mayBePrivate: false },
    { of: "harbor.corp", url: "https://gitlab.corp:8443/", mayBePrivate: true },
    { of: "harbor.corp", url: "https://gitlab.corp/", mayBePrivate: false },
    { of: "harbor.corp", url: "https://x.corp:9443/", mayBePrivate: false },
    { of: "gitlab.corp:8443", url: "https://harbor.corp/", mayBePrivate: false },
    { of: "quay.io", url: "https://gitlab.corp:8443/", mayBePrivate: false },
    { of: "quay.io", url: "http://i:5000/", mayBePrivate: false },
    { of: "harbor.corp", url: "http://i:5000/", mayBePrivate: true },
    { of: "i:5000", url: "http://i:5000/", mayBePrivate: true },
    { of: "i", url: "https://i/", mayBePrivate: false },
    { of: ecr, url: `https://${ecr}/`, mayBePrivate: true },
    { of: ecr, url: "https://169.254.169.254/", mayBePrivate: false },
    { of: `${ecr}.evil.example`, url: `https://${ecr}.evil.example/`, mayBePrivate: false },
    { of: "registry-1.docker.io", url: "https://registry-1.docker.io/", mayBePrivate: false },
  ])("for an image of $of, $url may be private: $mayBePrivate", ({ of, url, mayBePrivate }) => {
    expect(policy.mayBePrivate(new URL(url), image(of))).toBe(mayBePrivate);
  });

  test("refuses denied hosts as registries, for tokens and in redirects", () => {
    const refused = expect.objectContaining({ name: "RegistryNotAllowed" });
    expect(() => policy.repositoryUrl(image("evil.example"), "tags/list")).toThrow(refused);
    expect(() => policy.assertAllowed(new URL("https://evil.example/token"), "a")).toThrow(refused);
    expect(() => policy.assertAllowed(new URL("https://evil.example./token"), "a")).toThrow(refused);
    expect(() => policy.assertAllowed(new URL("https://evil.example:443/token"), "a")).toThrow(refused);
  });
});

test.for([
  "repository:team/app:pull,push",
  "repository:other/app:pull repository:team/app:pull",
  "registry:catalog:*",
  "*",
])("a challenge for the scope %s does not widen what is asked for", async (scope) => {
  await using server = await startScriptedServer(({ path, authorization }, response, host) => {
    if (path.startsWith("/token")) return json(response, { token: "t" });
    if (authorization !== null) return json(response, { tags: ["1.0.0"] });
    return json(response, {}, { "www-authenticate": `Bearer realm="http://${host}/token",scope="${scope}"` }, 401);
  });
  expect(await createAdapter([server.host]).listTags(imageAt(server.host))).toEqual(["1.0.0"]);
  expect(server.requests[1]?.path).toBe("/token?scope=repository%3Ateam%2Fapp%3Apull");
});
