import { compareIds } from '@gantry/wire';
import {
  type Asker,
  type Install,
  type Level,
  members,
  profileFields,
  type Question,
  type World,
} from './random-worlds.ts';

/** Result that a requester gets: a status and, on success, one thing or all items of a list. */
export type Told = { readonly status: number; readonly one?: unknown; readonly all?: readonly unknown[] };

const missing: Told = { status: 404 };
const forbidden: Told = { status: 403 };
const list = (all: readonly unknown[]): Told => ({ status: 200, all });
const one = (value: unknown): Told => ({ status: 200, one: value });

/** Returns the app of a requester's key. */
export function appOf({ way, app }: Asker): string | undefined {
  return way === 'container' || way === 'app' ? app : undefined;
}

/** Implements the contract's §6 naively, without reach, SQL or pages: it filters everything. */
export function model(world: World) {
  const exists = (id: string) => members.includes(id);
  const areFriends = (a: string, b: string) =>
    world.friends.some(([x, y]) => (x === a && y === b) || (x === b && y === a));
  const blocked = (by: string, whom: string) => world.blocks.some(([x, y]) => x === by && y === whom);
  const visible = (viewer: string, id: string) => exists(id) && (id === viewer || !blocked(id, viewer));
  const settingOf = (memberId: string, appId: string | undefined): Install | undefined =>
    world.installs.find((install) => install.memberId === memberId && install.appId === appId);
  const has = (memberId: string, appId: string | undefined) => settingOf(memberId, appId)?.removed === false;
  const mayUse = (viewer: string, owner: string, visibility: Level) =>
    visible(viewer, owner) &&
    (viewer === owner || visibility === 'site' || (visibility === 'friends' && areFriends(viewer, owner)));
  const friendsOf = (viewer: string, guids: readonly string[]) =>
    members
      .filter((id) => guids.some((guid) => visible(viewer, guid) && areFriends(guid, id)) && visible(viewer, id))
      .sort(compareIds);

  const person = (viewer: string, id: string, more: { readonly app: string | undefined; readonly also?: string }) => {
    const shows = (field: keyof NonNullable<World['levels'][string]>) => {
      const visibility = world.levels[id]?.[field] ?? 'private';
      return mayUse(viewer, id, visibility) && (more.also === undefined || mayUse(more.also, id, visibility));
    };
    return {
      id,
      isViewer: id === viewer,
      hasApp: has(id, more.app),
      aboutMe: shows('aboutMe') ? `about ${id}` : '',
      addresses: shows('addresses') ? [{ region: `region ${id}`, formatted: `region ${id}` }] : [],
      age: shows('age') ? 26 : '',
      birthday: !shows('birthday') ? '' : shows('age') ? '2000/01/01' : '0000/01/01',
      languagesSpoken: shows('languagesSpoken') ? `l${id}` : '',
      gender: shows('gender') ? 'male' : '',
    };
  };
  const newest = (all: World['activities']) => all.map(({ id }) => id).sort((a, b) => compareIds(b, a));
  const isShown = (viewer: string, { userId, appId }: World['activities'][number]) =>
    mayUse(viewer, userId, appId === undefined ? 'site' : (settingOf(userId, appId)?.visibility ?? 'site'));
  const unknown = ({ viewer, guids }: Question) => guids.length === 1 && !visible(viewer, guids[0] ?? '');
  /**
   * An app's own key is limited to its member's permissions, if they got the app by allowing it.
   */
  const limited = ({ way, viewer, app }: Question, ...needs: readonly string[]) => {
    const granted = way === 'app' ? settingOf(viewer, app)?.permissions : undefined;
    return granted !== undefined && !needs.every((name) => granted.includes(name));
  };
  const wholeProfile = ['people', ...profileFields.map((field) => `people.${field}`)];
  const cannotAsk = (asker: Asker) => asker.way === 'app' && !has(asker.viewer, asker.app);

  function keysOf(memberId: string, appId: string | undefined): object {
    const isStored = world.appData.some((data) => data.memberId === memberId && data.appId === appId);
    const setting = settingOf(memberId, appId);
    return isStored && (setting?.removed !== true || setting.keepsData) ? { k: `of ${memberId}` } : {};
  }

  function itemsOf(viewer: string, albumId: string): readonly string[] {
    const owner = world.albums.find((album) => album.id === albumId)?.ownerId ?? '';
    const items = world.items.filter((item) => item.albumId === albumId && mayUse(viewer, owner, item.visibility));
    return items.map(({ id }) => id).sort(compareIds);
  }

  /** Activities of these authors, of all apps or of the key's. */
  function stream(question: Question, { authors, byApp }: { authors: readonly string[]; byApp: boolean }): Told {
    const appId = appOf(question);
    if (limited(question, 'activities')) return forbidden;
    if (byApp && appId === undefined) return forbidden;
    if (unknown(question)) return missing;
    const theirs = world.activities.filter(({ userId }) => authors.includes(userId));
    return list(newest(theirs.filter((it) => isShown(question.viewer, it) && (!byApp || it.appId === appId))));
  }

  const answers = {
    people(question: Question): Told {
      if (limited(question, ...wholeProfile)) return forbidden;
      const { viewer, guids } = question;
      if (unknown(question)) return missing;
      const rows = guids.filter((id) => visible(viewer, id)).map((id) => person(viewer, id, { app: appOf(question) }));
      return guids.length === 1 ? one(rows[0]) : list(rows);
    },
    personSeenFrom(question: Question): Told {
      if (limited(question, ...wholeProfile)) return forbidden;
      const { viewer, guids, pids } = question;
      const [from = ''] = guids;
      if (!visible(viewer, from)) return missing;
      const rows = pids
        .filter((id) => visible(viewer, id) && visible(from, id))
        .map((id) => person(viewer, id, { app: appOf(question), also: from }));
      if (pids.length > 1) return list(rows);
      return rows.length === 0 ? missing : one(rows[0]);
    },
    friends(question: Question): Told {
      if (limited(question, ...wholeProfile)) return forbidden;
      if (unknown(question)) return missing;
      const { viewer, guids } = question;
      return list(friendsOf(viewer, guids).map((id) => person(viewer, id, { app: appOf(question) })));
    },
    friendsWithApp(question: Question): Told {
      if (limited(question, 'people')) return forbidden;
      if (unknown(question)) return missing;
      return list(friendsOf(question.viewer, question.guids).filter((id) => has(id, appOf(question))));
    },
    activities: (question: Question, byApp: boolean) => stream(question, { authors: question.guids, byApp }),
    friendsActivities: (question: Question, byApp: boolean) =>
      stream(question, { authors: friendsOf(question.viewer, question.guids), byApp }),
    appData(question: Question): Told {
      const { viewer, guids } = question;
      const app = appOf(question);
      if (app === undefined || limited(question, 'appdata')) return forbidden;
      if (unknown(question)) return missing;
      const readable = (id: string) => id === viewer || (areFriends(viewer, id) && has(id, app));
      if (guids.length === 1 && !readable(guids[0] ?? '')) return forbidden;
      const members = guids.filter((id) => visible(viewer, id) && readable(id));
      return one(Object.fromEntries(members.map((id) => [id, keysOf(id, app)])));
    },
    friendsAppData(question: Question): Told {
      const { viewer, guids } = question;
      const app = appOf(question);
      if (app === undefined || limited(question, 'appdata')) return forbidden;
      if (unknown(question)) return missing;
      const members = friendsOf(viewer, guids).filter(
        (id) => (id === viewer || areFriends(viewer, id)) && has(id, app) && 'k' in keysOf(id, app),
      );
      return one(Object.fromEntries(members.map((id) => [id, keysOf(id, app)])));
    },
    /** Writes nothing, as the member `{guid}`. */
    appDataWrite(question: Question): Told {
      const { viewer, guids } = question;
      const app = appOf(question);
      if (guids.length > 1) return { status: 400 };
      if (limited(question, 'appdata.write')) return forbidden;
      return app !== undefined && guids[0] === viewer && has(viewer, app) ? one({}) : forbidden;
    },
    /** Posts an invalid activity, as the member `{guid}`. */
    emptyPost(question: Question): Told {
      const { viewer, guids } = question;
      if (guids.length === 1 && limited(question, 'activities.post')) return forbidden;
      return guids.length > 1 || guids[0] === viewer ? { status: 400 } : forbidden;
    },
    albums(question: Question, ofFriends: boolean): Told {
      if (limited(question, 'albums')) return forbidden;
      if (unknown(question)) return missing;
      const { viewer, guids } = question;
      const owners = ofFriends ? friendsOf(viewer, guids) : guids;
      const albums = world.albums.filter(
        (album) => owners.includes(album.ownerId) && mayUse(viewer, album.ownerId, album.visibility),
      );
      return list(
        albums
          .toSorted((a, b) => compareIds(a.id, b.id))
          .map(({ id }) => ({ id, mediaItemCount: itemsOf(viewer, id).length })),
      );
    },
    mediaItems(question: Question): Told {
      const { viewer, guids, album: id } = question;
      if (limited(question, 'albums')) return forbidden;
      const album = world.albums.find((it) => it.id === id);
      if (!album || !guids.includes(album.ownerId) || !mayUse(viewer, album.ownerId, album.visibility)) return missing;
      return list(itemsOf(viewer, id));
    },
    allMediaItems(question: Question): Told {
      if (limited(question, 'albums')) return forbidden;
      if (unknown(question)) return missing;
      const { viewer, guids } = question;
      const albums = world.albums.filter(
        ({ ownerId, visibility }) => guids.includes(ownerId) && mayUse(viewer, ownerId, visibility),
      );
      return list(albums.flatMap(({ id }) => itemsOf(viewer, id)).sort(compareIds));
    },
  };
  return { ...answers, cannotAsk };
}
