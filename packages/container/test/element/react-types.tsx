import type { GantryGadgetProps } from '@gantry/container/react';
import { createRef, useRef } from 'react';

// Compiled, never run. An `@ts-expect-error` without an error does not compile, so each of them is
// its own control.

export function Valid() {
  const gadget = useRef<HTMLElementTagNameMap['gantry-gadget']>(null);
  return (
    <gantry-gadget
      ref={gadget}
      id="one"
      className="wide"
      style={{ '--gantry-height': '20rem', inlineSize: '100%' }}
      app="friends"
      owner={null}
      view="profile"
      heading=""
      loading="eager"
      menu="none"
      budgets={{ startMs: 20_000 }}
      ongantry-ready={({ detail }) => detail.app.toUpperCase()}
      ongantry-error={({ detail }) => detail.code.toFixed()}
      ongantry-height={({ detail }) => detail.height.toFixed()}
      ongantry-state={({ detail }) => detail.state === 'unresponsive' && gadget.current?.reload()}
      ongantry-incident={({ detail }) => detail.kind === 'flood'}
      ongantry-navigate={(event) => event.preventDefault()}
      ongantry-key={({ detail }) => detail.shortcut.length}
      ongantry-title={({ detail }) => detail.title.length}
      ongantry-visibility={({ detail }) => detail.state === 'suspended'}
      ongantry-rollback={({ detail }) => detail.error.message}
      ongantry-notice={({ detail }) => detail.unused.join()}
    >
      <h2 slot="heading">Friends</h2>
      <a href="/apps/friends">Open</a>
    </gantry-gadget>
  );
}

export const budgetsAsJson: GantryGadgetProps = { app: 'friends', budgets: '{"startMs":20000}' };

export const refused = [
  // @ts-expect-error An id is text.
  <gantry-gadget key="app" app={7} />,
  // @ts-expect-error `loading` has two values.
  <gantry-gadget key="loading" app="friends" loading="later" />,
  // @ts-expect-error `menu` has one value.
  <gantry-gadget key="menu" app="friends" menu="left" />,
  // @ts-expect-error The heading is text: in JSX `heading` alone is `true`, not `heading=""`.
  <gantry-gadget key="heading" app="friends" heading />,
  // @ts-expect-error A budget is a number.
  <gantry-gadget key="budgets" app="friends" budgets={{ startMs: 'soon' }} />,
  // @ts-expect-error There is no such attribute.
  <gantry-gadget key="unknown" aplication="friends" />,
  // @ts-expect-error A listener is a function.
  <gantry-gadget key="listener" app="friends" ongantry-ready="go()" />,
  // @ts-expect-error `gantry-ready` says no height.
  <gantry-gadget key="detail" app="friends" ongantry-ready={({ detail }) => detail.height} />,
  // @ts-expect-error A gadget has no such state.
  <gantry-gadget key="state" app="friends" ongantry-state={({ detail }) => detail.state === 'gone'} />,
  // @ts-expect-error A variable is text.
  <gantry-gadget key="variable" app="friends" style={{ '--gantry-height': 200 }} />,
  // @ts-expect-error The reference is to a gadget.
  <gantry-gadget key="ref" app="friends" ref={createRef<HTMLVideoElement>()} />,
];

addEventListener('gantry-incident', ({ detail }) => detail.app);
// @ts-expect-error An incident has no title.
addEventListener('gantry-incident', ({ detail }) => detail.title);
