import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { certificates } from "./certificates.ts";
import { openPlace, type Place } from "./through-proxy.ts";

describe("with the environment that the poll gets", { timeout: 30_000 }, () => {
  let place: Place;
  beforeAll(async () => void (place = await openPlace()));
  afterAll(() => place.close());

  test("registries are asked through the proxy, which looks their names up", async () => {
    const { answers, proxied } = await place.ask(
      ["registry=http://registry.test/v2/", "registry=https://registry.test/v2/"],
      [".internal"],
    );
    expect(proxied).toEqual(["registry.test:80", "registry.test:443"]);
    expect(answers[0]).toBe('registry: 200 {"by":"registry.test"}');
  });

  test.for([
    { when: "nothing is excepted", except: () => [], isProxied: true },
    { when: "it is named", except: () => ["0.0.0.0"], isProxied: false },
    { when: "it is named with its port", except: ({ here }: Place) => [here], isProxied: false },
    { when: "another port of it is named", except: ({ port }: Place) => [`0.0.0.0:${port + 1}`], isProxied: true },
    { when: "its suffix is named", except: () => [".0.0"], isProxied: false },
    { when: "what it is a subdomain of is named", except: () => ["0.0"], isProxied: false },
    { when: "its suffix is named with a star", except: () => ["*.0.0"], isProxied: false },
    { when: "others are named", except: () => ["a.internal", ".0.0.1"], isProxied: true },
    // What the configuration refuses, because it would do nothing.
    { when: "its range is named", except: () => ["0.0.0.0/8", "0.0.0.0-0.0.0.9"], isProxied: true },
  ])("a host is asked through it or not, $isProxied, where $when", async ({ except, isProxied }) => {
    const { answers, proxied } = await place.ask([`registry=http://${place.here}/`], except(place));
    expect(answers).toEqual([`registry: 200 {"by":"${place.here}"}`]);
    expect(proxied).toEqual(isProxied ? [place.here] : []);
  });

  test("AWS, the cluster and this machine are asked directly", async () => {
    const there = `http://${place.here}`;
    const requests = [`lambda=${there}`, `kubernetes=${there}`, `registry=http://127.0.0.1:${place.port}/`];
    const { answers, proxied } = await place.ask(requests, []);
    expect(answers).toEqual([
      "lambda: 200",
      expect.stringMatching(/^kubernetes: \{/),
      expect.stringMatching(/^registry: 200/),
    ]);
    expect(proxied).toEqual([]);
  });

  test("Node.js trusts the certificates that lie beside the code", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "pawl-certificates-")), "authority.pem");
    writeFileSync(file, certificates);
    expect((await place.ask(["certificates"], [], { NODE_EXTRA_CA_CERTS: file })).answers).toEqual(["certificates: 1"]);
    expect((await place.ask(["certificates"], [])).answers).toEqual(["certificates: 0"]);
  });
});
