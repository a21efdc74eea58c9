import { describe, expect, test } from "vitest";
import { parseChallenge } from "../../../../functions/adapters/oci-registry/credentials/www-authenticate.ts";
import { nextPage } from "../../../../functions/adapters/oci-registry/http/link-header.ts";

describe("WWW-Authenticate", () => {
  const bearer = { kind: "bearer", realm: "https://auth.example/token", service: null };
  test.for([
    {
      header: 'Bearer realm="https://auth.example/token",service="reg",scope="repository:a/b:pull,push"',
      challenge: { ...bearer, service: "reg" },
    },
    { header: "bearer REALM=https://auth.example/token", challenge: bearer },
    { header: 'Bearer realm = "https://auth.example/token" , error="invalid_token"', challenge: bearer },
    { header: 'Basic realm="a, Bearer b", Bearer realm="https://auth.example/token"', challenge: bearer },
    { header: 'Bearer realm="https://auth.example/token", Basic realm="x"', challenge: bearer },
    {
      header: String.raw`Bearer realm="https://auth.example/token",service="a \"b\""`,
      challenge: { ...bearer, service: 'a "b"' },
    },
    { header: 'Basic realm="Registry Realm"', challenge: { kind: "basic" } },
    { header: "Basic", challenge: { kind: "basic" } },
    { header: "Negotiate abc==, Basic realm=x", challenge: { kind: "basic" } },
    { header: 'Bearer service="no realm"', challenge: null },
    { header: 'Digest realm="x"', challenge: null },
    { header: 'realm="Basic"', challenge: null },
    { header: "", challenge: null },
  ])("$header", ({ header, challenge }) => {
    expect(parseChallenge(header)).toEqual(challenge);
  });
});

describe("Link", () => {
  const page = new URL("https://reg.example/v2/a/tags/list?n=2");
  test.for([
    { header: null, next: null },
    { header: "", next: null },
    { header: '</v2/a/tags/list?last=b&n=2>; rel="next"', next: "https://reg.example/v2/a/tags/list?last=b&n=2" },
    { header: "<list?last=b>; rel=next", next: "https://reg.example/v2/a/tags/list?last=b" },
    { header: "<?last=b> ; REL = NEXT", next: "https://reg.example/v2/a/tags/list?last=b" },
    { header: '<https://other.example/x>;rel="next"', next: "https://other.example/x" },
    { header: '</first>; rel="first", </next>; title="a, b"; rel="last next"', next: "https://reg.example/next" },
    { header: '</a,b>; rel="next"', next: "https://reg.example/a,b" },
    { header: '</first>; rel="prev"', next: null },
    { header: "</x>", next: null },
  ])("$header: $next", ({ header, next }) => {
    expect(nextPage(header, page, "reg.example/a")?.href ?? null).toBe(next);
  });

  test.for(['/x; rel="next"', '</x; rel="next"', '<http://[>; rel="next"', '</first>; rel="first" </x>; rel="next"'])(
    "%s is invalid",
    (header) => {
      const read = () => nextPage(header, page, "reg.example/a");
      expect(read).toThrow(/reg\.example\/a: .*Link header is invalid/);
    },
  );
});
