/** Dependencies point one way, and nothing goes in circles. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const src = join(import.meta.dirname, '..', '..', 'src');

/** Which rooms of the house each room may look into, besides itself. */
const allowed: Record<string, string[]> = {
  shared: [],
  resilience: ['shared'],
  persist: ['shared'],
  stash: ['shared'],
  plex: ['shared', 'stash/path-rule'],
  queue: ['shared', 'persist', 'stash/connection'],
  hook: [
    'shared/errors',
    'persist/paths',
    'persist/pointer',
    'queue/inbox-message',
    'queue/inbox',
    'queue/wake',
  ],
  sync: ['shared', 'persist', 'plex', 'stash'],
  worker: ['shared', 'persist', 'queue', 'resilience', 'sync', 'plex', 'stash'],
  tasks: ['shared', 'persist', 'queue', 'stash', 'resilience/outages', 'resilience/outage-document'],
  'main.ts': ['hook', 'persist/pointer', 'queue/wake', 'shared/errors', 'tasks/run-task'],
};

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.endsWith('.d.ts'),
);

/** What each file imports, as paths below src without their ending; `types`: only for its types. */
const imports = new Map<string, { to: string; typeOnly: boolean }[]>();
for (const file of files) {
  const text = readFileSync(join(src, file), 'utf8');
  const found = [...text.matchAll(/^(?:import|export)\s+(type\s)?[^'"]*?from '(\.[^']+)'/gms)];
  imports.set(
    file.replace(/\.ts$/, ''),
    found.map(([, type, path = '']) => ({
      to: relative(src, join(src, dirname(file), path)),
      typeOnly: type !== undefined,
    })),
  );
}

describe('the source', () => {
  it.each([...imports.keys()])('%s looks only where its room may', (file) => {
    const [room = ''] = file.split('/');
    const rooms = allowed[file.includes('/') ? room : `${file}.ts`];
    expect(rooms, `the room of ${file}`).toBeDefined();
    for (const { to } of imports.get(file) ?? []) {
      const ok =
        to.startsWith(`${room}/`) || rooms?.some((other) => to === other || to.startsWith(`${other}/`));
      expect(ok, `${file} -> ${to}`).toBe(true);
    }
  });

  it('has no circles', () => {
    const state = new Map<string, 'open' | 'done'>();
    const visit = (file: string, path: string[]): void => {
      if (state.get(file) === 'done') return;
      expect(state.get(file), [...path, file].join(' -> ')).toBeUndefined();
      state.set(file, 'open');
      for (const { to, typeOnly } of imports.get(file) ?? []) if (!typeOnly) visit(to, [...path, file]);
      state.set(file, 'done');
    };
    for (const file of imports.keys()) visit(file, []);
  });

  it('is found by this test', () => {
    expect(imports.size).toBeGreaterThan(40);
    expect(imports.get('hook/hook')?.length).toBeGreaterThan(3);
  });
});
