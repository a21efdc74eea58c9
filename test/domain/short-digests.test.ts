import { expect, test } from "vitest";
import { shortenDigests } from "../../functions/domain/short-digests.ts";

const hex = "0123456789abcdef";
const digest = `sha256:${hex.repeat(4)}`;

test.for([
  { text: digest, short: "sha256:0123456789ab" },
  { text: `prod@${digest}`, short: "prod@sha256:0123456789ab" },
  { text: `app:${digest},proxy:sha512:${hex.repeat(8)}`, short: "app:sha256:0123456789ab,proxy:sha512:0123456789ab" },
  { text: `${digest} comes next`, short: "sha256:0123456789ab comes next" },
  { text: "sha256:0123456789ab", short: "sha256:0123456789ab" },
  { text: `example.com:5000/app:${hex}`, short: `example.com:5000/app:${hex}` },
  { text: `prod-sha256-${hex}`, short: `prod-sha256-${hex}` },
])("$text is $short for people", ({ text, short }) => {
  expect(shortenDigests(text)).toBe(short);
});
