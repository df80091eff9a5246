import type { LabEvent } from '../record/entry.ts';
import type { Explanation } from './explanation.ts';

const instead: Readonly<Record<string, string>> = {
  alert: "await gantry.ui.dialog({ text: '…' })",
  confirm: "if (await gantry.ui.confirm('…')) …",
  prompt: 'put a field into the page',
  print: 'offer the text to copy',
};

/** Explains a call or link that does nothing in a frame, without an error. */
export function explainSandbox({ name, target, where }: Extract<LabEvent, { kind: 'sandbox' }>): Explanation {
  const place = where && { where };
  const example = instead[name];
  if (example !== undefined) {
    return {
      ...{ id: 'silent-dialog', subject: name, ...place },
      what: `${name}() does nothing in a gadget: the page around it owns dialogs.`,
      cure: 'Ask with a dialog of the page, which returns a promise.',
      example,
    };
  }
  return {
    ...{ id: 'silent-window', ...(target && { subject: target }), ...place },
    what: `${name === 'link' ? 'A link to a new tab' : 'window.open'} does nothing in a gadget${target ? `: ${target} was not opened` : ''}.`,
    cure: 'Let the page open it, after a click of the member.',
    example: `gantry.ui.openLink(${JSON.stringify(target || 'https://…')})`,
  };
}
