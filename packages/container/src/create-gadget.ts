import type { AppRequest } from '@gantry/bridge';
import type { Instance, Reply } from '@gantry/wire';
import { documentOf } from './document-of.ts';
import type { Gadget, OpenCall, Rollback } from './gadget.ts';

/** Makes the gadget of an instance, with `members` of the page and of the gadget's session. */
export function createGadget(
  opened: Instance,
  members: Pick<
    Gadget,
    | 'apps'
    | 'clock'
    | 'leases'
    | 'preloads'
    | 'tools'
    | 'texts'
    | 'observed'
    | 'decide'
    | 'decidePreview'
    | 'loadAnew'
    | 'close'
    | 'answer'
    | 'watch'
    | 'writes'
    | 'upstream'
  >,
): { readonly gadget: Gadget; rollBack(rollback: Rollback): void } {
  const { observed, tools, watch } = members;
  const { instance, sandbox, context, consent, declared, canRemoveData = false } = opened;
  // The page gives these to the app, which need not call them.
  const used = new Set(members.preloads?.map(({ operation }) => operation));
  const rollbackListeners = new Set<(rollback: Rollback) => void>();

  function noteNotAdded(reply: Reply): void {
    if (!('error' in reply) || reply.error.data?.reason !== 'APP_NOT_ADDED') return;
    gadget.isNotAdded = true;
    gadget.onNotAdded?.();
  }
  function answer(request: AppRequest, open?: OpenCall): Reply | Promise<Reply> {
    if (declared?.includes(request.operation)) used.add(request.operation);
    const reply = members.answer(request, open);
    if ('then' in reply) void reply.then(noteNotAdded);
    return reply;
  }
  const gadget: Gadget = {
    ...members,
    instance,
    get document() {
      return documentOf(opened, this.shown.view);
    },
    sandbox,
    context,
    consent,
    preview: opened.preview,
    canRemoveData,
    isNotAdded: false,
    declared,
    used,
    shown: { view: context.view, params: tools.params ?? {} },
    answer: observed?.answer(answer) ?? answer,
    watch: observed?.watch(watch) ?? watch,
    onRollback(listener) {
      rollbackListeners.add(listener);
      return () => rollbackListeners.delete(listener);
    },
  };
  return {
    gadget,
    rollBack(rollback) {
      for (const listener of rollbackListeners) listener(rollback);
    },
  };
}
