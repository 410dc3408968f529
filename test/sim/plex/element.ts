/**
 * One document, two notations: Plex answers the same tree as XML (by default) or as JSON (on Accept).
 * Booleans are "1" and "0" in XML, real booleans in JSON; attributes that are null or undefined are left out of both.
 */
export type Attribute = string | number | boolean | null | undefined;

export interface Element {
  name: string;
  /** XML calls items Video, Directory or Photo where JSON calls all of them Metadata. */
  jsonName: string;
  attributes: Record<string, Attribute>;
  children: Element[];
}

export function element(
  name: string,
  attributes: Record<string, Attribute>,
  children: Element[] = [],
  jsonName = name,
): Element {
  return { name, jsonName, attributes, children };
}

export function toXml(root: Element): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xmlOf(root)}\n`;
}

export function toJson(root: Element): string {
  return JSON.stringify({ [root.jsonName]: plain(root) });
}

function xmlOf({ name, attributes, children }: Element): string {
  let open = `<${name}`;
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) open += ` ${key}="${escapeXml(xmlValue(value))}"`;
  }
  if (children.length === 0) return `${open} />`;
  return `${open}>\n${children.map(xmlOf).join('\n')}\n</${name}>`;
}

function xmlValue(value: string | number | boolean): string {
  return typeof value === 'boolean' ? (value ? '1' : '0') : String(value);
}

/** Line breaks become references: a parser would turn bare ones in an attribute into spaces. */
function escapeXml(text: string): string {
  if (!/[&<>"\p{Cc}]/u.test(text)) return text;
  return text.replace(/[&<>"\n\r\t]/g, (c) => escapes[c] ?? c).replace(/\p{Cc}/gu, '');
}

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

/** Children that occur once are an object in JSON, all others an array, also when there is only one. */
const single = new Set(['Meta', 'Context']);

type Plain = { [key: string]: string | number | boolean | Plain | Plain[] };

function plain({ attributes, children }: Element): Plain {
  const result: Plain = {};
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) result[key] = value;
  }
  const lists = new Map<string, Plain[]>();
  for (const child of children) {
    if (single.has(child.jsonName)) {
      result[child.jsonName] = plain(child);
      continue;
    }
    const list = lists.get(child.jsonName);
    if (list) list.push(plain(child));
    else lists.set(child.jsonName, [plain(child)]);
  }
  for (const [name, list] of lists) result[name] = list;
  return result;
}
