import { createHash } from "node:crypto";
import { json } from "../scripted-server.ts";
import { type HostileCase, sendText } from "./case.ts";

const [one = "", other = ""] = ["aa", "bb"].map((pair) => `sha256:${pair.repeat(32)}`);
const manifest = { schemaVersion: 2, manifests: [{ digest: one }] };
const digest = `sha256:${createHash("sha256").update(JSON.stringify(manifest)).digest("hex")}`;
const digestHeader = (value: string) => ({ "docker-content-digest": value });

/** Hostile and invalid digests of a tag. */
export const digestCases: readonly HostileCase[] = [
  ...[
    { when: "its digest is a word", value: "latest" },
    { when: "its digest is truncated", value: one.slice(0, -1) },
    {
      when: "its digest contains a look-alike character",
      value: Buffer.from(one.replace("a", "а")).toString("latin1"),
    },
    { when: "its digest is in upper case", value: one.toUpperCase() },
    { when: "it sends two digests", value: `${one}, ${other}` },
    { when: "its digest is empty", value: "" },
  ].flatMap(({ when, value }): HostileCase[] => {
    const expected = "RegistryAnswerInvalid";
    return [
      { when, expected, method: "digestsOf", respond: (response) => json(response, manifest, digestHeader(value)) },
      {
        when: `${when}, by HEAD`,
        expected,
        method: "digestOf",
        respond: (response) => sendText(response, "", digestHeader(value)),
      },
    ];
  }),
  {
    when: "its digest header does not match its bytes",
    expected: "RegistryAnswerInvalid",
    method: "digestsOf",
    respond: (response) => json(response, manifest, digestHeader(one)),
  },
  {
    when: "HEAD has one digest and GET another, which are not mixed",
    expected: [digest, one],
    method: "digestsOf",
    respond: (response, { method }) =>
      method === "HEAD" ? sendText(response, "", digestHeader(other)) : json(response, manifest, digestHeader(digest)),
  },
  {
    when: "it returns another manifest for a digest",
    expected: "RegistryAnswerInvalid",
    method: "digestOf",
    image: { digest: other },
    respond: (response) => sendText(response, "", digestHeader(one)),
  },
  {
    when: "it returns other bytes for a digest, with that digest as header",
    expected: "RegistryAnswerInvalid",
    method: "digestsOf",
    image: { digest: other },
    respond: (response) => json(response, manifest, digestHeader(other)),
  },
  {
    when: "it omits the digest and returns a login page",
    expected: "RegistryAnswerInvalid",
    method: "digestOf",
    respond: (response) => sendText(response, "<html>"),
  },
  {
    when: "its index lists a manifest with an invalid digest",
    expected: "RegistryAnswerInvalid",
    method: "digestsOf",
    respond: (response) => json(response, { ...manifest, manifests: [{ digest: one }, { digest: "latest" }] }),
  },
  {
    when: "it answers 304 to an unconditional request",
    expected: "RegistryAnswerInvalid",
    method: "digestsOf",
    respond: (response) => sendText(response, "", { etag: '"1"', ...digestHeader(digest) }, 304),
  },
];
