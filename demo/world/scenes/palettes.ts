/** The colours of one kind of light. `land` goes from far to near. */
export interface Palette {
  readonly sky: readonly [top: string, middle: string, horizon: string];
  readonly sun: string;
  readonly land: readonly [string, string, string, string];
  readonly sea: readonly [far: string, near: string];
  /** For boats, doors, fruit and flowers. */
  readonly bright: readonly string[];
  readonly paper: string;
  readonly dark: string;
  readonly birds: string;
}

export const palettes: readonly Palette[] = [
  // Dawn
  {
    sky: ['#6f86b5', '#e5b9b0', '#fbe3c4'],
    sun: '#fff4d8',
    land: ['#b59cae', '#8c7c9c', '#5b5c80', '#33395c'],
    sea: ['#d9b9b6', '#58698f'],
    bright: ['#d9614c', '#f0b45a', '#f6ead7', '#3f6f8f'],
    paper: '#fbefe2',
    dark: '#2a2f4c',
    birds: '#2a2f4c',
  },
  // Clear noon
  {
    sky: ['#4e9fd1', '#93c9e4', '#e3f2f2'],
    sun: '#ffffff',
    land: ['#9cc3c4', '#6fa28f', '#4a7d62', '#2c5646'],
    sea: ['#7fc1cf', '#1f6d8c'],
    bright: ['#e4572e', '#f3c546', '#fdfaf3', '#14506b'],
    paper: '#f5f3ea',
    dark: '#163845',
    birds: '#f5f3ea',
  },
  // Gold evening
  {
    sky: ['#e08a4f', '#f4b568', '#fde2a4'],
    sun: '#fffbe8',
    land: ['#d99a67', '#b06f52', '#7a4a48', '#432f3d'],
    sea: ['#f0b978', '#8c5a5c'],
    bright: ['#b53a35', '#f7d58c', '#fff3dc', '#2f5868'],
    paper: '#fbe9cf',
    dark: '#3a2530',
    birds: '#3a2530',
  },
  // Dusk
  {
    sky: ['#232a5c', '#7a5a93', '#f09c8a'],
    sun: '#ffd9b3',
    land: ['#6a5589', '#4a4274', '#302f5b', '#191d3c'],
    sea: ['#b87f96', '#2a2f61'],
    bright: ['#ff8a5c', '#ffd27a', '#f2e6ee', '#5b8fb9'],
    paper: '#e9dbe2',
    dark: '#14183a',
    birds: '#e9dbe2',
  },
  // Sea fog
  {
    sky: ['#b9c6c9', '#d3dbda', '#e9ebe6'],
    sun: '#f9f8f1',
    land: ['#c0cbca', '#a2b1b2', '#7d9093', '#54696e'],
    sea: ['#cdd6d5', '#8fa2a5'],
    bright: ['#c9614a', '#d9b668', '#f7f5ee', '#4b6f7a'],
    paper: '#eeeee8',
    dark: '#3c5055',
    birds: '#3c5055',
  },
  // Night
  {
    sky: ['#0a1230', '#15244d', '#2f4a78'],
    sun: '#f6efd2',
    land: ['#263a63', '#1a2b4f', '#111f3d', '#090f24'],
    sea: ['#2b4673', '#0b1532'],
    bright: ['#f4c66a', '#ef7e5a', '#dfe6f2', '#5f8fc4'],
    paper: '#d8deea',
    dark: '#070c1f',
    birds: '#d8deea',
  },
  // Before the storm
  {
    sky: ['#3c4a55', '#7c8b8e', '#d9d3b4'],
    sun: '#f4ecc8',
    land: ['#87928c', '#66766f', '#465a56', '#26393a'],
    sea: ['#9aa9a2', '#2f4d52'],
    bright: ['#e2703a', '#e9c65b', '#eef0e6', '#1f5f6b'],
    paper: '#e6e4d4',
    dark: '#1b2c30',
    birds: '#e6e4d4',
  },
  // Early spring
  {
    sky: ['#86c0c4', '#c8e0cf', '#f6f1d5'],
    sun: '#fffbe9',
    land: ['#c0d3a8', '#93b97f', '#5f925f', '#2f6149'],
    sea: ['#a9d3c9', '#3b8686'],
    bright: ['#e86f7d', '#f5c84c', '#fffaf0', '#3d6fa0'],
    paper: '#f6f4e4',
    dark: '#204238',
    birds: '#204238',
  },
  // October
  {
    sky: ['#6f8fa8', '#c9bfa6', '#f2dcb0'],
    sun: '#fff2d0',
    land: ['#c9a56e', '#b07a41', '#85502f', '#4a3128'],
    sea: ['#b9b49d', '#4a5f66'],
    bright: ['#c8452d', '#e8a33d', '#f6e8cf', '#40606e'],
    paper: '#f4e6cd',
    dark: '#33231f',
    birds: '#33231f',
  },
];
