import { registerHooks } from "node:module";

// Preloaded with --import: at exit it prints which client packages, adapters, composition roots and parts of infra were loaded.
const patterns = [
  /node_modules\/(@aws-sdk\/client-[\w-]+|@kubernetes\/client-node)\//,
  /functions\/(adapters\/[\w/-]+)\.ts$/,
  /\/(infra\/[\w/-]+)\.ts$/,
  /functions\/(runtime\/(?:compose-ports|open-[\w-]+))\.ts$/,
];
const loaded = new Set<string>();

registerHooks({
  load(url, context, nextLoad) {
    for (const pattern of patterns) {
      const name = pattern.exec(url)?.[1];
      if (name !== undefined) loaded.add(name);
    }
    return nextLoad(url, context);
  },
});

process.on("exit", () => process.stdout.write(`\n${JSON.stringify([...loaded].toSorted())}\n`));
