import { json } from "../scripted-server.ts";
import { type HostileCase, sendPage, writeRaw, sendText, completeList } from "./case.ts";

const isFirst = (path: string) => !path.includes("last");

/** Hostile and invalid Link headers and pages. */
export const paginationCases: readonly HostileCase[] = [
  {
    when: "it links to a page that does not exist",
    expected: "RegistryAnswerInvalid",
    respond: (response, { path }) =>
      isFirst(path) ? sendPage(response, ["1.0.0"], "?last=1") : sendText(response, "", {}, 404),
  },
  {
    when: "it links to a page that fails",
    expected: "Unreachable",
    respond: (response, { path }) =>
      isFirst(path) ? sendPage(response, ["1.0.0"], "?last=1") : sendText(response, "", {}, 500),
  },
  {
    when: "a page has no tags field",
    expected: "RegistryAnswerInvalid",
    respond: (response, { path }) => (isFirst(path) ? sendPage(response, ["1.0.0"], "?last=1") : json(response, {})),
  },
  {
    when: "it omits a page and its link, which is undetectable",
    expected: ["1.0.0"],
    respond: (response) => json(response, completeList),
  },
  {
    when: "it repeats a page under another URL",
    expected: "RegistryAnswerInvalid",
    respond: (response, { path }) => sendPage(response, ["1.0.0", "1.1.0"], `?last=${path.length}`),
  },
  {
    when: "it repeats single tags, each of which is returned once",
    expected: ["1.0.0", "1.1.0", "1.2.0"],
    respond: (response, { path }) =>
      isFirst(path) ? sendPage(response, ["1.0.0", "1.1.0"], "?last=1") : json(response, { tags: ["1.1.0", "1.2.0"] }),
  },
  {
    when: "a page links to itself",
    expected: "RegistryAnswerInvalid",
    respond: (response, { path }) => sendPage(response, [], path),
  },
  {
    when: "two pages link to each other",
    expected: "RegistryAnswerInvalid",
    respond: (response, { path }) => sendPage(response, [], path.includes("last=1") ? "?last=2" : "?last=1"),
  },
  {
    when: "pages never end",
    expected: "RegistryAnswerInvalid",
    respond: (response, { path }) => sendPage(response, [`t${path.length}`], `?last=${"x".repeat(path.length)}`),
  },
  {
    when: "all pages together exceed the size limit",
    expected: "RegistryAnswerInvalid",
    respond: (response, { path }) => {
      const tags = Array.from({ length: 1500 }, (_, index) => `${path.length}-${index}`);
      sendPage(response, tags, `?last=${"x".repeat(path.length)}`);
    },
  },
  {
    when: "all pages together have too many tags",
    expected: "RegistryAnswerInvalid",
    reason: "more than 2000 tags",
    respond: (response, { path }) => {
      const first = isFirst(path) ? 0 : 1100;
      const tags = Array.from({ length: 1100 }, (_, index) => String(first + index));
      sendPage(response, tags, `?last=${"x".repeat(path.length)}`);
    },
  },
  {
    when: "its Link header is invalid",
    expected: "RegistryAnswerInvalid",
    respond: (response) => json(response, completeList, { link: '<?last=1; rel="next"' }),
  },
  {
    when: "one of its two links is invalid",
    expected: "RegistryAnswerInvalid",
    respond: (response) => json(response, completeList, { link: '</a>; rel="prev", ?last=1; rel="next"' }),
  },
  {
    when: "its Link header exceeds the header size limit",
    expected: "Unreachable",
    respond: (response) =>
      writeRaw(response, "HTTP/1.1 200 OK", `link: <?${"x".repeat(100_000)}>; rel="next"`, "", "{}"),
  },
  {
    when: "it links to a javascript: URL",
    expected: "RegistryAnswerInvalid",
    respond: (response) => sendPage(response, ["1.0.0"], "javascript:alert(1)"),
  },
  {
    when: "it returns an empty list, on which a poll decides nothing",
    expected: [],
    respond: (response) => json(response, { ...completeList, tags: [] }),
  },
  {
    when: "it returns another repository name, as some proxies do",
    expected: ["1.0.0"],
    respond: (response) => json(response, { ...completeList, name: "other/app" }),
  },
];
