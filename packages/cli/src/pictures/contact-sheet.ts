import type { Taken } from './take-pictures.ts';

/** Returns the page that shows all pictures of a run, one row for each story. */
export function contactSheet(taken: readonly Taken[]): string {
  const stories = Map.groupBy(taken, ({ picture }) => picture.story);
  const apps = Map.groupBy(stories, ([story]) => story.app);
  const sections = [...apps].map(
    ([app, list]) => `<section>
<h2>${escapeText(app)}</h2>
${list.map(([story, pictures]) => `<article>\n<h3>${escapeText(story.title)} <code>${escapeText(story.id)}</code></h3>\n<div>\n${pictures.map(figure).join('\n')}\n</div>\n</article>`).join('\n')}
</section>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'">
<title>Pictures of all stories</title>
<style>
body { margin: 0; padding: 1rem clamp(.75rem, 3vw, 2rem) 3rem; background: light-dark(#f6f7f8, #10161a); color: light-dark(#16222a, #e4ebee); font: .9375rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
h1 { font-size: 1.25rem } h2 { font-size: 1.0625rem; margin: 2rem 0 .5rem } h3 { font-size: .9375rem; margin: 1rem 0 .5rem }
code, figcaption { color: light-dark(#51616a, #a0b0b8); font-weight: 400; font-size: .8125rem }
article > div { display: flex; flex-wrap: wrap; align-items: start; gap: 1rem }
figure { margin: 0; max-width: 100% } figcaption { padding: .25rem 0 }
img { display: block; max-width: 100%; height: auto; border: 1px solid light-dark(#d8dee2, #2b3740) }
.failed { max-width: 22rem; padding: .5rem .75rem; border-inline-start: 3px solid light-dark(#8c2f16, #f3a587); background: light-dark(#fdf0ec, #2c1c17) }
</style>
<h1>Pictures of all stories</h1>
${sections.join('\n')}
</html>
`;
}

function figure({ picture, failure }: Taken): string {
  const { story, theme, direction, width, file } = picture;
  const what = `${theme}, ${width} px, ${direction === 'ltr' ? 'left to right' : 'right to left'}`;
  if (failure) return `<p class="failed"><strong>${escapeText(what)}:</strong> ${escapeText(failure)}</p>`;
  const address = file.split('/').map(encodeURIComponent).join('/');
  const image = `<img src="${address}" width="${width}" loading="lazy" alt="${escapeText(`${story.title}: ${what}`)}">`;
  return `<figure><a href="${address}">${image}</a><figcaption>${escapeText(what)}</figcaption></figure>`;
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
