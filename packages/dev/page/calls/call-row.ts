import { html } from 'lit';
import { formatMs, formatSize, formatTime } from './format.ts';
import type { Row } from './row-log.ts';

/** Height of `.row` in calls.css. */
export const rowHeight = 30;

/** Draws one row of the list of calls at its place. */
export function callRow(
  row: Row,
  options: {
    readonly index: number;
    readonly isActive: boolean;
    /** Names of members, by id. */
    readonly names: ReadonlyMap<string, string>;
    readonly timeZone: string | undefined;
    readonly open: () => void;
  },
): unknown {
  const { index, isActive, names, timeZone, open } = options;
  const who = row.persona === undefined ? row.app : (names.get(row.persona) ?? row.persona);
  const [first, ...rest] = (who ?? '').split(' '); // no family name where there is little room
  const time = formatTime(row.atMs, timeZone);
  return html`
    <div
      class="row ${row.isRefused ? 'refused' : ''} ${row.category}"
      role="row"
      id="call-${row.number}"
      aria-rowindex=${index + 1}
      aria-selected=${isActive}
      .style=${`transform:translateY(${index * rowHeight}px)`}
      @click=${open}
    >
      <span role="gridcell" class="time"><i>${time.slice(0, 3)}</i>${time.slice(3)}</span>
      <span role="gridcell" class="title">${row.title}</span>
      <span role="gridcell" class="who">${first}<i> ${rest.join(' ')}</i></span>
      <span role="gridcell" class="decision">${row.decision}</span>
      <span role="gridcell" class="result">${row.result}${row.pushes > 0 ? html` <i>+${row.pushes}</i>` : ''}</span>
      <span role="gridcell" class="size">${formatSize(row.size)}</span>
      <span role="gridcell" class="took">${formatMs(row.tookMs)}</span>
    </div>
  `;
}
