import type { Account } from '../contract/account.ts'
import { overlap } from './patterns.ts'
import type { Authenticated } from '../contract/exchange.ts'

/** Whether an account may have a model that the caller may use, as far as patterns allow to tell. */
export function servesCaller(
  { models }: Account,
  { caller, snapshot }: Pick<Authenticated, 'caller' | 'snapshot'>,
): boolean {
  const { names, patterns = names } = models
  const allowed = caller.models
  const isShared = (pattern: string) =>
    caller.mayUse(pattern) || (allowed?.some((one) => overlap(one, pattern)) ?? isPattern(pattern))
  if (patterns.some(isShared)) return true
  for (const alias of snapshot.aliases.keys()) {
    const isAllowed = caller.mayUse(alias)
    if (isAllowed && models.upstreamName(snapshot.platformName(alias)) !== undefined) return true
  }
  return false
}

function isPattern(name: string): boolean {
  return name.includes('*')
}
