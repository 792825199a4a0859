/**
 * The abilities and limits of a model, by its name. An unknown model counts as having every ability, with
 * the limits of the oldest models.
 */
export interface ModelFacts {
  /** Whether the name is a known one, whichever provider hosts the model. */
  readonly known: boolean
  /** The default of `max_tokens`, and the maximum of a known model. */
  readonly maxTokens: number
  /** `adaptive`: the model decides, guided by an effort. `budget`: a number of tokens. */
  readonly thinking: 'adaptive' | 'either' | 'budget' | 'none'
  readonly thinkingCanStop: boolean
  /** Whether the model can at least skip thinking before its first output. */
  readonly thinksBetweenTools: boolean
  readonly takesSampling: boolean
  readonly takesSchema: boolean
  readonly takesXhigh: boolean
  /** Whether the model can be forced to call a tool. */
  readonly takesForcedTools: boolean
  /** Whether the model continues a prefilled answer. */
  readonly takesPrefill: boolean
}

const unknownModel: ModelFacts = {
  known: false,
  maxTokens: 4096,
  thinking: 'budget',
  thinkingCanStop: true,
  thinksBetweenTools: false,
  takesSampling: true,
  takesSchema: true,
  takesXhigh: false,
  takesForcedTools: true,
  takesPrefill: true,
}

/** Matches the major and minor version, before or after the model line; a date is no version. */
const versionPattern = /claude-(?:([a-z]+)-)?(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/

/** Returns the abilities and limits of a model. */
export function modelFacts(model: string): ModelFacts {
  const [, line = '', major, minor = '0'] = versionPattern.exec(model.toLowerCase()) ?? []
  if (major === undefined) return unknownModel
  const version = Number(major) * 100 + Number(minor)
  const thinksAlways = alwaysThinks(version, line)
  return {
    known: true,
    maxTokens: maxTokensOf(version, line),
    thinking: thinkingOf(version),
    thinkingCanStop: !thinksAlways,
    thinksBetweenTools: version >= 505 && line === 'sonnet',
    takesSampling: version < 407,
    takesSchema: version >= 401,
    takesXhigh: version >= 407,
    takesForcedTools: !thinksAlways || version <= 500,
    takesPrefill: version < 406,
  }
}

function maxTokensOf(version: number, line: string): number {
  if (version < 305) return 4096
  if (version < 307) return 8192
  if (version < 405) return line === 'opus' ? 32_000 : 64_000
  return version < 406 ? 64_000 : 128_000
}

function thinkingOf(version: number): ModelFacts['thinking'] {
  if (version < 307) return 'none'
  if (version < 406) return 'budget'
  return version < 407 ? 'either' : 'adaptive'
}

function alwaysThinks(version: number, line: string): boolean {
  if (line === 'fable' || line === 'mythos') return true
  return version >= 505 && line !== 'haiku'
}
