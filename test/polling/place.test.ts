import { expect, test } from "vitest";
import { endOfPlaces, seatOf } from "../../functions/polling/place.ts";
import { workload } from "../support/workloads.ts";
import { many } from "./many.ts";
import { resting } from "./shop.ts";

const placeOf = (name: string, source: string, seed = "s") => seatOf(resting(name, source), seed).place;

test("workloads of one repository stand together, however they spell it, and each at a place of its own", () => {
  const [one, other] = [placeOf("a", "nginx:1.0.0"), placeOf("b", "docker.io/library/nginx:1.2.0")];
  expect(Math.floor(one / 2 ** 24)).toBe(Math.floor(other / 2 ** 24));
  expect(one).not.toBe(other);
});

test("places are spread over all there are, and another seed gives others", () => {
  const places = many(2000).map((each) => seatOf(each, "s").place);
  expect(places.every((place) => Number.isSafeInteger(place) && place >= 0 && place < endOfPlaces)).toBe(true);
  const quarters = Map.groupBy(places, (place) => Math.floor((place / endOfPlaces) * 4));
  expect([...quarters.values()].every(({ length }) => length > 400 && length < 600)).toBe(true);
  expect(placeOf("a", "nginx:1.0.0", "s")).not.toBe(placeOf("a", "nginx:1.0.0", "t"));
});

test.for([
  { what: "its registry", parts: {}, host: "registry.example" },
  { what: "Docker Hub", parts: { source: "nginx:1.0.0" }, host: "registry-1.docker.io" },
  { what: "none, without a source", parts: { source: null }, host: "" },
  { what: "none, where the image cannot be read", parts: { source: "Not/An/Image" }, host: "" },
])("a workload waits for $what", ({ parts, host }) => {
  expect(seatOf(workload(parts), "s").host).toBe(host);
});
