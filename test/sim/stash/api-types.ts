/**
 * Turns `api-types.txt`, the list of types that a real Stash's introspection gave, into GraphQL's schema language.
 *
 * The list names types that it does not describe. `known` are those that are described elsewhere; a field or an
 * argument of any other type is left out, so that asking for it fails like any unknown field.
 */
export function toSchemaLanguage(list: string, known: Iterable<string>): string {
  const types = parse(list);
  const names = new Set([...builtIn, ...known, ...types.map(({ name }) => name)]);
  return types.map((type) => print(type, names)).join('\n');
}

interface ListedType {
  name: string;
  keyword: string;
  members: string[];
}

const builtIn = ['ID', 'String', 'Int', 'Float', 'Boolean'];
const keywords: Record<string, string> = { object: 'type', input_object: 'input', enum: 'enum' };

function parse(list: string): ListedType[] {
  const types: ListedType[] = [];
  for (const line of list.split('\n')) {
    const head = /^(\w+)(?: \((\w+)\))?$/.exec(line);
    if (head) {
      const keyword = keywords[head[2] ?? 'object'];
      if (!keyword) throw new Error(`api-types.txt: unknown kind of type in "${line}"`);
      types.push({ name: head[1] ?? '', keyword, members: [] });
    } else if (line.startsWith('  ')) {
      types.at(-1)?.members.push(line.trim());
    } else if (line !== '') {
      throw new Error(`api-types.txt: cannot read "${line}"`);
    }
  }
  return types;
}

function print({ name, keyword, members }: ListedType, names: Set<string>): string {
  const body = keyword === 'enum' ? members : members.flatMap((member) => printField(member, names));
  return `${keyword} ${name} {\n${body.map((line) => `  ${line}\n`).join('')}}`;
}

function printField(field: string, names: Set<string>): string[] {
  const parts = /^(\w+)(?:\((.*)\))?: (\S+)$/.exec(field);
  if (!parts) throw new Error(`api-types.txt: cannot read the field "${field}"`);
  const [, name = '', list = '', type = ''] = parts;
  const isKnown = (type: string) => names.has(type.replace(/[[\]!]/g, ''));
  if (!isKnown(type)) return [];
  const args = list.split(', ').filter((arg) => isKnown(arg.split(': ')[1] ?? ''));
  return [args.length > 0 ? `${name}(${args.join(', ')}): ${type}` : `${name}: ${type}`];
}
