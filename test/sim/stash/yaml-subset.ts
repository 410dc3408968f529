/**
 * The part of YAML that plugin manifests are written in: maps, lists, flow lists and maps, quoted and plain
 * scalars, folded and literal blocks, comments. Every scalar stays text. What it cannot read is an error with
 * its line, never a guess.
 */
export type Yaml = string | null | Yaml[] | { [key: string]: Yaml };

interface Line {
  number: number;
  indent: number;
  text: string;
}

export function parseYaml(source: string): Yaml {
  const lines = source.split(/\r?\n/).map((raw, index) => {
    const text = raw.trimStart();
    return { number: index + 1, indent: raw.length - text.length, text: text.trimEnd() };
  });
  const reader = new Reader(lines);
  const value = reader.block(0);
  const rest = reader.peek();
  if (rest) throw problem(rest, 'unexpected indentation');
  return value;
}

class Reader {
  #at = 0;
  constructor(private readonly lines: Line[]) {}

  /** The next line that says something. */
  peek(): Line | undefined {
    for (let line = this.lines[this.#at]; line; line = this.lines[++this.#at])
      if (line.text !== '' && !line.text.startsWith('#') && line.text !== '---') return line;
    return undefined;
  }

  block(indent: number): Yaml {
    const line = this.peek();
    if (!line || line.indent < indent) return null;
    return isItem(line) ? this.#list(line.indent) : this.#map(line.indent);
  }

  #list(indent: number): Yaml[] {
    const items: Yaml[] = [];
    for (let line = this.peek(); line && line.indent === indent && isItem(line); line = this.peek()) {
      const text = line.text.slice(1).trimStart();
      const inner = { ...line, indent: indent + line.text.length - text.length, text };
      if (text === '' || text.startsWith('#')) {
        this.#at += 1;
        items.push(this.block(indent + 1));
      } else if (keyOf(inner) || isItem(inner)) {
        this.lines[this.#at] = inner;
        items.push(this.block(inner.indent));
      } else {
        this.#at += 1;
        items.push(this.#value(inner, text, indent));
      }
    }
    return items;
  }

  #map(indent: number): { [key: string]: Yaml } {
    const map: { [key: string]: Yaml } = {};
    for (let line = this.peek(); line && line.indent === indent; line = this.peek()) {
      const key = keyOf(line);
      if (!key) throw problem(line, 'expected "key: value"');
      if (key.name in map) throw problem(line, `key "${key.name}" already set in map`);
      this.#at += 1;
      map[key.name] = this.#value(line, key.rest, indent);
    }
    return map;
  }

  #value(line: Line, text: string, indent: number): Yaml {
    const bare = withoutComment(text);
    if (bare === '') {
      const next = this.peek();
      const listBelow = next && next.indent === indent && isItem(next) && !isItem(line);
      return this.block(listBelow ? indent : indent + 1);
    }
    if (/^[|>][+-]?$/.test(bare)) return this.#textBlock(indent, bare);
    if (/^["'[{]/.test(bare)) return flow(line, bare);
    if (/^[&*!%@`]/.test(bare)) throw problem(line, `not simulated: "${bare[0]}"`);
    return [bare, ...this.#continuation(indent)].join(' ');
  }

  /** Plain text may go on in deeper lines. */
  #continuation(indent: number): string[] {
    const more: string[] = [];
    for (let line = this.peek(); line && line.indent > indent; line = this.peek()) {
      if (keyOf(line)) throw problem(line, 'mapping values are not allowed in this context');
      more.push(withoutComment(line.text));
      this.#at += 1;
    }
    return more;
  }

  #textBlock(indent: number, style: string): string {
    const block: Line[] = [];
    for (
      let line = this.lines[this.#at];
      line && (line.text === '' || line.indent > indent);
      line = this.lines[this.#at]
    ) {
      block.push(line);
      this.#at += 1;
    }
    while (block.at(-1)?.text === '') block.pop();
    const margin = Math.min(...block.filter(({ text }) => text !== '').map((line) => line.indent));
    const texts = block.map(({ indent, text }) => ' '.repeat(Math.max(indent - margin, 0)) + text);
    const joined = style.startsWith('|')
      ? texts.join('\n')
      : texts.reduce(
          (all, text) =>
            text === '' || all.endsWith('\n') || all === '' ? `${all}${text || '\n'}` : `${all} ${text}`,
          '',
        );
    return style.endsWith('-') ? joined : `${joined}\n`;
  }
}

const isItem = ({ text }: Line): boolean => text === '-' || text.startsWith('- ');

function keyOf({ text }: Line): { name: string; rest: string } | null {
  const match = /^(?:"([^"]*)"|'([^']*)'|([^\s"'[{#][^:#]*?)):(?:\s+(.*))?$/.exec(text);
  if (!match) return null;
  return { name: match[1] ?? match[2] ?? match[3] ?? '', rest: match[4] ?? '' };
}

/** A comment begins with # at the start or after a space, outside of quotes. */
function withoutComment(text: string): string {
  const match = /^((?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^#]|(?<=\S)#)*?)(?:(?:^|\s+)#.*)?$/.exec(text);
  return (match?.[1] ?? text).trimEnd();
}

/** A quoted scalar, or a list or map in brackets; the whole of it on one line. */
function flow(line: Line, text: string): Yaml {
  let at = 0;
  const fail = (): never => {
    throw problem(line, `cannot read "${text}"`);
  };
  const skip = () => {
    while (/[\s,]/.test(text[at] ?? '')) at += 1;
  };
  const scalar = (): string => {
    const rest = text.slice(at);
    const quoted = /^"((?:[^"\\]|\\.)*)"|^'((?:[^']|'')*)'/.exec(rest);
    const token = quoted?.[0] ?? /^[^,[\]{}:]+/.exec(rest)?.[0] ?? fail();
    at += token.length;
    if (quoted?.[1] !== undefined) return JSON.parse(`"${quoted[1]}"`) as string;
    return quoted?.[2] !== undefined ? quoted[2].replaceAll("''", "'") : token.trim();
  };
  const value = (): Yaml => {
    skip();
    if (text[at] === '[') {
      at += 1;
      const list: Yaml[] = [];
      for (skip(); text[at] !== ']'; skip()) list.push(at < text.length ? value() : fail());
      at += 1;
      return list;
    }
    if (text[at] === '{') {
      at += 1;
      const map: { [key: string]: Yaml } = {};
      for (skip(); text[at] !== '}'; skip()) {
        const key = at < text.length ? scalar() : fail();
        skip();
        if (text[at] !== ':') fail();
        at += 1;
        map[key] = value();
      }
      at += 1;
      return map;
    }
    return scalar();
  };
  const result = value();
  if (text.slice(at).trim() !== '') fail();
  return result;
}

const problem = (line: Line, what: string): Error => new Error(`yaml: line ${line.number}: ${what}`);
