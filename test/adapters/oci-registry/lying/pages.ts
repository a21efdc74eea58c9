import { json } from "../scripted.ts";
import { type Lie, page, raw, text, whole } from "./lie.ts";

const isFirst = (path: string) => !path.includes("last");

/** Lies about how many pages there are, and where. */
export const liesAboutPages: readonly Lie[] = [
  {
    when: "it names a page that is not there",
    promise: "RegistryAnswerInvalid",
    lies: (response, { path }) => (isFirst(path) ? page(response, ["1.0.0"], "?last=1") : text(response, "", {}, 404)),
  },
  {
    when: "it names a page that fails",
    promise: "Unreachable",
    lies: (response, { path }) => (isFirst(path) ? page(response, ["1.0.0"], "?last=1") : text(response, "", {}, 500)),
  },
  {
    when: "it gives a page no tags at all",
    promise: "RegistryAnswerInvalid",
    lies: (response, { path }) => (isFirst(path) ? page(response, ["1.0.0"], "?last=1") : json(response, {})),
  },
  {
    when: "it forgets a page and the way to it, which nobody can know: no tag comes that it has not named",
    promise: ["1.0.0"],
    lies: (response) => json(response, whole),
  },
  {
    when: "it gives the same page again under another address",
    promise: "RegistryAnswerInvalid",
    lies: (response, { path }) => page(response, ["1.0.0", "1.1.0"], `?last=${path.length}`),
  },
  {
    when: "it gives tags again among others: each comes once",
    promise: ["1.0.0", "1.1.0", "1.2.0"],
    lies: (response, { path }) =>
      isFirst(path) ? page(response, ["1.0.0", "1.1.0"], "?last=1") : json(response, { tags: ["1.1.0", "1.2.0"] }),
  },
  {
    when: "a page leads to itself",
    promise: "RegistryAnswerInvalid",
    lies: (response, { path }) => page(response, [], path),
  },
  {
    when: "two pages lead to each other",
    promise: "RegistryAnswerInvalid",
    lies: (response, { path }) => page(response, [], path.includes("last=1") ? "?last=2" : "?last=1"),
  },
  {
    when: "pages never end",
    promise: "RegistryAnswerInvalid",
    lies: (response, { path }) => page(response, [`t${path.length}`], `?last=${"x".repeat(path.length)}`),
  },
  {
    when: "pages are fine one by one, and too much together",
    promise: "RegistryAnswerInvalid",
    lies: (response, { path }) => {
      const tags = Array.from({ length: 1500 }, (_, index) => `${path.length}-${index}`);
      page(response, tags, `?last=${"x".repeat(path.length)}`);
    },
  },
  {
    when: "its Link cannot be read",
    promise: "RegistryAnswerInvalid",
    lies: (response) => json(response, whole, { link: '<?last=1; rel="next"' }),
  },
  {
    when: "one of its two Links cannot be read",
    promise: "RegistryAnswerInvalid",
    lies: (response) => json(response, whole, { link: '</a>; rel="prev", ?last=1; rel="next"' }),
  },
  {
    when: "its Link goes on for longer than a header may be",
    promise: "Unreachable",
    lies: (response) => raw(response, "HTTP/1.1 200 OK", `link: <?${"x".repeat(100_000)}>; rel="next"`, "", "{}"),
  },
  {
    when: "it leads to a script",
    promise: "RegistryAnswerInvalid",
    lies: (response) => page(response, ["1.0.0"], "javascript:alert(1)"),
  },
  {
    when: "it has no tags left, where it had some: the poll decides nothing on that",
    promise: [],
    lies: (response) => json(response, { ...whole, tags: [] }),
  },
  {
    when: "it answers for a repository of another name, as some proxies do",
    promise: ["1.0.0"],
    lies: (response) => json(response, { ...whole, name: "other/app" }),
  },
];
