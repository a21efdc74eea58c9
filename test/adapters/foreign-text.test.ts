import { describe, expect, test } from "vitest";
import { nextPage } from "../../functions/adapters/oci-registry/http/link-header.ts";
import { parseDockerConfig } from "../../functions/adapters/oci-registry/credentials/parse-docker-config.ts";
import { parseChallenge } from "../../functions/adapters/oci-registry/credentials/www-authenticate.ts";
import { parseAddress } from "../../functions/domain/analysis/providers/prometheus-address.ts";
import { parseCondition } from "../../functions/domain/analysis/condition.ts";
import { bindArgs, checkTemplate } from "../../functions/domain/analysis/template.ts";
import { parseImageReference } from "../../functions/domain/image/reference.ts";
import { parseSchedule } from "../../functions/domain/schedule/schedule.ts";
import { parseDuration } from "../../functions/domain/text/duration.ts";
import { toSingleLine } from "../../functions/domain/text/printable.ts";
import { parseRfc3339 } from "../../functions/domain/text/rfc3339.ts";
import { parseConstraint } from "../../functions/domain/version/constraint.ts";
import { parseTag } from "../../functions/domain/version/parse-tag.ts";
import { parseDigests } from "../../functions/domain/workload/digest/digests.ts";
import { parseRequest } from "../../functions/domain/workload/request/person-request.ts";
import { growthOf } from "../support/run/growth.ts";

const page = new URL("https://reg.example/");
const auths = (key: string, auth = "") => JSON.stringify({ auths: { [key]: { auth } } });

/** Every parser of text that a tenant, a registry or a cluster writes. */
const parsers: Readonly<Record<string, (text: string) => unknown>> = {
  "Link header": (text) => nextPage(text, page, "reg.example/a"),
  "Link header's parameters": (text) => nextPage(`<a>${text}`, page, "reg.example/a"),
  "WWW-Authenticate header": parseChallenge,
  "docker config": (text) => parseDockerConfig(text, "secret"),
  "docker config's key": (text) => parseDockerConfig(auths(text), "secret"),
  "docker config's auth": (text) =>
    parseDockerConfig(auths("h", Buffer.from(`u:${text}`).toString("base64")), "secret"),
  constraint: parseConstraint,
  version: (text) => parseTag(text, "semver"),
  tag: (text) => parseTag(text, "container"),
  schedule: parseSchedule,
  duration: parseDuration,
  time: parseRfc3339,
  image: parseImageReference,
  digests: parseDigests,
  request: (text) => parseRequest(text, []),
  condition: parseCondition,
  template: checkTemplate,
  "bound template": (text) => bindArgs({ metrics: [{ query: text }] } as never, { name: "web" }),
  address: parseAddress,
  "printed text": toSingleLine,
};

/** Units that are repeated, and what follows them: the ends make a parser try again from each start. */
const units = [
  ";a= ",
  "/",
  "{",
  "{{args.name}}",
  "1||",
  "1,",
  "1 ",
  " ",
  "\0",
  "-",
  ".",
  "a.",
  "a-",
  "a@",
  ":",
  "9",
  "1m",
  "1.1-a",
  "\\",
  '"',
  'a="',
  "a=b,",
  "<a>,",
  "\u001b]",
  "\u009b0",
  "result<1&&",
];
const ends = ["", "!", "x", '"'];

describe.for(Object.keys(parsers))("%s", (name) => {
  test("takes time in proportion to its length", () => {
    const parse = parsers[name] as (text: string) => unknown;
    for (const unit of units)
      for (const end of ends) expect(growthOf(parse, (size) => unit.repeat(size / unit.length) + end)).toBeLessThan(8);
  });
});

test("a Link header of 140 bytes is read at once", () => {
  const hostile = `<aaaaa>${";a= ".repeat(32)}"`;
  expect(() => nextPage(hostile, page, "reg.example/a")).toThrow("Link header is invalid");
});
