import { compilePatterns } from '../accounts/patterns.ts'
import type { Account } from '../contract/account.ts'
import type { Snapshot } from '../contract/candidate.ts'
import { type AnyDialect, hasClients } from '../contract/dialect.ts'
import { lowerBound } from '../lib/lower-bound.ts'
import type { AdminServices } from './services.ts'
import { computedOnce } from '../lib/computed-once.ts'

/** A name that callers can send, or a pattern of such names. */
export interface ModelView {
  readonly name: string
  readonly kind: 'MODEL' | 'PATTERN' | 'ALIAS'
  /** The platform model, after aliases. */
  readonly model: string
  /** Whether an enabled account has it. */
  readonly served: boolean
}

/** An account that has a model. */
export interface ModelAccount {
  readonly accountId: string
  readonly enabled: boolean
  /** The account's name of the model. Absent for a pattern. */
  readonly upstreamModel?: string
  /** The dialects of clients that reach it without translation. */
  readonly native: readonly string[]
  /** The dialects of clients that reach it through another one. */
  readonly translated: readonly string[]
}

/** Models and accounts in the order of names and ids. */
interface ModelIndex {
  readonly names: readonly string[]
  /** The accounts of each name and pattern, in the order of their ids. */
  readonly accounts: ReadonlyMap<string, readonly Account[]>
  readonly patterns: readonly { pattern: string; matches: (name: string) => boolean }[]
}

/** The models of a page behind the name `after` that begin with `search`. */
export function listModels(
  { running }: AdminServices,
  { after = '', limit, search }: { after: string | undefined; limit: number; search: string },
): ModelView[] {
  const { snapshot } = running.accounts
  const { names, accounts } = indexOf(snapshot)
  const found: ModelView[] = []
  const start = firstFrom(names, search > after ? search : after)
  for (let index = start; index < names.length && found.length < limit; index++) {
    const name = names[index]!
    if (!name.startsWith(search)) break
    if (name !== after) found.push(viewOf(name, snapshot, accounts))
  }
  return found
}

/** The accounts of a model behind the id `after`, in the order of their ids. */
export function listAccountsOf(
  { running }: AdminServices,
  { kind, model }: ModelView,
  { after = '', limit }: { after: string | undefined; limit: number },
): ModelAccount[] {
  const { snapshot } = running.accounts
  const { accounts, patterns } = indexOf(snapshot)
  const sources = [model]
  if (kind !== 'PATTERN') {
    for (const { pattern, matches } of patterns) {
      if (matches(model)) sources.push(pattern)
    }
  }
  const found = new Map<string, Account>()
  for (const source of sources) {
    for (const account of pageOfAccounts(accounts.get(source) ?? [], after, limit)) {
      found.set(account.id, account)
    }
  }
  const dialects = running.plugins.flatMap((plugin) => plugin.dialects ?? [])
  return [...found.values()]
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .slice(0, limit)
    .map((account) => describe(account, kind === 'PATTERN' ? undefined : model, dialects))
}

function viewOf(name: string, snapshot: Snapshot, accounts: ModelIndex['accounts']): ModelView {
  if (snapshot.aliases.has(name)) {
    const model = snapshot.platformName(name)
    return { name, kind: 'ALIAS', model, served: snapshot.serves(model) }
  }
  if (!name.includes('*'))
    return { name, kind: 'MODEL', model: name, served: snapshot.serves(name) }
  const served = accounts.get(name)?.some(({ enabled }) => enabled) ?? false
  return { name, kind: 'PATTERN', model: name, served }
}

function describe(
  account: Account,
  model: string | undefined,
  dialects: readonly AnyDialect[],
): ModelAccount {
  const { id, enabled, speaks, models } = account
  const upstreamModel = model === undefined ? undefined : models.upstreamName(model)
  const spoken = dialects.filter((dialect) => speaks.includes(dialect.id))
  const generates = spoken.some((dialect) => dialect.generate)
  const makesVideos = spoken.some((dialect) => dialect.video)
  const asked = dialects.filter(hasClients)
  const translated = asked.filter(
    (dialect) =>
      !speaks.includes(dialect.id) &&
      ((generates && dialect.generate) || (makesVideos && dialect.video)),
  )
  return {
    accountId: id,
    enabled,
    ...(upstreamModel !== undefined && { upstreamModel }),
    native: speaks.filter((id) => asked.some((dialect) => dialect.id === id)),
    translated: translated.map((dialect) => dialect.id),
  }
}

const indexOf = computedOnce(({ accounts, aliases }: Snapshot): ModelIndex => {
  const byName = new Map<string, Account[]>()
  const byId = new Map(accounts.map((account) => [account.id, account]))
  for (const id of [...byId.keys()].toSorted()) {
    const account = byId.get(id)!
    const { names, patterns = names } = account.models
    for (const name of patterns) {
      const having = byName.get(name)
      if (having) having.push(account)
      else byName.set(name, [account])
    }
  }
  const patterns = []
  for (const pattern of byName.keys()) {
    if (pattern.includes('*')) patterns.push({ pattern, matches: compilePatterns([pattern]) })
  }
  const names = [...new Set([...byName.keys(), ...aliases.keys()])].toSorted()
  return { names, accounts: byName, patterns }
})

/** The accounts behind an id, of a list in the order of ids. */
function pageOfAccounts(
  accounts: readonly Account[],
  after: string,
  limit: number,
): readonly Account[] {
  const start = lowerBound(accounts.length, (index) => accounts[index]!.id > after)
  return accounts.slice(start, start + limit)
}

/** The first of sorted names that is not before `name`. */
function firstFrom(names: readonly string[], name: string): number {
  return lowerBound(names.length, (index) => names[index]! >= name)
}
