/** An upstream account, complete: presets applied, secrets resolved. */
export interface Account {
  readonly id: string
  readonly provider: string
  /** Scheme, host and port. */
  readonly origin: string
  /** Path prefix of the base URL, without a trailing slash; `''` for a bare origin. */
  readonly basePath: string
  /** Whether `basePath` carries the API version, as the provider's own SDK expects. */
  readonly base: 'versioned' | 'bare'
  readonly credential: string | undefined
  /** Families, see `Dialect.name`. */
  readonly speaks: readonly string[]
  readonly models: ModelMap
  readonly weight: number
  /** Lower is asked first. */
  readonly priority: number
  readonly enabled: boolean
}

/** What an account calls a platform model, or `undefined` where it does not have it. */
export interface ModelMap {
  upstreamName(model: string): string | undefined
  /** Names without a wildcard: what can be listed. */
  readonly names: readonly string[]
  /** All of them, those with a wildcard too. Absent: there are no others. */
  readonly patterns?: readonly string[]
}

/** An account as the configuration names it: checked, with every default applied and every secret resolved. */
export interface AccountSetting {
  readonly id: string
  readonly provider: string
  readonly baseUrl?: string
  readonly apiKey?: string
  readonly speaks?: readonly string[]
  readonly models: readonly string[] | Readonly<Record<string, string>>
  readonly weight: number
  readonly priority: number
  readonly enabled: boolean
}
