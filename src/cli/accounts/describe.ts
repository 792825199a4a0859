import { wordOf } from '../operand.ts'
import type { AccountNode, ExclusionNode } from '../remote/nodes.ts'

/** An account. Times are in ISO 8601. */
interface AccountDescription {
  id: string
  provider: string
  /** As `Account.state` of the admin API, in lower case. */
  state: string
  /** Which of its calls it serves: all, some or nothing. */
  serves: string
  /** Absent: the configuration. */
  from?: 'store'
  /** Why it does not serve all. */
  reason?: string
  /** When that ends or is tried again. */
  until?: string
  /** The calls under way at it, in all processes. */
  inFlight?: number
  /** Why its record is not used. */
  problems?: string[]
  /** The exclusions of the account in each process. */
  out?: OutDescription[]
}

/** The exclusion of an account in one process. */
interface OutDescription {
  process: string
  by: string
  kind: string
  reason: string
  dialect?: string
  model?: string
  keyId?: string
  status?: number
  isProbing?: true
  until?: string
}

/** Describes an account. */
export function describeAccount(node: AccountNode): AccountDescription {
  const { id, provider, state, serves, stateReason, stateUntil, inFlight, managedBy } = node
  const problems = node.problems.map(({ path, message }) => `${path} ${message}`)
  const out = node.processes.flatMap(({ processId, exclusions }) =>
    exclusions.map((exclusion) => describeOut(processId, exclusion)),
  )
  return {
    id,
    provider,
    state: wordOf(state),
    serves: wordOf(serves),
    ...(managedBy === 'STORE' && { from: 'store' as const }),
    ...(stateReason !== null && { reason: stateReason }),
    ...(stateUntil !== null && { until: stateUntil }),
    ...(inFlight !== null && { inFlight }),
    ...(problems.length > 0 && { problems }),
    ...(out.length > 0 && { out }),
  }
}

/** Describes what keeps an account out in a process. */
export function describeOut(process: string, one: ExclusionNode): OutDescription {
  const { by, kind, reason, dialect, model, keyId, status, isProbing, until } = one
  return {
    process,
    by,
    kind: wordOf(kind),
    reason,
    ...(dialect !== null && { dialect }),
    ...(model !== null && { model }),
    ...(keyId !== null && { keyId }),
    ...(status !== null && { status }),
    ...(isProbing && { isProbing }),
    ...(until !== null && { until }),
  }
}

/** Why an account is not used, in a line. The answers of its processes are more exact than its state. */
export function whyOf({ state, reason, problems = [], out = [] }: AccountDescription): string {
  const isOff = state === 'disabled' || state === 'invalid'
  const causes = causesOf(out)
  const own = isOff || causes === '' ? [reason ?? ''] : []
  return [...new Set([...own, ...problems, causes])].filter((text) => text !== '').join('; ')
}

/** A cause, and the part of the account to which it applies. */
interface Cause {
  readonly kind: string
  readonly reason: string
  readonly dialect?: string | undefined
  readonly model?: string | undefined
  readonly keyId?: string | undefined
}

/** The causes in all processes, each once. */
export function causesOf(out: readonly Cause[]): string {
  const causes = out.map(({ kind, reason, dialect, model, keyId }) => {
    const key = keyId === undefined ? undefined : `key ${keyId}`
    const part = [dialect, model, key].filter((one) => one !== undefined).join(', ')
    return `${kind}${part && ` (${part})`}: ${reason}`
  })
  return [...new Set(causes)].join('; ')
}
