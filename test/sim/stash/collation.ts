/** Stash's NATURAL_CI: case does not matter, numbers inside a text count as numbers, the rest goes by code point. */
export function naturalOrder(a: string, b: string): number {
  const left = pieces(a);
  const right = pieces(b);
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const difference = comparePieces(left[i] ?? '', right[i] ?? '');
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

const pieces = (text: string): string[] => text.toLowerCase().match(/\d+|\D+/g) ?? [];

function comparePieces(a: string, b: string): number {
  if (/^\d/.test(a) && /^\d/.test(b)) return Number(a) - Number(b);
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
