/** For what Stash can do and the simulator cannot: it says so rather than answer wrongly. */
export function notSimulated(what: string): never {
  throw new Error(`The Stash simulator does not know ${what}`);
}

/** What Stash answers when it panics inside. */
export function internalError(what: string): never {
  throw new Error(`Internal system error. Error <${what}>`);
}
