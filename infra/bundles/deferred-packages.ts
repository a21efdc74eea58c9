import type { Plugin } from "esbuild";

/** Packages that most runs do not need: they read YAML, compile patterns, or log in to a cluster in a way that EKS has not. */
const packages = [
  "croner",
  "hpagent",
  "js-yaml",
  "jsonpath-plus",
  "openid-client",
  "re2js",
  "semver",
  "socks",
  "socks-proxy-agent",
  "yaml",
];

/** The files of these packages, which are entry points of each bundle that uses the plugin. */
export const deferredEntries: Readonly<Record<string, string>> = Object.fromEntries(
  packages.map((name) => [name, `package:${name}`]),
);

/**
 * Writes each of these packages to a file of its own, which is loaded when an export of the package is first used. The sources import them as
 * any other package.
 */
export const deferredPackages: Plugin = {
  name: "deferred-packages",
  setup(build) {
    build.onResolve({ filter: /^package:/ }, ({ path }) => ({
      path: path.replace("package:", ""),
      namespace: "package",
    }));
    build.onLoad({ filter: /./, namespace: "package" }, async ({ path }) => ({
      contents: `export { ${(await exportsOf(path)).join(", ")} } from "${path}";`,
      resolveDir: import.meta.dirname,
    }));

    build.onResolve({ filter: new RegExp(`^(${packages.join("|")})$`) }, ({ path, namespace, kind }) =>
      namespace === "package" || kind === "dynamic-import" ? undefined : { path, namespace: "deferred" },
    );
    build.onResolve({ filter: /./, namespace: "deferred" }, ({ path }) => ({ path, external: true }));
    build.onLoad({ filter: /./, namespace: "deferred" }, async ({ path }) => {
      const getters = (await exportsOf(path)).map((name) => `get ${name}() { return load().${name}; }`);
      return {
        contents: `const load = () => require("./${path}.mjs");
module.exports = { __esModule: true, ${getters.join(", ")} };`,
      };
    });
  },
};

/** Returns the names of the package's exports that are identifiers, without `__esModule`. */
async function exportsOf(name: string): Promise<readonly string[]> {
  const exported = (await import(name)) as object;
  return Object.keys(exported).filter((key) => /^[A-Za-z]\w*$/.test(key));
}
