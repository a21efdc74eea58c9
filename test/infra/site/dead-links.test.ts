import { expect, test } from "vitest";
import { deadLinks } from "../../../infra/site/dead-links.ts";

const other = { outputPath: "./site/how-to/other.html", content: '<h2 id="there">There</h2>' };

test.for([
  { link: "other.html#there", dead: false },
  { link: "../how-to/other.html#there", dead: false },
  { link: "#here", dead: false },
  { link: "https://example.com/nowhere", dead: false },
  { link: "#there", dead: true },
  { link: "other.html#here", dead: true },
  { link: "missing.html", dead: true },
  { link: "missing.html#there", dead: true },
  // A file of the project, which the site does not have.
  { link: "../../README.md", dead: true },
])("$link is dead: $dead", ({ link, dead }) => {
  const page = { outputPath: "./site/how-to/page.html", content: `<h1 id="here">Here</h1><a href="${link}">link</a>` };
  expect(deadLinks([page, other], "./site")).toEqual(dead ? [`how-to/page.html: ${link}`] : []);
});
