import { readFileSync } from 'node:fs';

/** Returns the code blocks of a language in a Markdown file, in order. */
export function snippetsIn(file: string, language: string): string[] {
  const blocks = readFileSync(file, 'utf8').matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm);
  return [...blocks].filter(([, name]) => name === language).map(([, , code = '']) => code);
}

/** Returns the one code block that holds `text`, as it stands. */
export function snippetWith(file: string, language: string, text: string): string {
  const [code, ...others] = snippetsIn(file, language).filter((block) => block.includes(text));
  if (code === undefined || others.length > 0) throw new Error(`${file} has not exactly one block with ${text}.`);
  return code;
}
