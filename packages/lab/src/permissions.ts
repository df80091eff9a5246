import { declaredBy, type GrantStore, listApps, type RegisteredApp, saveDecision } from '@gantry/proxy';
import { memberExists } from '@gantry/service';
import { SocialError } from '@gantry/wire';
import { closest } from '@gantry/wire/runtime';
import type { Scenario } from './scenario/scenario.ts';

/** Permissions that members of a lab gave its apps: decisions that the proxy stores and checks. */
export type Permissions = ReturnType<typeof createPermissions>;

export type PermissionSetting = NonNullable<Scenario['permissions']>;

/** @param decisions The decisions of the lab's proxy. */
export function createPermissions(decisions: GrantStore) {
  const { db } = decisions;
  const seen = new Map<string, Promise<boolean>>();
  const denied = new Set<string>();
  let setting: PermissionSetting = 'all';

  /** Returns whether a permission is withdrawn, by the setting or by `deny`. */
  function isTaken(name: string): boolean {
    return setting === 'none' || setting === `without:${name}` || denied.has(name);
  }

  async function decideFor(viewer: string, { isFirst }: { readonly isFirst: boolean }, only?: string): Promise<void> {
    if (isFirst && setting === 'none') return;
    for (const app of await listApps(db)) {
      if (only !== undefined && app.id !== only) continue;
      const names = permissionNames(app);
      const taken = names.filter(isTaken);
      // In two steps, as a member does it: only a granted permission can be withdrawn.
      if (isFirst) await saveDecision(decisions, { viewer, app: app.id, grant: names });
      const grant = isFirst ? [] : names.filter((name) => !taken.includes(name));
      if (grant.length + taken.length > 0) await saveDecision(decisions, { viewer, app: app.id, grant, revoke: taken });
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
    const declared = new Set((await listApps(db)).flatMap(permissionNames));
    if (declared.has(name)) return;
    const meant = closest(name, [...declared]);
    const names = [...declared].sort().join(', ') || 'none';
    const cure = meant ? `did you mean ${meant}?` : `declared are: ${names}.`;
    throw new SocialError('BAD_REQUEST', `No app here declares the permission ${name}: ${cure}`);
  }

  return {
    /** Stores a member's decisions on their first request. @returns False without the member. */
    ready(member: string): Promise<boolean> {
      const earlier = seen.get(member);
      if (earlier !== undefined) return earlier;
      const admitted = admit(member);
      seen.set(member, admitted);
      admitted.then(
        (exists) => exists || seen.delete(member),
        () => seen.delete(member),
      );
      return admitted;
    },
    /**
     * Changes the decisions of all members seen so far.
     *
     * @throws SocialError BAD_REQUEST for a permission that no app declares, or an unknown setting.
     */
    async set(next: PermissionSetting): Promise<void> {
      if (!/^(all|none|without:.+)$/.test(next)) {
        throw new SocialError('BAD_REQUEST', 'permissions is all, none or without:NAME.');
      }
      if (next.startsWith('without:')) await requireDeclared(next.slice('without:'.length));
      setting = next;
      await decideForAll();
    },
    /** Withdraws a permission from every app, until `restore`. @throws SocialError as `set`. */
    async deny(permission: string): Promise<void> {
      await requireDeclared(permission);
      denied.add(permission);
      await decideForAll();
    },
    /** Undoes each `deny`, and grants permissions that apps declared since. */
    async restore(): Promise<void> {
      if (denied.size === 0) return;
      denied.clear();
      await decideForAll();
    },
    /** Grants the permissions that an app declares now. */
    renew: decideForAll,
  };
}

/** Every permission that an app declares. */
export function permissionNames(app: Pick<RegisteredApp, 'manifest' | 'source'>): readonly string[] {
  const { required, optional } = declaredBy(app);
  return [...required, ...optional];
}
