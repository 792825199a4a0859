import { hasAccounts } from '../contract/dialect.ts'
import type { AccountDialect, DialectInfo } from '../contract/dialect-info.ts'
import type { Account } from '../contract/account.ts'
import type { Candidate } from '../contract/candidate.ts'

/** The kind of calls that a pool is for. */
export interface PoolKind {
  /** The client's dialect. */
  readonly dialect: DialectInfo
  /** The dialects that the gateway can translate the call to. */
  readonly others: readonly AccountDialect[]
}

/** Returns the candidates for a model (`''`: any model), native ones first, then by priority. */
export function compilePool(
  accounts: readonly Account[],
  model: string,
  kind: PoolKind,
): Candidate[] {
  const pool: Candidate[] = []
  for (const account of accounts) {
    const candidate = candidateOf(account, model, kind)
    if (candidate) pool.push(candidate)
  }
  return pool.sort(inOrder)
}

/** Compares two candidates: negative if `left` comes first. */
export function inOrder(left: Candidate, right: Candidate): number {
  return (
    Number(right.native) - Number(left.native) || left.account.priority - right.account.priority
  )
}

/** An account as a candidate; `undefined` if it cannot serve calls of this kind. */
export function candidateOf(
  account: Account,
  model: string,
  { dialect, others }: PoolKind,
): Candidate | undefined {
  const upstreamModel = model === '' ? '' : account.models.upstreamName(model)
  if (upstreamModel === undefined) return undefined
  if (hasAccounts(dialect) && speaks(account, dialect, upstreamModel))
    return { account, dialect, native: true, upstreamModel }
  const spoken = firstSpoken(account, others, upstreamModel)
  return spoken && { account, dialect: spoken, native: false, upstreamModel }
}

/** Whether an account serves one of its models (`''`: any) in a dialect. */
function speaks(
  { speaks: spoken, servesIn }: Account,
  { id }: AccountDialect,
  upstreamModel: string,
): boolean {
  if (!spoken.includes(id)) return false
  return servesIn === undefined || upstreamModel === '' || servesIn(id, upstreamModel)
}

/** The first dialect in the account's `speaks` that is among the given ones and has the model. */
function firstSpoken(
  account: Account,
  dialects: readonly AccountDialect[],
  upstreamModel: string,
): AccountDialect | undefined {
  for (const name of account.speaks) {
    const dialect = dialects.find((one) => one.id === name)
    if (dialect && speaks(account, dialect, upstreamModel)) return dialect
  }
  return undefined
}
