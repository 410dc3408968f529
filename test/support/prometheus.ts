/**
 * A strict reader of Prometheus' text format: it throws where Prometheus or node_exporter would, and also where they
 * only would not like it. Each metric has its HELP and its TYPE once, right before its samples.
 */
export interface ReadMetric {
  type: string;
  help: string;
  samples: { labels: Record<string, string>; value: number }[];
}

const metricName = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
const labelName = /^(?!__)[a-zA-Z_][a-zA-Z0-9_]*$/;
/** One label at the beginning of a text; in its value every backslash belongs to one of three pairs. */
const firstLabel = /^([^=,{}"]+)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"(,|$)/;
const number = /^-?\d+(\.\d+)?(e[+-]\d+)?$/;

export function readPrometheus(text: string): Map<string, ReadMetric> {
  const metrics = new Map<string, ReadMetric>();
  if (!text.endsWith('\n')) throw new Error('the last line does not end');
  let current: { name: string; help: string; type: string | null } | null = null;
  for (const line of text.slice(0, -1).split('\n')) {
    const complain = (what: string): never => {
      throw new Error(`${what}: ${line}`);
    };
    const [, keyword, about = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (keyword === 'HELP') {
      if (metrics.has(about)) complain('a metric twice');
      if (!metricName.test(about)) complain('a bad name');
      if (/\\(?![\\n])/.test(rest.replaceAll('\\\\', ''))) complain('a bad escape');
      if (current && !metrics.has(current.name)) complain('a metric without samples before');
      current = { name: about, help: rest, type: null };
    } else if (keyword === 'TYPE') {
      if (current?.name !== about || current.type !== null) return complain('TYPE without its HELP');
      if (rest !== 'gauge' && rest !== 'counter') complain('a bad type');
      if ((rest === 'counter') !== about.endsWith('_total'))
        complain('a counter ends in _total, nothing else does');
      current.type = rest;
    } else {
      const [, name = '', labelText, value = ''] = /^([^\s{]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      if (!current || name !== current.name || current.type === null)
        return complain('a sample out of its place');
      if (!number.test(value)) complain('a bad number');
      const metric = metrics.get(name) ?? { type: current.type, help: current.help, samples: [] };
      const labels = labelText === undefined ? {} : readLabels(labelText, complain);
      if (metric.samples.some((other) => sorted(other.labels) === sorted(labels))) complain('a sample twice');
      metric.samples.push({ labels, value: Number(value) });
      metrics.set(name, metric);
    }
  }
  return metrics;
}

function readLabels(text: string, complain: (what: string) => never): Record<string, string> {
  const labels: Record<string, string> = {};
  for (let rest = text; rest !== ''; ) {
    const [whole, name = '', value = ''] = firstLabel.exec(rest) ?? complain('bad labels');
    if (!labelName.test(name) || name in labels) complain('a bad label');
    labels[name] = value.replace(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char));
    rest = rest.slice(whole.length);
  }
  return labels;
}

const sorted = (labels: Record<string, string>): string => JSON.stringify(Object.entries(labels).sort());
