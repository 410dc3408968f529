/**
 * Prometheus' text format, version 0.0.4.
 *
 * Holds: each metric once, its samples together under one HELP and one TYPE line; a value that is not known is left
 * out, never 0; the last line ends with a line feed. The name of a counter ends in `_total`, and that of nothing else.
 */
export type Value = number | boolean | null;
export type Sample = [labels: Record<string, string>, value: Value];

export function prometheusText(metrics: { name: string; help: string; samples: Sample[] }[]): string {
  const lines = metrics.flatMap(({ name, help, samples }) => {
    const known = samples.filter(([, value]) => value !== null && Number.isFinite(Number(value)));
    if (known.length === 0) return [];
    return [
      `# HELP ${name} ${escaped(help)}`,
      `# TYPE ${name} ${name.endsWith('_total') ? 'counter' : 'gauge'}`,
      ...known.map(([labels, value]) => `${name}${labelText(labels)} ${Number(value)}`),
    ];
  });
  return lines.map((line) => `${line}\n`).join('');
}

function labelText(labels: Record<string, string>): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`,
  );
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
