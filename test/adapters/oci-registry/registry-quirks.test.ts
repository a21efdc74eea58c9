import { expect, test } from "vitest";
import { basicAuthorization } from "../../../functions/adapters/oci-registry/credentials/credentials.ts";
import { createAdapter, imageAt, json, login, startScriptedServer, type ReceivedRequest } from "./scripted-server.ts";

/** The protocol details of one registry; HOST is its host, TOKENS that of its token endpoint. */
interface RegistryQuirks {
  readonly registry: string;
  readonly challenge: string;
  /** The token request; null if there is none. */
  readonly tokenPath: string | null;
  readonly token?: object;
  readonly link: string;
}

const basic = basicAuthorization(login.username, login.password);
const scope = "scope=repository%3Ateam%2Fapp%3Apull";
const quoted = 'scope="repository:team/app:pull"';

test.for<RegistryQuirks>([
  {
    registry: "Docker Hub, whose tokens come from another host",
    challenge: `Bearer realm="http://TOKENS/token",service="registry.docker.io",${quoted}`,
    tokenPath: `/token?service=registry.docker.io&${scope}`,
    token: { token: "t", access_token: "t", expires_in: 300, issued_at: "2026-11-20T12:00:00.123456789Z" },
    link: '</v2/team/app/tags/list?last=1.0.0&n=1>; rel="next"',
  },
  {
    registry: "GHCR, which requires a token for public repositories too",
    challenge: `Bearer realm="http://HOST/token",service="ghcr.io",${quoted}`,
    tokenPath: `/token?service=ghcr.io&${scope}`,
    token: { token: "t" },
    link: '</v2/team/app/tags/list?last=1.0.0&n=0>; rel="next"',
  },
  {
    registry: "Quay, whose page parameter has its own name",
    challenge: `Bearer realm="http://HOST/v2/auth",service="quay.io",${quoted}`,
    tokenPath: `/v2/auth?service=quay.io&${scope}`,
    token: { token: "t" },
    link: '</v2/team/app/tags/list?n=100&next_page=gAAAAABm-x_Y%3D%3D&last=1.0.0>; rel="next"',
  },
  {
    registry: "GitLab, whose application issues the tokens",
    challenge: `Bearer realm="http://TOKENS/jwt/auth",service="container_registry",${quoted},error="invalid_token"`,
    tokenPath: `/jwt/auth?service=container_registry&${scope}`,
    token: { token: "t" },
    link: '<http://HOST/v2/team/app/tags/list?last=1.0.0&n=100>; rel="next"',
  },
  {
    registry: "GitLab on one host",
    challenge: `Bearer realm="http://HOST/jwt/auth",service="container_registry",${quoted}`,
    tokenPath: `/jwt/auth?service=container_registry&${scope}`,
    token: { token: "t" },
    link: '</v2/team/app/tags/list?last=1.0.0&n=100>; rel="next"',
  },
  {
    registry: "Harbor, which sends both names of a token",
    challenge: `Bearer realm="http://HOST/service/token",service="harbor-registry",${quoted}`,
    tokenPath: `/service/token?service=harbor-registry&${scope}`,
    token: { token: "", access_token: "t", expires_in: 1800, issued_at: "2026-11-20T12:00:00Z" },
    link: '</v2/team/app/tags/list?last=1.0.0&n=100>; rel="next"',
  },
  {
    registry: "ECR, whose Link headers are absolute URLs",
    challenge: 'Basic realm="https://HOST/",service="ecr.amazonaws.com"',
    tokenPath: null,
    link: `<http://HOST/v2/team/app/tags/list?last=${"bGFzdA%3D%3D".repeat(60)}&n=100>; rel="next"`,
  },
  {
    registry: "ECR Public, whose scope names no repository",
    challenge: 'Bearer realm="http://HOST/token/",service="public.ecr.aws",scope="aws"',
    tokenPath: `/token/?service=public.ecr.aws&${scope}`,
    token: { token: "t" },
    link: '<http://HOST/v2/team/app/tags/list?last=1.0.0>; rel="next"',
  },
  {
    registry: "distribution with a password file",
    challenge: 'Basic realm="Registry Realm"',
    tokenPath: null,
    link: '</v2/team/app/tags/list?last=1.0.0&n=100>; rel="next"',
  },
])("$registry", async ({ challenge, tokenPath, token = {}, link }) => {
  const header = tokenPath === null ? basic : "Bearer t";
  await using tokens = await startScriptedServer((_, response) => json(response, token));
  await using server = await startScriptedServer(({ path, authorization }, response, host) => {
    const fill = (text: string) => text.replace("HOST", host).replace("TOKENS", tokens.host);
    if (path === tokenPath) json(response, token);
    else if (authorization !== header) json(response, {}, { "www-authenticate": fill(challenge) }, 401);
    else if (path.includes("last=")) json(response, { name: "team/app", tags: ["1.1.0"] });
    else json(response, { name: "team/app", tags: ["1.0.0"] }, { link: fill(link) });
  });
  const registry = createAdapter([server.host, tokens.host], { credentials: async () => login });
  for (const _ of [1, 2]) expect(await registry.listTags(imageAt(server.host))).toEqual(["1.0.0", "1.1.0"]);

  const isToken = ({ path }: ReceivedRequest) => path === tokenPath;
  const tokenRequests = [...server.requests, ...tokens.requests].filter(isToken);
  expect(tokenRequests.map(({ authorization }) => authorization)).toEqual(tokenPath === null ? [] : [basic]);
  const listRequests = server.requests.filter((request) => !isToken(request));
  expect(listRequests.map(({ authorization }) => authorization)).toEqual([null, header, header, header, header]);
});
