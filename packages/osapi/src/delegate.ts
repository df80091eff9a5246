/**
 * Creates a proxy that forwards every use to the object that `current` returns at that time.
 * Members that are functions or groups of functions are forwarded too, so that code which keeps
 * `osapi.people` in a variable also uses the current one.
 */
export function delegate<T extends object>(current: () => T): T {
  const members = new Map<PropertyKey, object>();

  function member(name: PropertyKey): unknown {
    const value = Reflect.get(current(), name);
    if (typeof value !== 'function' && !isGroup(value)) return value;
    let made = members.get(name);
    if (made && typeof made === typeof value) return made;
    made = delegate(() => Reflect.get(current(), name) as object);
    members.set(name, made);
    return made;
  }

  // Without members that cannot be removed: a proxy must report those of its target.
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
      const descriptor = Reflect.getOwnPropertyDescriptor(current(), name);
      return descriptor && { ...descriptor, configurable: true };
    },
  }) as T;
}

function isGroup(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const members = Object.values(value);
  return members.length > 0 && members.every((one) => typeof one === 'function');
}
