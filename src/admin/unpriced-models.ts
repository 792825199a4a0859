import { callerOfKey } from '../accounts/caller-of-key.ts'
import type { Snapshot } from '../contract/candidate.ts'
import type { Limit, LimitSubject } from '../contract/quota.ts'
import { type Work, runInTurns } from '../lib/turns.ts'
import { ownName } from './prices.ts'
import type { AdminServices } from './services.ts'

/** The most models that a warning names. */
const mostNames = 5

/**
 * Warns of models without a price, a line for each effect of the limit: a budget of money that refuses calls cannot
 * count the calls of such a model. The gateway does not know the models that only a pattern of an account takes.
 */
export async function unpricedWarnings(
  { running }: Pick<AdminServices, 'running'>,
  limit: Limit,
): Promise<string[]> {
  const { kind, action, subject } = limit
  // Limits of accounts refuse no call.
  if (kind !== 'cost' || action !== 'refuse' || subject.type === 'account') return []
  const mayUse = permittedTo(running, subject)
  const counts = (model: string) => limit.appliesTo(model) && mayUse(model)
  const { unpriced, partly } = await runInTurns(collect(running.accounts.snapshot, counts))
  return [
    ...warn('it refuses calls of models without a price', unpriced),
    ...warn('accounts without a price get no calls of', partly),
  ]
}

function warn(what: string, models: readonly string[]): string[] {
  return models.length === 0 ? [] : [`input.kind: ${what}: ${listed(models)}`]
}

function permittedTo(
  { keys, teams }: AdminServices['running'],
  { type, id }: LimitSubject,
): (model: string) => boolean {
  const key = type === 'key' ? keys.get(id) : undefined
  const owner = key ? callerOfKey(key, teams) : type === 'team' ? teams.get(id) : undefined
  return owner?.mayUse ?? (() => true)
}

/** The models that clients name, of which no account or not every account has a price. */
function* collect(
  { accounts, priceOf }: Snapshot,
  counts: (model: string) => boolean,
): Work<{ readonly unpriced: string[]; readonly partly: string[] }> {
  const priced = new Set<string>()
  const lacking = new Set<string>()
  for (const account of priceOf ? accounts : []) {
    if (!account.enabled) continue
    for (const name of account.models.names) {
      if (!counts(name)) continue
      const hasPrice = priceOf?.(account, ownName(account, name)) !== undefined
      ;(hasPrice ? priced : lacking).add(name)
    }
    yield
  }
  return {
    unpriced: [...lacking.difference(priced)],
    partly: [...lacking.intersection(priced)],
  }
}

function listed(models: readonly string[]): string {
  const names = models.slice(0, mostNames).map((name) => JSON.stringify(name))
  const more = models.length - names.length
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
