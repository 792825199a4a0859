/**
 * What is known of a model by its name, where the request itself does not tell. A name that is not
 * known has every ability and the limits of the oldest.
 */
export interface ModelFacts {
  /** Whether it is one of the known makes, whatever hosts it. */
  readonly known: boolean
  /** What `max_tokens` is where a client did not say, and the most that a known model takes. */
  readonly maxTokens: number
  /** `adaptive`: by effort, as it sees fit. `budget`: so many tokens. */
  readonly thinking: 'adaptive' | 'either' | 'budget' | 'none'
  readonly thinkingCanStop: boolean
  /** Whether it can be kept from thinking before its first words at least. */
  readonly thinksBetweenTools: boolean
  readonly takesSampling: boolean
  readonly takesSchema: boolean
  readonly takesXhigh: boolean
  /** Whether it can be made to call a tool. */
  readonly takesForcedTools: boolean
  /** Whether an answer can be begun for it. */
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

/** Major and minor version, before the maker's word for the size or after it; dates are none. */
const versionPattern = /claude-(?:([a-z]+)-)?(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/

export function modelFacts(model: string): ModelFacts {
  const [, family = '', major, minor = '0'] = versionPattern.exec(model.toLowerCase()) ?? []
  if (major === undefined) return unknownModel
  const version = Number(major) * 100 + Number(minor)
  const thinksAlways = alwaysThinks(version, family)
  return {
    known: true,
    maxTokens: longestAnswer(version, family),
    thinking: waysOfThinking(version),
    thinkingCanStop: !thinksAlways,
    thinksBetweenTools: version >= 505 && family === 'sonnet',
    takesSampling: version < 407,
    takesSchema: version >= 401,
    takesXhigh: version >= 407,
    takesForcedTools: !thinksAlways || version <= 500,
    takesPrefill: version < 406,
  }
}

function longestAnswer(version: number, family: string): number {
  if (version < 305) return 4096
  if (version < 307) return 8192
  if (version < 405) return family === 'opus' ? 32_000 : 64_000
  return version < 406 ? 64_000 : 128_000
}

function waysOfThinking(version: number): ModelFacts['thinking'] {
  if (version < 307) return 'none'
  if (version < 406) return 'budget'
  return version < 407 ? 'either' : 'adaptive'
}

function alwaysThinks(version: number, family: string): boolean {
  if (family === 'fable' || family === 'mythos') return true
  return version >= 505 && family !== 'haiku'
}
