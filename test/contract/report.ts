import { isDeepStrictEqual } from 'node:util';

/**
 * What was checked, group by group. A group that throws is one failed check; the others go on.
 *
 * Holds: a run without a single check is not a success.
 */
export class Report {
  readonly #print: (line: string) => void;
  #group = '';
  #checks = 0;
  #disagreements = 0;

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  get passed(): boolean {
    return this.#checks > 0 && this.#disagreements === 0;
  }

  async group(name: string, check: () => Promise<void>): Promise<void> {
    const [checks, disagreements] = [this.#checks, this.#disagreements];
    this.#group = name;
    try {
      await check();
    } catch (error) {
      this.#disagree('goes through', error instanceof Error ? error.message : String(error));
    }
    const count = this.#checks - checks;
    const failed = this.#disagreements - disagreements;
    this.#print(
      `${failed === 0 ? 'ok  ' : 'FAIL'}  ${name}: ${count} checks${failed ? `, ${failed} failed` : ''}`,
    );
  }

  same(what: string, actual: unknown, expected: unknown): void {
    this.#checks += 1;
    if (isDeepStrictEqual(actual, expected)) return;
    this.#disagreements += 1;
    this.#print(
      `      ${this.#group}: ${what}\n        is       ${JSON.stringify(actual)}\n        expected ${JSON.stringify(expected)}`,
    );
  }

  summary(): string {
    const failed = this.#disagreements === 0 ? 'all agree' : `${this.#disagreements} disagree`;
    return `${this.#checks} checks, ${failed}.`;
  }

  #disagree(what: string, why: string): void {
    this.#checks += 1;
    this.#disagreements += 1;
    this.#print(`      ${this.#group}: ${what}\n        ${why}`);
  }
}
