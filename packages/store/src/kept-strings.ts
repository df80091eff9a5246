/*
 * The strings of a statement depend on its templates alone, and every request evaluates the same
 * few. Joining them, and then hashing the text to find what a driver prepared, costs as much as a
 * short query: so equal evaluations share one array, by which drivers keep what they make of it.
 */

type Strings = readonly string[];

/** One combination of nested statements in a template, or the beginning of some. */
interface Form {
  strings?: Strings;
  /** By the form of the next item; `undefined` for a value. */
  readonly longer: Map<Form | undefined, Form>;
}

/** Strings of a longer statement are not kept: a loop might make one of every length. */
const mostStrings = 64;
/** Forms kept for one template. */
const mostForms = 1_000;

// Made of code only, never of a site's data; weak, so that it ends with the templates.
const forms = new WeakMap<Strings, Form>();
const counts = new WeakMap<Strings, number>();

/** Keeps the strings of statements that are made without a template. Returns them. */
export function keepStrings(strings: Strings): Strings {
  forms.set(Object.freeze(strings), { strings, longer: new Map() });
  return strings;
}

/** True if equal statements share this array. */
function areKept(strings: Strings): boolean {
  return 'raw' in strings || forms.has(strings); // a template's array is the same at every evaluation
}

/**
 * Returns the strings of a template with nested statements, and the same array each time if those
 * are kept too.
 *
 * @param items For each item the strings of a nested statement, or `undefined` for a value.
 */
export function splicedStrings(template: Strings, items: readonly (Strings | undefined)[]): Strings {
  let form = formOf(template);
  for (const item of items) {
    if (form === undefined) return joined(template, items);
    const nested = item && formOf(item);
    form = item && nested === undefined ? undefined : (form.longer.get(nested) ?? longerForm(template, form, nested));
  }
  if (form === undefined) return joined(template, items);
  if (form.strings) return form.strings;
  const strings = joined(template, items);
  if (strings.length > mostStrings) return strings;
  form.strings = Object.freeze(strings);
  forms.set(strings, form);
  return strings;
}

function formOf(strings: Strings): Form | undefined {
  const known = forms.get(strings);
  if (known || !('raw' in strings)) return known;
  const form: Form = { strings, longer: new Map() };
  forms.set(strings, form);
  return form;
}

/** Adds a form unless the template has too many. */
function longerForm(template: Strings, form: Form, nested: Form | undefined): Form | undefined {
  const count = counts.get(template) ?? 0;
  if (count === mostForms) return undefined;
  counts.set(template, count + 1);
  const longer: Form = { longer: new Map() };
  form.longer.set(nested, longer);
  return longer;
}

function joined(template: Strings, items: readonly (Strings | undefined)[]): Strings {
  const strings = [template[0] ?? ''];
  items.forEach((item, index) => {
    const after = template[index + 1] ?? '';
    if (item === undefined) strings.push(after);
    else {
      strings[strings.length - 1] += item[0] ?? '';
      // One at a time: a long statement would overflow the stack if it were spread.
      for (let part = 1; part < item.length; part++) strings.push(item[part] as string);
      strings[strings.length - 1] += after;
    }
  });
  return strings;
}

/** Returns `make`, which is called once for strings that are kept, and for long ones. */
export function onceForStrings<T>(make: (strings: Strings) => T): (strings: Strings) => T {
  const results = new WeakMap<Strings, { readonly result: T }>();
  return (strings) => {
    const known = results.get(strings);
    if (known) return known.result;
    const result = make(strings);
    if (areKept(strings) || strings.length > mostStrings) results.set(strings, { result });
    return result;
  };
}
