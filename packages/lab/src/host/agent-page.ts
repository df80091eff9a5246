import type { AgentSettings } from '../agent-protocol.ts';

/**
 * Inserts the agent behind the doctype and on its line, so that the page keeps its line numbers and
 * its rendering mode.
 *
 * @param script Text of the agent, a classic script.
 */
export function withAgent(html: string, script: string, settings: AgentSettings): string {
  const text = html.replace(/^\uFEFF/, '');
  const at = beginning.exec(text)?.[0].length ?? 0;
  // In an inline script, `<` could end the script. The replacement is no pattern of `replace`.
  const values = JSON.stringify(settings).replaceAll('<', '\\u003c');
  const tag = `<script>globalThis.gantryAgent=${values};${script.trim().replaceAll('</script', '<\\/script')}</script>`;
  return text.slice(0, at) + tag + text.slice(at);
}

const beginning = /^(?:\s+|<!--[\s\S]*?-->)*<!doctype[^>]*>/i;
