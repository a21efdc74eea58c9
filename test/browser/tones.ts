import type { Page } from "playwright-core";

/**
 * How people see colours who lack one kind of cone, in linear RGB: the matrices of Machado, Oliveira and Fernandes (2009) for a severity
 * of 1.0. The first one is of everybody else.
 */
const sights = [
  [1, 0, 0, 0, 1, 0, 0, 0, 1],
  [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
] as const;

/** Returns how far the two most similar tones of the page are apart in OKLab, for whom they are the most similar. */
export async function closestTones(page: Page): Promise<number> {
  const read = `["--accent", "--good", "--warn", "--bad"].map((name) =>
    getComputedStyle(document.documentElement).getPropertyValue(name).trim())`;
  const tones = (await page.evaluate(read)) as readonly string[];
  const distances = sights.flatMap((sight) => {
    const seen = tones.map((tone) => toOklab(see(toLinear(tone), sight)));
    return seen.flatMap((one, index) => seen.slice(index + 1).map((other) => distance(one, other)));
  });
  return Math.min(...distances);
}

function toLinear(hex: string): readonly number[] {
  return [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
}

function see(colour: readonly number[], sight: readonly number[]): readonly number[] {
  return [0, 3, 6].map((row) => dot(sight.slice(row, row + 3), colour));
}

/** As Björn Ottosson defines it. */
function toOklab(colour: readonly number[]): readonly number[] {
  const cones = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
  ].map((row) => Math.cbrt(Math.max(0, dot(row, colour))));
  return [
    [0.2104542553, 0.793617785, -0.0040720468],
    [1.9779984951, -2.428592205, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.808675766],
  ].map((row) => dot(row, cones));
}

function dot(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
}

function distance(one: readonly number[], other: readonly number[]): number {
  return Math.hypot(...one.map((value, index) => value - (other[index] ?? 0)));
}
