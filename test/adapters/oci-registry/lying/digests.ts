import { createHash } from "node:crypto";
import { json } from "../scripted.ts";
import { type Lie, text } from "./lie.ts";

const [one = "", other = ""] = ["aa", "bb"].map((pair) => `sha256:${pair.repeat(32)}`);
const manifest = { schemaVersion: 2, manifests: [{ digest: one }] };
const digest = `sha256:${createHash("sha256").update(JSON.stringify(manifest)).digest("hex")}`;
const named = (value: string) => ({ "docker-content-digest": value });

/** Lies about what a tag stands for. */
export const liesAboutDigests: readonly Lie[] = [
  ...[
    { when: "its digest is a word", value: "latest" },
    { when: "its digest is cut short", value: one.slice(0, -1) },
    { when: "its digest only looks like one", value: Buffer.from(one.replace("a", "а")).toString("latin1") },
    { when: "its digest is written in capitals", value: one.toUpperCase() },
    { when: "it names two digests", value: `${one}, ${other}` },
    { when: "its digest is empty", value: "" },
  ].flatMap(({ when, value }): Lie[] => {
    const promise = "RegistryAnswerInvalid";
    return [
      { when, promise, ask: "digestsOf", lies: (response) => json(response, manifest, named(value)) },
      { when: `${when}, by HEAD`, promise, ask: "digestOf", lies: (response) => text(response, "", named(value)) },
    ];
  }),
  {
    when: "its digest is not that of its bytes",
    promise: "RegistryAnswerInvalid",
    ask: "digestsOf",
    lies: (response) => json(response, manifest, named(one)),
  },
  {
    when: "HEAD names one digest and GET another: each is believed for itself, and they are not mixed",
    promise: [digest, one],
    ask: "digestsOf",
    lies: (response, { method }) =>
      method === "HEAD" ? text(response, "", named(other)) : json(response, manifest, named(digest)),
  },
  {
    when: "it has another manifest than the digest that was asked for",
    promise: "RegistryAnswerInvalid",
    ask: "digestOf",
    of: { digest: other },
    lies: (response) => text(response, "", named(one)),
  },
  {
    when: "it has other bytes under the digest that was asked for, and gives them that name",
    promise: "RegistryAnswerInvalid",
    ask: "digestsOf",
    of: { digest: other },
    lies: (response) => json(response, manifest, named(other)),
  },
  {
    when: "it leaves the digest out and answers with a login page",
    promise: "RegistryAnswerInvalid",
    ask: "digestOf",
    lies: (response) => text(response, "<html>"),
  },
  {
    when: "its index names a manifest by a word",
    promise: "RegistryAnswerInvalid",
    ask: "digestsOf",
    lies: (response) => json(response, { ...manifest, manifests: [{ digest: one }, { digest: "latest" }] }),
  },
  {
    when: "it confirms what it never sent",
    promise: "RegistryAnswerInvalid",
    ask: "digestsOf",
    lies: (response) => text(response, "", { etag: '"1"', ...named(digest) }, 304),
  },
];
