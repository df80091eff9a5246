import { type Decisions, decide, declaredBy, listApps, type RegisteredApp } from '@gantry/proxy';
import { memberExists } from '@gantry/service';
import type { Database } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import type { Scenario } from './scenario.ts';

/** Permissions that members of a lab gave its apps: decisions that the real proxy keeps and checks. */
export interface Permissions {
  /**
   * Decides for a member who is seen for the first time.
   *
   * @returns False if there is no such member.
   */
  ready(member: string): Promise<boolean>;
  /** Decides anew for all members that were seen. @throws SocialError BAD_REQUEST for a permission that no app declares, or another word. */
  set(setting: PermissionSetting): Promise<void>;
  /** Takes one permission back from every app, until `restore`. @throws SocialError BAD_REQUEST as `set`. */
  deny(permission: string): Promise<void>;
  /** Undoes each `deny`, and grants what apps declare that was not declared before. */
  restore(): Promise<void>;
  /** Decides about what an app declares now. */
  renew(app: string): Promise<void>;
}

export type PermissionSetting = NonNullable<Scenario['permissions']>;

/** @param decisions Where the lab's proxy keeps decisions. */
export function createPermissions(decisions: Decisions, initial: PermissionSetting = 'all'): Permissions {
  const db: Database = decisions.db;
  const seen = new Map<string, Promise<boolean>>();
  const denied = new Set<string>();
  let setting = initial;

  /** Names that are not granted now, beside those that the setting leaves out. */
  function isTaken(name: string): boolean {
    return setting === 'none' || setting === `without:${name}` || denied.has(name);
  }

  async function decideFor(viewer: string, { isFirst }: { readonly isFirst: boolean }, only?: string): Promise<void> {
    if (isFirst && setting === 'none') return; // nobody was asked yet: there is no decision
    for (const app of await listApps(db)) {
      if (only !== undefined && app.id !== only) continue;
      const names = namesOf(app);
      const taken = names.filter(isTaken);
      // In two steps, as a member does it: a permission that is taken back was given.
      if (isFirst) await decide(decisions, { viewer, app: app.id, grant: names });
      const grant = isFirst ? [] : names.filter((name) => !taken.includes(name));
      if (grant.length + taken.length > 0) await decide(decisions, { viewer, app: app.id, grant, revoke: taken });
    }
  }

  async function admit(member: string): Promise<boolean> {
    if (!(await memberExists(db, member))) return false;
    await decideFor(member, { isFirst: true });
    return true;
  }

  async function decideForAll(only?: string): Promise<void> {
    for (const [member, isReady] of seen) if (await isReady) await decideFor(member, { isFirst: false }, only);
  }

  async function requireDeclared(name: string): Promise<void> {
    const declared = new Set((await listApps(db)).flatMap(namesOf));
    if (declared.has(name)) return;
    const known = [...declared].sort().join(', ') || 'none';
    throw new SocialError('BAD_REQUEST', `No app here declares the permission ${name}; declared are: ${known}.`);
  }

  return {
    ready(member) {
      const known = seen.get(member);
      if (known) return known;
      const admitted = admit(member);
      seen.set(member, admitted);
      admitted.then(
        (exists) => exists || seen.delete(member),
        () => seen.delete(member),
      );
      return admitted;
    },
    async set(next) {
      if (!/^(all|none|without:.+)$/.test(next)) {
        throw new SocialError('BAD_REQUEST', 'permissions is all, none or without:NAME.');
      }
      if (next.startsWith('without:')) await requireDeclared(next.slice('without:'.length));
      setting = next;
      await decideForAll();
    },
    async deny(permission) {
      await requireDeclared(permission);
      denied.add(permission);
      await decideForAll();
    },
    async restore() {
      if (denied.size === 0) return;
      denied.clear();
      await decideForAll();
    },
    renew: decideForAll,
  };
}

/** Every permission that an app declares. */
export function namesOf(app: Pick<RegisteredApp, 'manifest' | 'source'>): readonly string[] {
  const { required, optional } = declaredBy(app);
  return [...required, ...optional];
}
