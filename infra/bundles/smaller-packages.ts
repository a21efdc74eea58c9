import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { OnLoadResult, Plugin, PluginBuild } from "esbuild";
import { selectGenerated } from "./generated-client.ts";

const clientNode = join(dirname(fileURLToPath(import.meta.resolve("@kubernetes/client-node"))));

/**
 * Leaves out of a bundle what it never uses of its largest packages. `words` are those of the bundled sources. Without it, most CPU time of
 * a cold start compiles code that no request runs (measured by `bench/cold-start`).
 */
export function smallerPackages(words: ReadonlySet<string>): Plugin {
  return {
    name: "smaller-packages",
    setup(build) {
      selectClientNode(build, words);
      omitFromUndici(build);
      requireBuiltins(build);
    },
  };
}

/** The modules of the client only declare, except one that adds `File` to old versions of Node.js. */
function selectClientNode(build: PluginBuild, words: ReadonlySet<string>): void {
  const generated = selectGenerated(join(clientNode, "gen"), words);
  const load = (filter: RegExp, select: (source: string) => string) =>
    build.onLoad({ filter }, ({ path }) => loadText(select(readFileSync(path, "utf8"))));
  load(/client-node\/dist\/gen\/(apis\/\w+Api|types\/\w+API)\.js$/, generated.keepMethods);
  load(/client-node\/dist\/gen\/models\/ObjectSerializer\.js$/, generated.keepModels);
  const isMarked = Symbol("resolved");
  build.onResolve({ filter: /^\.|^@kubernetes\/client-node$/ }, async ({ path, importer, pluginData, ...from }) => {
    const isOfClient = importer.startsWith(clientNode) || path === "@kubernetes/client-node";
    if (pluginData === isMarked || !isOfClient) return undefined;
    const { kind, resolveDir } = from;
    const found = await build.resolve(path, { importer, kind, resolveDir, pluginData: isMarked });
    return { path: found.path, errors: found.errors, sideEffects: found.path.endsWith("/polyfill.js") };
  });
}

/** What the main file of undici loads in addition to requests: test doubles, interceptors, caches, cookies, WebSockets, other agents. */
const unusedOfUndici =
  /^\.\/lib\/((mock|interceptor|cache|web\/(cache|eventsource|websocket))\/|web\/cookies$|dispatcher\/(balanced-pool|round-robin-pool|retry-agent|h2c-client)$|handler\/(retry|redirect)-handler$)/;

/** Other parsers of HTTP/1.1: one that only an environment variable selects, and one for processors without SIMD, which Lambda has not. */
const unusedParser = /^\.\.\/(milo\/[\w-]+|llhttp\/llhttp-wasm)\.js$/;

/** The main file creates a cache on import. */
const omitted = "module.exports = class Omitted { static CacheStorage = class Omitted {}; };";

function omitFromUndici(build: PluginBuild): void {
  build.onResolve({ filter: unusedOfUndici }, ({ importer }) =>
    importer.endsWith("/undici/index.js") ? { path: "omitted", namespace: "omitted" } : undefined,
  );
  build.onResolve({ filter: unusedParser }, ({ importer }) =>
    importer.includes("/undici/") ? { path: "omitted", namespace: "omitted" } : undefined,
  );
  build.onLoad({ filter: /^omitted$/, namespace: "omitted" }, () => loadText(omitted));
}

/** Modules of Node.js with exports that are costly to evaluate, and that an `import` evaluates all. */
const costlyBuiltins = /^(node:)?(fs|http|process|util)$/;

/**
 * Loads these by `require`, which evaluates an export when it is used. One of `node:http` is the WebSocket: that compiles the copy of undici
 * inside Node.js, which takes ten times as long as the module itself. `node:process` opens all three streams.
 */
function requireBuiltins(build: PluginBuild): void {
  build.onResolve({ filter: costlyBuiltins }, ({ path, kind, namespace }) =>
    namespace === "builtin" || kind === "require-call"
      ? undefined
      : { path: path.replace("node:", ""), namespace: "builtin" },
  );
  build.onLoad({ filter: /./, namespace: "builtin" }, ({ path }) =>
    loadText(`module.exports = require("node:${path}");`),
  );
}

function loadText(contents: string): OnLoadResult {
  return { contents, loader: "js" };
}
