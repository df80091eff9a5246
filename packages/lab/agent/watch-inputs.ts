import type { LabEvent } from '@gantry/lab/record';
import type { Report } from './report.ts';

type Input = Extract<LabEvent, { kind: 'input' }>;

const pauseMs = 50;
const mostLooked = 5_000;
const longestText = 2_000;
const longestLabel = 100;

/** Roles of elements as in Playwright's `getByRole`. The first selector that matches counts. */
const roles: readonly (readonly [role: string | undefined, selector: string])[] = [
  [undefined, 'input[type=hidden], input[type=file]'],
  ['button', 'button, input:is([type=button], [type=submit], [type=reset], [type=image])'],
  ['checkbox', 'input[type=checkbox]'],
  ['radio', 'input[type=radio]'],
  ['slider', 'input[type=range]'],
  ['spinbutton', 'input[type=number]'],
  ['listbox', 'select[multiple]'],
  [
    'combobox',
    'select, input[list]:is([type=email], [type=tel], [type=text], [type=url], [type=search], :not([type]))',
  ],
  ['searchbox', 'input[type=search]'],
  ['textbox', 'input, textarea'],
  ['link', 'a[href], area[href]'],
  ['heading', 'h1, h2, h3, h4, h5, h6'],
  ['listitem', 'li'],
];
const contentIsName =
  /^(?:button|link|heading|tab|option|menuitem\w*|checkbox|radio|switch|treeitem|gridcell|cell|row)$/;

/** Reports clicks, keys, texts and choices of a person, by role and name of their element. */
export function watchInputs(
  window: Window,
  { report, after }: { readonly report: Report; readonly after: (ms: number, run: () => void) => void },
): void {
  const { document } = window;
  let typing: HTMLInputElement | HTMLTextAreaElement | HTMLElement | undefined;
  let control: Element | undefined;

  function on(type: string, listen: (target: HTMLElement, event: Event) => void): void {
    window.addEventListener(
      type,
      (event) => {
        const [target] = event.composedPath();
        if (target instanceof HTMLElement || target instanceof SVGElement) listen(target as HTMLElement, event);
      },
      true,
    );
  }
  function see(what: Input['what'], target: Element, more: Partial<Input> = {}): void {
    if (what !== 'fill') flush();
    report(() => ({ kind: 'input', what, ...elementOf(target, document), ...more }));
  }
  function flush(): void {
    const target = typing;
    typing = undefined;
    if (target) see('fill', target, textOf(target));
  }

  on('input', (target, { isTrusted }) => {
    if (!isTyped(target) || !(isTrusted || /^(?:date|time|month|week|color|range)/.test(kindOf(target)))) return;
    if (typing !== target) flush();
    if (!typing) after(pauseMs, flush); // one report for many letters
    typing = target;
  });
  on('change', (target) => {
    if (target instanceof HTMLSelectElement) see('select', target, { option: Math.max(0, target.selectedIndex) });
  });
  on('click', (target, event) => {
    const { isTrusted, detail } = event as UIEvent;
    const labelled = target.closest('label')?.control ?? undefined;
    if (!isTrusted || target === control || target.closest('select')) return;
    if (labelled && !labelled.contains(target)) {
      control = labelled; // the browser clicks it next
      after(0, () => {
        control = undefined;
      });
      return see('click', labelled);
    }
    if (detail > 0) see('click', withRole(target)); // 0: clicked by a key
  });
  on('keydown', (target, event) => {
    const { key, isTrusted, repeat, isComposing, ctrlKey, altKey, metaKey, shiftKey } = event as KeyboardEvent;
    const isSign = [...key].length === 1 && !ctrlKey && !altKey && !metaKey;
    if (!isTrusted || repeat || isComposing || /^(?:Shift|Control|Alt|Meta|AltGraph|Dead|Unidentified)$/.test(key))
      return;
    if (isTyped(target) && (isSign || /^(?:Backspace|Delete)$/.test(key))) return;
    if (key === 'Enter' && (target instanceof HTMLTextAreaElement || target.isContentEditable)) return;
    const held = { Control: ctrlKey, Alt: altKey, Meta: metaKey, Shift: shiftKey && [...key].length > 1 };
    const names = Object.entries(held).flatMap(([name, isHeld]) => (isHeld ? [name] : []));
    see('press', target, { key: [...names, key === ' ' ? 'Space' : key].join('+') });
  });
  window.addEventListener('pagehide', flush, true);
}

