/** When a circuit opens, and for how long. Times in milliseconds. */
export interface CircuitSettings {
  /** Consecutive failures that open the circuit. Default: 5. */
  readonly failures: number
  /** Share of failed attempts that opens the circuit, above 0 and at most 1. Default: 0.5. */
  readonly share: number
  /** Attempts within the window below which `share` is ignored. Default: 20. */
  readonly attempts: number
  /** The period of the attempts that `share` refers to. Default: 30 s. */
  readonly windowMs: number
  /** The first open period; it doubles with each failed probe. Default: 10 s. */
  readonly openMs: number
  /** The longest open period, without its random variation. Default: 2 min. */
  readonly longestOpenMs: number
}

/** The default settings. */
export const defaultCircuit: CircuitSettings = {
  failures: 5,
  share: 0.5,
  attempts: 20,
  windowMs: 30_000,
  openMs: 10_000,
  longestOpenMs: 120_000,
}

/** Applies the defaults. Throws `TypeError` if a setting is invalid. */
export function checkSettings(configured: Partial<CircuitSettings>): CircuitSettings {
  const settings = { ...defaultCircuit, ...configured }
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
