import { expect, test } from "vitest";
import { abbreviateDigests } from "../../../functions/domain/image/abbreviate-digests.ts";

const hex = "0123456789abcdef";
const digest = `sha256:${hex.repeat(4)}`;

test.for([
  { text: digest, short: "sha256:0123456789ab" },
  { text: `prod@${digest}`, short: "prod@sha256:0123456789ab" },
  { text: `app:${digest},proxy:sha512:${hex.repeat(8)}`, short: "app:sha256:0123456789ab,proxy:sha512:0123456789ab" },
  { text: `${digest} is next`, short: "sha256:0123456789ab is next" },
  { text: "sha256:0123456789ab", short: "sha256:0123456789ab" },
  { text: `example.com:5000/app:${hex}`, short: `example.com:5000/app:${hex}` },
  { text: `prod-sha256-${hex}`, short: `prod-sha256-${hex}` },
])("$text becomes $short", ({ text, short }) => {
  expect(abbreviateDigests(text)).toBe(short);
});
