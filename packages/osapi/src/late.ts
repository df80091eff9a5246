/**
 * Makes an object that stands for another one which may be replaced: each use is of the one that `current` returns then.
 * Members that are functions, or groups of functions, stand for those of the same name in the same way, so that code which
 * keeps `osapi.people` in a variable also uses the present one.
 */
export function late<T extends object>(current: () => T): T {
  const members = new Map<PropertyKey, object>();

  function member(name: PropertyKey): unknown {
    const value = Reflect.get(current(), name);
    if (typeof value !== 'function' && !isGroup(value)) return value;
    let made = members.get(name);
    if (made && typeof made === typeof value) return made;
    made = late(() => Reflect.get(current(), name) as object);
    members.set(name, made);
    return made;
  }

  // Its own members can all be removed, so a proxy of it may report any others.
  const target = typeof current() === 'function' ? () => {} : {};
  return new Proxy(target, {
    apply: (_target, self, args) => Reflect.apply(current() as () => unknown, self, args),
    get: (_target, name) => member(name),
    set: (_target, name, value) => Reflect.set(current(), name, value),
    has: (_target, name) => Reflect.has(current(), name),
    deleteProperty: (_target, name) => Reflect.deleteProperty(current(), name),
    defineProperty: (_target, name, description) =>
      Reflect.defineProperty(current(), name, { ...description, configurable: true }),
    ownKeys: () => Reflect.ownKeys(current()),
    getOwnPropertyDescriptor(_target, name) {
      const found = Reflect.getOwnPropertyDescriptor(current(), name);
      return found && { ...found, configurable: true };
    },
  }) as T;
}

function isGroup(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const members = Object.values(value);
  return members.length > 0 && members.every((one) => typeof one === 'function');
}
