import { describe, expect, test } from "vitest";
import {
  githubIdentity,
  githubIssuer,
  identityReason,
  parseIdentity,
} from "../../../functions/domain/signature/identity.ts";

const workflow = "https://github.com/shop/web/.github/workflows/release.yml@refs/heads/main";

describe("a certificate", () => {
  test.for([
    { identity: workflow, subject: workflow, is: true },
    { identity: workflow, subject: `${workflow}-2`, is: false },
    { identity: workflow, subject: `https://evil.example/?${workflow}`, is: false },
    { identity: workflow, subject: workflow.toUpperCase(), is: false },
    { identity: workflow, subject: workflow.replaceAll(".", "x"), is: false },
    { identity: workflow, subject: undefined, is: false },
    { identity: "^https://github\\.com/shop/.*$", subject: workflow, is: true },
    { identity: "^https://github\\.com/shop/.*$", subject: `${workflow}\nx`, is: false },
    { identity: "^https://github\\.com/shop$", subject: workflow, is: false },
    { identity: "^a|b$", subject: "a and more", is: false },
    { identity: githubIdentity("shop/web", "release.yml", "refs/heads/main"), subject: workflow, is: true },
    { identity: githubIdentity("shop/web", null, "refs/heads/main"), subject: workflow, is: true },
    {
      identity: githubIdentity("shop/web", null, "refs/heads/main"),
      subject: workflow.replace("shop", "shop2"),
      is: false,
    },
    {
      identity: githubIdentity("shop/web", null, "refs/heads/main"),
      subject: `${workflow}@refs/heads/main`,
      is: false,
    },
    { identity: githubIdentity("shop/web", null, "refs/tags/v1"), subject: workflow, is: false },
    { identity: githubIdentity("sh.p/web", null, "refs/heads/main"), subject: workflow, is: false },
  ])("of $subject for $identity: $is", ({ identity, subject, is }) => {
    const authority = { kind: "keyless", identity, issuer: githubIssuer, trustedRoot: null } as const;
    const reason = identityReason(authority, { subject, issuer: githubIssuer });
    expect({ isRefused: reason !== null, names: (reason ?? "").includes(subject ?? "missing") }).toEqual({
      isRefused: !is,
      names: !is,
    });
  });

  test.for([
    [undefined, "the issuer is missing"],
    ["https://token.actions.githubusercontent.com.evil.example", "the issuer is https://token"],
  ] as const)("by %s is refused", ([issuer, reason]) => {
    const authority = { kind: "keyless", identity: workflow, issuer: githubIssuer, trustedRoot: null } as const;
    expect(identityReason(authority, { subject: workflow, issuer })).toContain(reason);
  });
});

describe("an identity", () => {
  test.for([workflow, "release@shop.example", "^https://github\\.com/shop/.*$"])("%s is one", (text) => {
    expect(parseIdentity(text)).toEqual({ kind: "identity", identity: text });
  });

  test.for([
    ["", "is empty"],
    [" ", "is empty"],
    ["https://github.com/.*", "not anchored"],
    ["^https://github.com/shop", "not anchored"],
    ["shop/web$", "not anchored"],
    ["^https://github.com/(shop$", "not a regular expression"],
  ] as const)("%j is none", ([text, reason]) => {
    expect(parseIdentity(text)).toMatchObject({ kind: "invalid", reason: expect.stringContaining(reason) });
  });
});
