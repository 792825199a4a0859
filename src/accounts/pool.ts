import type { DialectInfo } from '../contract/dialect-info.ts'
import type { Account } from '../contract/account.ts'
import type { Candidate } from '../contract/candidate.ts'

/** What kind of call a pool is for. */
export interface PoolKind {
  /** What the client speaks. */
  readonly dialect: DialectInfo
  /** What accounts that do not speak it can be spoken to instead; none where nothing is translated. */
  readonly others: readonly DialectInfo[]
}

/** Which accounts could serve a model (`''`: any), native ones first, then by priority. */
export function compilePool(
  accounts: readonly Account[],
  model: string,
  kind: PoolKind,
): Candidate[] {
  return accounts
    .flatMap((account) => candidateOf(account, model, kind))
    .sort((left, right) => inOrder(left, right))
}

/** Negative where the first is asked first. */
export function inOrder(left: Candidate, right: Candidate): number {
  return (
    Number(right.native) - Number(left.native) || left.account.priority - right.account.priority
  )
}

function candidateOf(account: Account, model: string, { dialect, others }: PoolKind): Candidate[] {
  const upstreamModel = model === '' ? '' : account.models.upstreamName(model)
  if (upstreamModel === undefined) return []
  if (account.speaks.includes(dialect.id)) {
    return [{ account, dialect, native: true, upstreamModel }]
  }
  const spoken = firstSpoken(account, others)
  return spoken ? [{ account, dialect: spoken, native: false, upstreamModel }] : []
}

/** In the order in which the account lists what it speaks. */
function firstSpoken(
  { speaks }: Account,
  dialects: readonly DialectInfo[],
): DialectInfo | undefined {
  for (const name of speaks) {
    const dialect = dialects.find((one) => one.id === name)
    if (dialect) return dialect
  }
  return undefined
}
