/** What people entered on the settings page, per plugin. Never filled with defaults. */
export class Settings {
  readonly #byPlugin = new Map<string, Record<string, unknown>>();

  /** All settings of the plugin at once: what is not given is gone. */
  replace(plugin: string, settings: Record<string, unknown>): Record<string, unknown> {
    this.#byPlugin.set(plugin, settings);
    return settings;
  }

  /** Of the named plugins those that have any; of all when none is named. */
  show(include: string[]): Record<string, unknown> {
    const named = (id: string, settings: object) => include.includes(id) && Object.keys(settings).length > 0;
    return Object.fromEntries(
      [...this.#byPlugin].filter(([id, settings]) => include.length === 0 || named(id, settings)),
    );
  }
}
