import { type Token, Tokenizer, TokenizerMode } from 'parse5';
import { type Contents, type Part, type Script, styleUses, tagUse, textUses } from './use.ts';

const { SCRIPT_DATA, RAWTEXT, RCDATA } = TokenizerMode;
const scriptType = /^$|^module$|^(?:text|application)\/(?:java|ecma)script$/i;

/**
 * Adds what markup uses and its scripts. Tags are read one by one: parse5 leaves out of a tree
 * those at wrong places, at which components may have them.
 *
 * @param isComponent Names have cases, and any tag may close itself.
 */
export function readPage({ text, at: base }: Part, { uses, scripts, declared }: Contents, isComponent = false): void {
  let last: Token.TagToken | undefined;
  const addStyle = (part: Part) => {
    for (const use of styleUses(part)) uses.push(use);
  };
  const close = (end: number) => {
    const start = last?.location?.endOffset ?? 0;
    const part = { text: text.slice(start, end), at: base + start };
    const type = last?.attrs.find(({ name }) => name === 'type')?.value ?? '';
    if (last?.tagName === 'style') addStyle(part);
    if (last?.tagName === 'script' && scriptType.test(type)) scripts.push(part);
    last = undefined;
  };
  const skip = () => {};
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      ...{ onComment: skip, onDoctype: skip, onCharacter: skip, onNullCharacter: skip, onWhitespaceCharacter: skip },
      onStartTag(tag) {
        const start = (tag.location?.startOffset ?? 0) + 1;
        const name = isComponent ? text.slice(start, start + tag.tagName.length) : tag.tagName;
        const element = { name, at: base + start };
        uses.push(tagUse(element));
        for (const attribute of tag.attrs) {
          const { startOffset = 0, endOffset = 0 } = tag.location?.attrs?.[attribute.name] ?? {};
          const value = valueIn(text.slice(startOffset, endOffset), attribute.value, base + startOffset);
          uses.push(tagUse(element, attribute.name, base + startOffset, value));
          if (attribute.name.startsWith('style')) addStyle(value);
          else if (attribute.name === 'src') uses.push(...textUses(value));
          for (const each of namesOf(attribute.name, value.text)) declared.add(each);
          if (value.text.trim() !== '') scripts.push(...attributeScripts(attribute.name, value, isComponent));
        }
        last = tag;
        if (isComponent && tag.selfClosing) return;
        if (name === 'script') tokenizer.state = SCRIPT_DATA;
        if (/^(?:textarea|title)$/.test(name)) tokenizer.state = RCDATA;
        if (/^(?:style|xmp|iframe|noembed|noframes)$/.test(name)) tokenizer.state = RAWTEXT;
      },
      onEndTag: ({ location }) => close(location?.startOffset ?? 0),
      onEof: () => close(text.length),
    },
  );
  tokenizer.write(text, true);
}

/** Returns the value of an attribute. Positions in it are right unless it has entities. */
function valueIn(attribute: string, decoded: string, at: number): Part {
  const [before = attribute, quote = ''] = /^.[^=]*=\s*(["']?)/s.exec(attribute) ?? [];
  const written = attribute.slice(before.length, attribute.length - quote.length);
  return { text: written.includes('&') ? decoded : written, at: at + before.length };
}

/** Returns the names in a pattern, and more. */
export function wordsIn(pattern: string): readonly string[] {
  return pattern.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu) ?? [];
}

const isLoop = /^[vx]-for$/;

/** Returns the position of ` in ` or ` of ` of a loop of Vue or Alpine. */
function loopStart(value: string): number {
  return Math.max(0, value.search(/\s(?:in|of)\s/));
}

function namesOf(attribute: string, value: string): readonly string[] {
  if (isLoop.test(attribute)) return wordsIn(value.slice(0, loopStart(value)));
  return /^(?:#|v-slot)/.test(attribute) ? wordsIn(value) : [];
}

function attributeScripts(name: string, value: Part, isComponent: boolean): readonly Script[] {
  if (/^on[a-z]+$/.test(name)) return [{ ...value, isTemplate: true }];
  if (!/^(?:[@:]|[vx]-(?!slot))/.test(name)) return [];
  const start = isLoop.test(name) ? loopStart(value.text) + ' in '.length : 0;
  const isHandler = /^(?:@|[vx]-on)/.test(name);
  const isGuess = !isComponent || name.startsWith('x-');
  return [{ text: value.text.slice(start), at: value.at + start, isTemplate: true, isHandler, isGuess }];
}
