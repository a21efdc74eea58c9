import { expect, test } from "vitest";
import { createRandom } from "../random.ts";
import { createRecording } from "./recording.ts";
import { parseWrites } from "./watch-etcd.ts";
import { writerOf } from "./writer.ts";

const imagePath = ["f:spec", "f:template", "f:spec", "f:containers", 'k:{"name":"app"}', "f:image"];
const ownsImage = {
  "f:spec": { "f:template": { "f:spec": { "f:containers": { 'k:{"name":"app"}': { "f:image": {} } } } } },
};

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

test("the writes of etcd are read in order, with deletions", () => {
  const put = { kv: { key: base64("/registry/pods/chaos/web-0"), mod_revision: "7", value: base64('{"kind":"Pod"}') } };
  const deletion = { type: "DELETE", kv: { key: base64("/registry/pods/chaos/web-0"), mod_revision: "8" } };
  expect(parseWrites(JSON.stringify({ result: { events: [put, deletion] } }))).toEqual([
    { key: "/registry/pods/chaos/web-0", revision: 7, object: { kind: "Pod" } },
    { key: "/registry/pods/chaos/web-0", revision: 8, object: null },
  ]);
});

test.for([{ result: { canceled: true } }, { error: { message: "compacted" } }])(
  "a canceled watch fails: %j",
  (line) => {
    expect(() => parseWrites(JSON.stringify(line))).toThrow("etcd canceled the watch");
  },
);

test.for([
  { when: "Pawl owns it", managed: [{ manager: "pawl", fieldsV1: ownsImage }, { manager: "kubectl" }], writer: "pawl" },
  {
    when: "a person owns it",
    managed: [{ manager: "pawl" }, { manager: "kubectl", fieldsV1: ownsImage }],
    writer: "kubectl",
  },
  { when: "nobody owns it", managed: [{ manager: "pawl", fieldsV1: { "f:spec": {} } }], writer: null },
])("the writer of an image is $writer if $when", ({ managed, writer }) => {
  expect(writerOf(managed, imagePath)).toBe(writer);
});

test("the recording has each change of an object once, and its workload after its deletion", () => {
  const recording = createRecording("chaos", () => 0);
  const podNamed = (name: string, image: string) => ({
    metadata: { name, labels: { app: "web" } },
    spec: { containers: [{ image }] },
  });
  const key = "/registry/pods/chaos/web-0";
  recording.add({ key, revision: 1, object: podNamed("web-0", "app:1") });
  recording.add({ key, revision: 2, object: podNamed("web-0", "app:1") });
  recording.add({ key, revision: 3, object: podNamed("web-0", "app:2") });
  expect([...recording.currentOf("web").keys()]).toEqual(["pods/web-0"]);
  recording.add({ key, revision: 4, object: null });
  recording.add({ key: "/registry/pods/other/web-0", revision: 5, object: podNamed("web-0", "app:1") });
  recording.add({ key: "/registry/events/chaos/web-0", revision: 6, object: {} });
  expect(recording.factsOf("web").map(({ revision, fact }) => [revision, fact.kind])).toEqual([
    [1, "pod"],
    [3, "pod"],
    [4, "gone"],
  ]);
  expect(recording.currentOf("web").size).toBe(0);
});

test("a seed gives the same choices again, and another seed others", () => {
  const choices = (seed: number) => {
    const random = createRandom(seed).fork();
    return Array.from({ length: 20 }, () => random.pick(["a", "b", "c", "d"])).join("");
  };
  expect(choices(1)).toBe(choices(1));
  expect(choices(1)).not.toBe(choices(2));
});
