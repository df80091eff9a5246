import { parseSync } from 'vite';

/** Assertions that an example's comments call. */
export interface Claims {
  /** Compares a statement's value with the one in its comment. */
  equals(actual: unknown, written: unknown): void;
  /** Expects `run` to throw or reject with this code, or a message that contains the text. */
  throws(run: () => unknown, code: string): Promise<void>;
}

const written = /^(?:['"`[{]|-?\d|(?:true|false|null|undefined)\b)/;

/**
 * Makes an example the body of an async function of `claims`, `load` (which imports) and `face`
 * (the exports of its entry).
 *
 * A statement with a comment behind it, `// 'text'` or `// throws NOT_FOUND`, is a claim.
 *
 * @param face Names of the entry's exports.
 */
export function bodyOf(example: string, face: readonly string[]): string {
  const { program, comments, errors } = parseSync('example.ts', example);
  if (errors[0]) throw new SyntaxError(`${errors[0].message}\n${example}`);
  const lines: string[] = [];
  const locals = new Set<string>();
  for (const statement of program.body) {
    const text = example.slice(statement.start, statement.end);
    if (statement.type === 'ImportDeclaration') {
      const { specifiers, source, importKind } = statement;
      if (importKind === 'type') continue;
      const names = specifiers.map((one) => {
        locals.add(one.local.name);
        if (one.type === 'ImportNamespaceSpecifier') return `...${one.local.name}`;
        const name = one.type === 'ImportDefaultSpecifier' ? 'default' : nameOf(one.imported);
        return name === one.local.name ? name : `${name}: ${one.local.name}`;
      });
      lines.push(`const { ${names.join(', ')} } = await load('${source.value}');`);
      continue;
    }
    const claim = comments.find(
      ({ type, start }) =>
        type === 'Line' && start >= statement.end && /^[ \t]*$/.test(example.slice(statement.end, start)),
    );
    const said = claim?.value.trim() ?? '';
    const code = /^throws (.+)$/.exec(said)?.[1];
    if (code !== undefined) lines.push(`await claims.throws(async () => { ${text} }, ${JSON.stringify(code)});`);
    else if (!written.test(said)) lines.push(text);
    else if (statement.type === 'ExpressionStatement') {
      const { start, end } = statement.expression;
      lines.push(`claims.equals(await (${example.slice(start, end)}), ${said});`);
    } else if (statement.type === 'VariableDeclaration' && statement.declarations[0]?.id.type === 'Identifier') {
      lines.push(text, `claims.equals(${statement.declarations[0].id.name}, ${said});`);
    } else throw new SyntaxError(`No value to compare with ${said}:\n${text}`);
  }
  const used = face.filter((name) => !locals.has(name) && new RegExp(`\\b${name}\\b`).test(example));
  return [`const { ${used.join(', ')} } = face;`, ...lines].join('\n');
}

function nameOf(node: { readonly type: string; readonly name?: string; readonly value?: unknown }): string {
  return node.type === 'Identifier' ? String(node.name) : JSON.stringify(node.value);
}
