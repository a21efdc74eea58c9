import { expect, test } from "vitest";
import { basicHeader } from "../../../functions/adapters/oci-registry/credentials.ts";
import { adapterFor, imageOn, json, login, scripted, type Heard } from "./scripted.ts";

/** The answers of one registry in its own words; HOST is the registry's, TOKENS that of its token endpoint. */
interface Particulars {
  readonly registry: string;
  readonly challenge: string;
  /** What the token endpoint is asked; null where there is none. */
  readonly asks: string | null;
  readonly token?: object;
  readonly link: string;
}

const basic = basicHeader(login.username, login.password);
const scope = "scope=repository%3Ateam%2Fapp%3Apull";
const quoted = 'scope="repository:team/app:pull"';

test.for<Particulars>([
  {
    registry: "Docker Hub, whose tokens come from another host",
    challenge: `Bearer realm="http://TOKENS/token",service="registry.docker.io",${quoted}`,
    asks: `/token?service=registry.docker.io&${scope}`,
    token: { token: "t", access_token: "t", expires_in: 300, issued_at: "2026-11-20T12:00:00.123456789Z" },
    link: '</v2/team/app/tags/list?last=1.0.0&n=1>; rel="next"',
  },
  {
    registry: "GHCR, which wants a token for what is public too",
    challenge: `Bearer realm="http://HOST/token",service="ghcr.io",${quoted}`,
    asks: `/token?service=ghcr.io&${scope}`,
    token: { token: "t" },
    link: '</v2/team/app/tags/list?last=1.0.0&n=0>; rel="next"',
  },
  {
    registry: "Quay, whose pages have names of their own",
    challenge: `Bearer realm="http://HOST/v2/auth",service="quay.io",${quoted}`,
    asks: `/v2/auth?service=quay.io&${scope}`,
    token: { token: "t" },
    link: '</v2/team/app/tags/list?n=100&next_page=gAAAAABm-x_Y%3D%3D&last=1.0.0>; rel="next"',
  },
  {
    registry: "GitLab, whose application gives the tokens",
    challenge: `Bearer realm="http://TOKENS/jwt/auth",service="container_registry",${quoted},error="invalid_token"`,
    asks: `/jwt/auth?service=container_registry&${scope}`,
    token: { token: "t" },
    link: '<http://HOST/v2/team/app/tags/list?last=1.0.0&n=100>; rel="next"',
  },
  {
    registry: "GitLab on one host",
    challenge: `Bearer realm="http://HOST/jwt/auth",service="container_registry",${quoted}`,
    asks: `/jwt/auth?service=container_registry&${scope}`,
    token: { token: "t" },
    link: '</v2/team/app/tags/list?last=1.0.0&n=100>; rel="next"',
  },
  {
    registry: "Harbor, which writes both names of a token",
    challenge: `Bearer realm="http://HOST/service/token",service="harbor-registry",${quoted}`,
    asks: `/service/token?service=harbor-registry&${scope}`,
    token: { token: "", access_token: "t", expires_in: 1800, issued_at: "2026-11-20T12:00:00Z" },
    link: '</v2/team/app/tags/list?last=1.0.0&n=100>; rel="next"',
  },
  {
    registry: "ECR, whose pages have whole addresses",
    challenge: 'Basic realm="https://HOST/",service="ecr.amazonaws.com"',
    asks: null,
    link: `<http://HOST/v2/team/app/tags/list?last=${"bGFzdA%3D%3D".repeat(60)}&n=100>; rel="next"`,
  },
  {
    registry: "ECR Public, whose scope is always the same",
    challenge: 'Bearer realm="http://HOST/token/",service="public.ecr.aws",scope="aws"',
    asks: "/token/?service=public.ecr.aws&scope=aws",
    token: { token: "t" },
    link: '<http://HOST/v2/team/app/tags/list?last=1.0.0>; rel="next"',
  },
  {
    registry: "distribution with a password file",
    challenge: 'Basic realm="Registry Realm"',
    asks: null,
    link: '</v2/team/app/tags/list?last=1.0.0&n=100>; rel="next"',
  },
])("$registry", async ({ challenge, asks, token = {}, link }) => {
  const header = asks === null ? basic : "Bearer t";
  await using tokens = await scripted((_, response) => json(response, token));
  await using server = await scripted(({ path, authorization }, response, host) => {
    const filled = (text: string) => text.replace("HOST", host).replace("TOKENS", tokens.host);
    if (path === asks) json(response, token);
    else if (authorization !== header) json(response, {}, { "www-authenticate": filled(challenge) }, 401);
    else if (path.includes("last=")) json(response, { name: "team/app", tags: ["1.1.0"] });
    else json(response, { name: "team/app", tags: ["1.0.0"] }, { link: filled(link) });
  });
  const registry = adapterFor([server.host, tokens.host], { credentials: async () => login });
  for (const _ of [1, 2]) expect(await registry.listTags(imageOn(server.host))).toEqual(["1.0.0", "1.1.0"]);

  const isToken = ({ path }: Heard) => path === asks;
  const asked = [...server.heard, ...tokens.heard].filter(isToken);
  expect(asked.map(({ authorization }) => authorization)).toEqual(asks === null ? [] : [basic]);
  const listing = server.heard.filter((one) => !isToken(one));
  expect(listing.map(({ authorization }) => authorization)).toEqual([null, header, header, header, header]);
});
