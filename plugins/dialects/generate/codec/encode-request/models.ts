/** The abilities and limits of a model, by its name. An unknown model counts as a new one. */
export interface ModelFacts {
  /** The setting that controls thinking; `none`: the model does not think. */
  readonly thinking: 'level' | 'budget' | 'none'
  readonly minLevel: 'MINIMAL' | 'LOW'
  /** In tokens. */
  readonly minBudget: number
  /** In tokens. */
  readonly maxBudget: number
  /**
   * Whether it requires signed calls, and supports media in results and JSON together with tools: all
   * since the third generation.
   */
  readonly isThirdGeneration: boolean
}

const versionPattern = /gemini-(\d+)(?:\.(\d+))?/

/** Returns the abilities and limits of a model. */
export function modelFacts(model: string): ModelFacts {
  const name = model.toLowerCase()
  const [, major, minor = '0'] = versionPattern.exec(name) ?? []
  const version = major === undefined ? 3 : Number(major) + Number(minor) / 10
  const isPro = name.includes('-pro')
  return {
    thinking: version >= 3 ? 'level' : version >= 2.5 ? 'budget' : 'none',
    minLevel: supportsMinimal(name, version) ? 'MINIMAL' : 'LOW',
    minBudget: isPro ? 128 : 0,
    maxBudget: isPro ? 32_768 : 24_576,
    isThirdGeneration: version >= 3,
  }
}

function supportsMinimal(name: string, version: number): boolean {
  if (/gemini-\d+(?:\.\d+)?-pro/.test(name) || name.endsWith('gemini-flash-latest')) return false
  return version < 3.7 || name.includes('-lite')
}
