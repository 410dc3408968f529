/**
 * One line of the path map: files that Stash sees below `from`, Plex sees below `to`.
 *
 * Holds: both were absolute and have no separator at their end, so that a path at the boundary is `from` itself or
 * `from` followed by a separator. The root `/` is therefore the empty text, and `C:\` is `C:`.
 */
export interface PathRule {
  from: string;
  to: string;
}

/** `/data => /media; C:\v => /v`, also one rule a line. Throws what must be corrected, naming the faulty part. */
export function parsePathRules(text: string): PathRule[] {
  const pairs: [from: string, to: string][] = [];
  for (const part of text.split(/[;\r\n]+/).map((one) => one.trim())) {
    if (part === '') continue;
    const [from, to, ...more] = part.split('=>').map((one) => one.trim());
    if (!from || !to || more.length > 0) {
      throw new Error(`must be rules like "/data => /media" with ";" between them, which "${part}" is not`);
    }
    pairs.push([from, to]);
  }
  return pathRules(pairs);
}

/** Throws what must be corrected, naming the faulty part. */
export function pathRules(pairs: readonly (readonly [from: string, to: string])[]): PathRule[] {
  const rules: PathRule[] = [];
  for (const [from, to] of pairs) {
    for (const side of [from, to]) {
      if (!/^([/\\]|[a-z]:)/i.test(side)) {
        throw new Error(`must name whole paths, and "${side}" begins neither with "/" nor with a drive`);
      }
    }
    const rule = { from: withoutTrailingSeparators(from), to: withoutTrailingSeparators(to) };
    if (rules.some((other) => other.from === rule.from)) throw new Error(`must not name "${from}" twice`);
    rules.push(rule);
  }
  return rules;
}

const withoutTrailingSeparators = (path: string): string => path.replace(/[/\\]+$/, '');
