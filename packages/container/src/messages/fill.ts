import { isolatedName } from '@gantry/wire';

/** Puts `values`, isolated as names are, in place of the placeholders that name them. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : isolatedName(value);
  });
}
