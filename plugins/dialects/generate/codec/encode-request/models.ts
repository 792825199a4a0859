/** What is known of a model by its name. A name that is not known is taken for a new one. */
export interface ModelFacts {
  /** How it is told to think: by level, by tokens, or not at all. */
  readonly thinking: 'level' | 'budget' | 'none'
  readonly leastLevel: 'MINIMAL' | 'LOW'
  readonly leastBudget: number
  readonly mostBudget: number
  /**
   * Whether it wants signed calls, takes media inside of results, and answers in JSON while it has
   * tools: all came with the third generation.
   */
  readonly isThird: boolean
}

const versionPattern = /gemini-(\d+)(?:\.(\d+))?/

export function modelFacts(model: string): ModelFacts {
  const name = model.toLowerCase()
  const [, major, minor = '0'] = versionPattern.exec(name) ?? []
  const version = major === undefined ? 3 : Number(major) + Number(minor) / 10
  const isPro = name.includes('-pro')
  return {
    thinking: version >= 3 ? 'level' : version >= 2.5 ? 'budget' : 'none',
    leastLevel: isMinimal(name, version) ? 'MINIMAL' : 'LOW',
    leastBudget: isPro ? 128 : 0,
    mostBudget: isPro ? 32_768 : 24_576,
    isThird: version >= 3,
  }
}

function isMinimal(name: string, version: number): boolean {
  if (/gemini-\d+(?:\.\d+)?-pro/.test(name) || name.endsWith('gemini-flash-latest')) return false
  return version < 3.7 || name.includes('-lite')
}
