import { expect, test } from "vitest";
import { redact } from "../../../functions/domain/text/redact.ts";

test.for([
  {
    of: "the password of a URL",
    text: "dial postgres://app:hunter2@db:5432/x",
    to: "dial postgres://app:[redacted]@db:5432/x",
  },
  { of: "a bearer token", text: "Authorization: Bearer abcdef0123456789", to: "Authorization: Bearer [redacted]" },
  { of: "basic credentials", text: "Basic dXNlcjpwYXNz", to: "Basic [redacted]" },
  {
    of: "a value with the name of a secret",
    text: 'password="hunter2" user=app',
    to: 'password="[redacted]" user=app',
  },
  { of: "an API key", text: "api_key: abc123, retrying", to: "api_key: [redacted], retrying" },
  { of: "a JSON Web Token", text: "got eyJhbGciOiJI.eyJzdWIiOiIx.c2ln", to: "got [redacted]" },
  {
    of: "a key in PEM",
    text: "-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY----- end",
    to: "[redacted] end",
  },
  { of: "long base64", text: `key ${"aB3+".repeat(12)}== end`, to: "key [redacted] end" },
  { of: "a commit", text: `at ${"0a1b2c3d".repeat(5)}`, to: `at ${"0a1b2c3d".repeat(5)}` },
  { of: "a digest", text: `app@sha256:${"0a1b2c3d".repeat(8)}`, to: `app@sha256:${"0a1b2c3d".repeat(8)}` },
  { of: "an ordinary message", text: "no such table: users (line 3)", to: "no such table: users (line 3)" },
])("of $of", ({ text, to }) => {
  expect(redact(text)).toBe(to);
});
