/** When a circuit opens, and for how long. Times are milliseconds. */
export interface CircuitSettings {
  /** So many failures in a row open it. Default: 5. */
  readonly failures: number
  /** This share of failures opens it, from 0 (exclusive) to 1. Default: 0.5. */
  readonly share: number
  /** A share of fewer attempts than these says nothing. Default: 20. */
  readonly attempts: number
  /** What the share is taken of: the attempts of the last so many milliseconds. Default: 30 s. */
  readonly windowMs: number
  /** How long it stays open at first; twice as long after each probe that fails. Default: 10 s. */
  readonly openMs: number
  /** Never longer than this, jitter apart. Default: 2 min. */
  readonly longestOpenMs: number
}

export const defaultCircuit: CircuitSettings = {
  failures: 5,
  share: 0.5,
  attempts: 20,
  windowMs: 30_000,
  openMs: 10_000,
  longestOpenMs: 120_000,
}

/** The settings with their defaults. Throws a `TypeError` that names what is wrong. */
export function checkSettings(given: Partial<CircuitSettings>): CircuitSettings {
  const settings = { ...defaultCircuit, ...given }
  for (const name of ['failures', 'attempts'] as const) {
    const isCount = Number.isInteger(settings[name]) && settings[name] > 0
    assert(isCount, name, settings, 'a whole number above 0')
  }
  for (const name of ['windowMs', 'openMs', 'longestOpenMs'] as const) {
    const isTime = Number.isFinite(settings[name]) && settings[name] > 0
    assert(isTime, name, settings, 'milliseconds above 0')
  }
  assert(settings.share > 0 && settings.share <= 1, 'share', settings, 'above 0 and at most 1')
  assert(
    settings.longestOpenMs >= settings.openMs,
    'longestOpenMs',
    settings,
    `at least openMs (${settings.openMs})`,
  )
  return settings
}

function assert(
  holds: boolean,
  name: keyof CircuitSettings,
  settings: CircuitSettings,
  expected: string,
): void {
  if (holds) return
  throw new TypeError(
    `circuit-breaker: \`${name}\` must be ${expected}, not ${String(settings[name])}.`,
  )
}
