import type { AgentSettings } from '../agent-protocol.ts';

/**
 * Puts the agent first into a page, behind the doctype and in its line, so that lines of the page keep their numbers and
 * the page its mode.
 *
 * @param script Text of the agent, a classic script.
 */
export function withAgent(html: string, script: string, settings: AgentSettings): string {
  const text = html.replace(/^\uFEFF/, '');
  const at = beginning.exec(text)?.[0].length ?? 0;
  // Scripts of HTML know neither `\u003c` as a tag nor a replacement pattern: settings and agent are inserted as they are.
  const values = JSON.stringify(settings).replaceAll('<', '\\u003c');
  const tag = `<script>globalThis.gantryAgent=${values};${script.trim().replaceAll('</script', '<\\/script')}</script>`;
  return text.slice(0, at) + tag + text.slice(at);
}

const beginning = /^(?:\s+|<!--[\s\S]*?-->)*<!doctype[^>]*>/i;
