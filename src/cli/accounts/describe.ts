import type { AccountSetting } from '../../contract/account.ts'
import type { KeptOut } from '../../admin/processes/everywhere.ts'
import type { AccountState } from '../../stores/account-states.ts'
import { alignColumns } from '../table.ts'

/** The states of accounts that the configuration and the store know. */
export const storedStateNames = ['enabled', 'disabled', 'invalid'] as const

/** Whether an account is enabled, and what disables it. */
interface AccountDescription {
  id: string
  provider: string
  /** `invalid`: its record in the store is damaged. */
  state: (typeof storedStateNames)[number]
  /** The sources that disable the account. */
  by?: Array<'configuration' | 'store'>
  /** Why an operator disabled it. */
  reason?: string
  /** Absent: the configuration. */
  from?: 'store'
  /** When a command last enabled or disabled the account, in ISO 8601. */
  switched?: string
  /** What keeps it out in processes that run now. */
  out?: OutDescription[]
}

/** What keeps an account out in one process. */
interface OutDescription extends Omit<KeptOut, 'account' | 'untilMs'> {
  /** When it ends or is checked again, in ISO 8601. */
  until?: string
}

/** An account of the configuration, or of the store. */
export interface KnownAccount extends Pick<AccountSetting, 'id' | 'provider' | 'enabled'> {
  readonly from?: 'store'
  /** Its record is damaged. */
  readonly isInvalid?: boolean
}

/** Combines an account with its state in the store. */
export function describeAccount(
  { id, provider, enabled, from, isInvalid = false }: KnownAccount,
  stored: AccountState | undefined,
  out: readonly KeptOut[] = [],
): AccountDescription {
  const by = new Set<'configuration' | 'store'>()
  if (!enabled) by.add(from ?? 'configuration')
  if (stored && !stored.enabled) by.add('store')
  return {
    id,
    provider,
    state: isInvalid ? 'invalid' : by.size > 0 ? 'disabled' : 'enabled',
    ...(by.size > 0 && { by: [...by] }),
    ...(stored?.reason !== undefined && { reason: stored.reason }),
    ...(from && { from }),
    ...(stored && { switched: new Date(stored.changedAt).toISOString() }),
    ...(out.length > 0 && { out: out.map(describeOut) }),
  }
}

function describeOut({ account: _account, untilMs, ...rest }: KeptOut): OutDescription {
  return { ...rest, ...(untilMs !== undefined && { until: new Date(untilMs).toISOString() }) }
}

/** What a cause is, and where it counts. */
interface Cause {
  readonly kind: string
  readonly reason: string
  readonly dialect?: string | undefined
  readonly model?: string | undefined
  readonly keyId?: string | undefined
  readonly worker?: number | undefined
}

/** The causes in all processes, each once. */
export function causesOf(out: readonly Cause[]): string {
  const causes = out.map(({ kind, reason, dialect, model, keyId, worker }) => {
    const key = keyId === undefined ? undefined : `key ${keyId}`
    const part = [dialect, model, key].filter((one) => one !== undefined).join(', ')
    const place = worker === undefined ? '' : ` on worker ${worker}`
    return `${kind}${part && ` (${part})`}: ${reason}${place}`
  })
  return [...new Set(causes)].join('; ')
}

/**
 * Formats accounts as the lines of a table. It says where they come from if some are the store's, and why
 * operators disabled them and what keeps them out, if anything does.
 */
export function accountTable(accounts: readonly AccountDescription[]): string[] {
  const hasStored = accounts.some(({ from }) => from)
  const isAnyOut = accounts.some(({ out = [] }) => out.length > 0)
  const from = (text: string) => (hasStored ? [text] : [])
  const out = (text: string) => (isAnyOut ? [text] : [])
  const hasReasons = accounts.some(({ reason }) => reason !== undefined)
  const reason = (text: string) => (hasReasons ? [text] : [])
  const rows = accounts.map((one) => [
    one.id,
    one.provider,
    one.state,
    ...from(one.from ?? 'configuration'),
    one.by?.join(',') ?? '',
    one.switched ?? '',
    ...reason(one.reason ?? ''),
    ...out(causesOf(one.out ?? [])),
  ])
  const place = from('FROM')
  const titles = [
    'ID',
    'PROVIDER',
    'STATE',
    ...place,
    'DISABLED BY',
    'SWITCHED',
    ...reason('REASON'),
    ...out('KEPT OUT'),
  ]
  return alignColumns([titles, ...rows])
}
