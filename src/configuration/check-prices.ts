import type { Problem } from '../contract/problems.ts'
import { otherTier, servedTier } from '../kit/usage.ts'
import { isObject } from '../lib/json/object.ts'
import { joinPath } from './paths.ts'

/** Reports entries of prices that no call can have, or that others contradict. */
export function priceProblems(path: string, prices: unknown): Problem[] {
  return Object.entries(membersOf(prices)).flatMap(([name, price]) => {
    if (name === '') return [namelessModel(path)]
    const { tiers, over } = membersOf(price)
    return [
      ...tierProblems(joinPath(path, [name, 'tiers']), Object.keys(membersOf(tiers))),
      ...repeatedLengths(joinPath(path, [name, 'over']), over),
    ]
  })
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {}
}

function namelessModel(path: string): Problem {
  return {
    path: `${path}.""`,
    message: 'is a price of a model without a name',
    fix: 'use the name that the account has for the model',
  }
}

/** Replies name tiers in any case, and the standard one has no factor. */
function tierProblems(path: string, names: readonly string[]): Problem[] {
  const firsts = new Map<string, string>()
  return names.flatMap((name) => {
    const problem = (message: string, fix: string): Problem[] => [
      { path: name === '' ? `${path}.""` : joinPath(path, [name]), message, fix },
    ]
    const tier = name === '' ? otherTier : servedTier(name)
    if (tier === undefined)
      return problem('means the standard tier, whose factor is 1', 'leave it out')
    if (tier === otherTier)
      return problem(
        'is no name of a tier: 1 to 64 letters, digits and _.+-, beginning with a letter or digit',
        'use the word of the replies, for example flex',
      )
    const first = firsts.get(tier)
    firsts.set(tier, first ?? name)
    return first === undefined
      ? []
      : problem(`is the same tier as "${first}": case does not matter`, 'keep one of them')
  })
}

function repeatedLengths(path: string, over: unknown): Problem[] {
  if (!Array.isArray(over)) return []
  const lengths = over.map((one) => membersOf(one)['inputTokens'])
  return lengths.flatMap((length, index) => {
    const first = lengths.indexOf(length)
    if (typeof length !== 'number' || first === index) return []
    return [
      {
        path: `${path}[${index}].inputTokens`,
        message: `${length} is also the number of ${path}[${first}]`,
        fix: 'give each its own number of tokens',
      },
    ]
  })
}
