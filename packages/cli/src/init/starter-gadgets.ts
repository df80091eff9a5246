import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Change } from '../project/change.ts';
import type { Project } from '../project/project.ts';
import { generatedFile } from './generated-file.ts';

/** Ids and folder names of a new site's gadgets. */
export const starters = ['friends', 'notes'] as const;

export function starterFolder(id: string): string {
  return `gadgets/${id}`;
}

/** Plans the folders of the starter gadgets. One that has a `gadget.json` stays as it is. */
export function starterFiles(project: Project): readonly Change[] {
  const from = fileURLToPath(new URL('../../starters/', import.meta.url));
  return starters
    .filter((id) => project.read(`${starterFolder(id)}/gadget.json`) === undefined)
    .flatMap((id) =>
      readdirSync(join(from, id))
        .sort()
        .map((name) =>
          generatedFile(project, `${starterFolder(id)}/${name}`, readFileSync(join(from, id, name), 'utf8'), {
            isOurs: () => false,
          }),
        ),
    );
}