function isTyped(target: Element): boolean {
  if (target instanceof HTMLInputElement)
    return !/^(?:checkbox|radio|button|submit|reset|image|file)$/.test(target.type);
  return target instanceof HTMLTextAreaElement || (target as HTMLElement).isContentEditable;
}

function kindOf(target: Element): string {
  return target instanceof HTMLInputElement ? target.type : '';
}

/** Returns the text in a field, but no password. */
function textOf(target: HTMLElement): { readonly text?: string } {
  if (kindOf(target) === 'password') return {};
  const text = 'value' in target ? String(target.value) : target.innerText;
  return { text: text.slice(0, longestText) };
}

/** Returns the nearest element around one that has a role, or itself. */
function withRole(target: Element): Element {
  for (let at: Element | null = target; at; at = at.parentElement) if (roleOf(at)) return at;
  return target;
}

function roleOf(element: Element): string | undefined {
  const [role] = element.getAttribute('role')?.trim().split(/\s+/) ?? [];
  return role || roles.find(([, selector]) => element.matches(selector))?.[0];
}

/** Describes an element by role and name, and its number among those of its role that are shown. */
function elementOf(element: Element, document: Document): Pick<Input, 'element' | 'role' | 'label' | 'index' | 'twin'> {
  const { localName } = element;
  const role = roleOf(element);
  if (role === undefined) return { element: localName };
  const label = labelOf(element, role);
  const alike: Element[] = [];
  let looked = 0;
  const look = (root: ParentNode): void => {
    for (const each of root.querySelectorAll('*')) {
      looked += 1;
      if (looked > mostLooked) return;
      if (each === element || (roleOf(each) === role && isShown(each))) alike.push(each);
      if (each.shadowRoot) look(each.shadowRoot);
    }
  };
  look(document);
  const index = looked > mostLooked ? -1 : alike.indexOf(element);
  if (index < 0) return { element: localName, role, ...(label && { label }) };
  const twins = label ? alike.filter((each) => labelOf(each, role) === label) : [];
  return {
    element: localName,
    role,
    index,
    ...(label && { label }),
    ...(twins.length > 1 && { twin: twins.indexOf(element) }),
  };
}

function isShown(element: Element): boolean {
  return element.checkVisibility({ visibilityProperty: true }) && !element.closest('[aria-hidden=true]');
}

/** Returns the name of an element for people; none for one that is too long to compare. */
function labelOf(element: Element, role: string): string | undefined {
  const label = labelsOf(element, role)
    .map((text) => (text ?? '').replace(/\s+/g, ' ').trim())
    .find((text) => text !== '');
  return label && label.length <= longestLabel ? label : undefined;
}

function labelsOf(element: Element, role: string): readonly (string | null | undefined)[] {
  const root = element.getRootNode() as Document | ShadowRoot;
  const ids = element.getAttribute('aria-labelledby')?.split(/\s+/) ?? [];
  const isButton = element instanceof HTMLInputElement && role === 'button';
  const labels =
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement
      ? element.labels
      : null;
  return [
    ids.map((id) => root.getElementById(id)?.textContent ?? '').join(' '),
    element.getAttribute('aria-label'),
    ...(labels ? [[...labels].map(({ textContent }) => textContent).join(' ')] : []),
    isButton ? element.value : undefined,
    element.getAttribute('alt'),
    contentIsName.test(role) ? (element as HTMLElement).innerText : undefined,
    element.getAttribute('title'),
    element.getAttribute('placeholder'),
  ];
}
