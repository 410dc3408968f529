declare const SLUICE_VERSION: string | undefined;

/** Set by the build; source that is run without it has no version. */
export const version = typeof SLUICE_VERSION === 'string' ? SLUICE_VERSION : '0.0.0';
