import { maxAnswerBytes, type ResolvedRequest, SocialError } from '@gantry/wire';

/** Runs the calls of one request of a page, and bounds what each app is answered in it. */
export interface AnswerRooms {
  /**
   * Runs one call of an app and counts its line.
   *
   * @throws SocialError TOO_LARGE for a read beyond the bound, and for every call that begins after it: that one is not made.
   */
  run(call: { readonly app: string; readonly request: ResolvedRequest }, work: () => Promise<string>): Promise<string>;
}

interface Room {
  /** Bytes. */
  left: number;
  /** The last read of AppData of several members. */
  wide: Promise<unknown>;
}

/**
 * Makes the rooms of one request. Each app has one of its own, so that none takes the others' away. Lines leave as soon as
 * they are ready, so the process holds less than all of them.
 */
export function createAnswerRooms(): AnswerRooms {
  const rooms = new Map<string, Room>();

  async function within(room: Room, isRead: boolean, work: () => Promise<string>): Promise<string> {
    if (room.left <= 0) throw tooLarge();
    const line = await work();
    room.left -= Buffer.byteLength(line);
    if (room.left >= 0 || !isRead) return line; // what is done is done: the app hears of it
    room.left = 0;
    throw tooLarge();
  }

  return {
    run({ app, request }, work) {
      const room = rooms.get(app) ?? { left: maxAnswerBytes, wide: Promise.resolve() };
      rooms.set(app, room);
      if (!isWide(request)) return within(room, request.method === 'GET', work);
      // One after the other: each can fill the room, and those that begin after it cost nothing.
      const line = room.wide.then(() => within(room, true, work));
      room.wide = line.catch(() => undefined);
      return line;
    },
  };
}

function isWide({ operation, segments }: ResolvedRequest): boolean {
  return operation === 'appData.getFriends' || (operation === 'appData.getSelf' && segments[1]?.includes(',') === true);
}

function tooLarge(): SocialError {
  return new SocialError(
    'TOO_LARGE',
    `The answers to an app's calls of one moment have at most ${maxAnswerBytes} bytes together: ask for less, or page with count and startIndex.`,
  );
}
