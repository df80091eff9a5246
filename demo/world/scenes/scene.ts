import { createRandom } from '../random.ts';
import { height, type Pen, width } from './drawing.ts';
import { allotment, flowers, marsh, ridges, table } from './land.ts';
import { type Palette, palettes } from './palettes.ts';
import { huts, lighthouse, moorings, quay, sails, terns } from './shore.ts';

const drawings = {
  sails,
  lighthouse,
  quay,
  moorings,
  huts,
  terns,
  ridges,
  marsh,
  allotment,
  flowers,
  table,
} as const satisfies Record<string, (pen: Pen) => string>;

/** Subjects of pictures. */
export type Scene = keyof typeof drawings;

/**
 * Draws one picture as SVG, 960 × 640; equal number and seed give an equal picture. The light
 * varies with the number, so that neighbours on a wall of photos differ.
 */
export function drawScene({ scene, number, seed }: { scene: Scene; number: number; seed: string }): string {
  const random = createRandom(`${seed}/${scene}/${number}`);
  const light = palettes[number % palettes.length] as Palette;
  const drawing = drawings[scene]({ random, light });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${drawing}</svg>`;
}
