import type { Explainer } from '@gantry/lab/record';
import { entriesOf, tapeBounds } from '@gantry/lab/tape';
import { SocialError } from '@gantry/wire';
import { readBytes } from '@gantry/wire/runtime';
import type { TapeAnswer } from '../protocol.ts';
import { type Route, sendJson, sendRefusal } from '../route.ts';
import { recoverTape, type TapeFile, tooLong } from './read-tape-file.ts';

/** A tape that the dev host was started with. */
export interface OpenedTape extends TapeFile {
  readonly name: string;
}

/** Lab of entries of a tape, in lists of calls. */
const tapeLab = 'tape';

/**
 * Answers `GET /dev/tape` with the tape that was opened, and `POST /dev/tape` with the one in its
 * body: its entries as the list of calls shows them, each with its explanation. A tape is not kept,
 * and is no part of the run's record.
 *
 * @param options.createExplainer Makes an explainer: each tape has its own.
 * @param options.apps Apps that are here.
 */
export function createTapeRoute(options: {
  readonly opened: OpenedTape | undefined;
  readonly createExplainer: () => Explainer;
  readonly apps: () => readonly { readonly id: string }[];
}): Route {
  const { opened, createExplainer, apps } = options;

  function answerOf({ head, entries, problems }: TapeFile, name?: string): TapeAnswer {
    const explain = createExplainer();
    const lines = entriesOf({ head, entries }, tapeLab).map((entry) => {
      const explanation = explain(entry);
      return { entry, ...(explanation && { explanation }) };
    });
    const only = apps().length === 1 ? apps()[0]?.id : undefined;
    const app = apps().find(({ id }) => id === head.app)?.id ?? (name === undefined ? undefined : only);
    return { head, lines, problems, ...(name !== undefined && { name }), ...(app !== undefined && { app }) };
  }

  return async ({ incoming, outgoing, method, path }) => {
    if (path !== '/dev/tape') return false;
    try {
      if (method === 'POST') return sendJson(outgoing, answerOf(recoverTape(await bodyOf(incoming))));
      if (opened === undefined) throw new SocialError('NOT_FOUND', 'No tape was opened: gantry open FILE does.');
      return sendJson(outgoing, answerOf(opened, opened.name));
    } catch (error) {
      return sendRefusal(outgoing, error);
    }
  };
}

async function bodyOf(incoming: AsyncIterable<Uint8Array>): Promise<string> {
  const bytes = await readBytes(incoming, tapeBounds.characters);
  if (!bytes) throw tooLong();
  return new TextDecoder().decode(bytes);
}
