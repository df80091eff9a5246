import { type AppDataByMember, type OsapiError, osapi, type Person } from '@gantry/osapi';

/** A friend of the member who looks. */
export interface Friend {
  readonly id: string;
  readonly name: string;
  /** Address of a picture; `''` without one. */
  readonly picture: string;
  /** The note that they keep in this gadget, perhaps `''`. */
  readonly note: string;
}

/** All that the gadget shows. */
export interface Board {
  readonly friends: readonly Friend[];
  /** Note of the member who looks. */
  readonly note: string;
}

interface Parts {
  people?: readonly Person[];
  notes?: AppDataByMember;
  own?: AppDataByMember;
}

/**
 * Calls `show` with the board, and again whenever somebody changed a note: in another gadget, in
 * another tab or elsewhere.
 *
 * @returns A function that ends it.
 */
export function watchBoard(show: (board: Board) => void, fail: (words: string) => void): () => void {
  const parts: Parts = {};
  const onError = (error: OsapiError) => fail(wordsFor(error));
  const update = (more: Parts) => {
    const { people, notes, own } = Object.assign(parts, more);
    if (!people || !notes || !own) return; // all three are asked for in one message
    show({
      friends: people.map(({ id, displayName, thumbnailUrl }) => ({
        id,
        name: displayName,
        picture: thumbnailUrl,
        note: notes[id]?.note ?? '',
      })),
      note: Object.values(own)[0]?.note ?? '',
    });
  };
  const stops = [
    osapi.people.getViewerFriends({ count: 20 }).subscribe(({ list }) => update({ people: list }), onError),
    osapi.appdata.get({ groupId: '@friends', keys: ['note'] }).subscribe((notes) => update({ notes }), onError),
    osapi.appdata.get({ keys: ['note'] }).subscribe((own) => update({ own }), onError),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Saves the note of the member who looks. Resolves with words for them, never rejects. */
export async function saveNote(note: string): Promise<string> {
  try {
    await osapi.appdata.update({ data: { note } });
    return 'Saved. Your friends can read it here.';
  } catch (error) {
    return wordsFor(error as OsapiError);
  }
}

/**
 * Returns the letter that stands for a picture. Not `name[0]`: a letter can be two of JavaScript's
 * characters.
 */
export function initialOf(name: string): string {
  return [...name][0] ?? '';
}

function wordsFor({ code }: OsapiError): string {
  return code === 401 ? signedOut : 'That did not work just now.';
}

/** Words for somebody who is not signed in, for whom trying again changes nothing. */
export const signedOut = 'Sign in to see your friends and to keep a note.';
