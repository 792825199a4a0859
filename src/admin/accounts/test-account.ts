import type { Account } from '../../contract/account.ts'
import type { AccountCheck } from '../../contract/refusal.ts'
import type { CheckFacts } from '../../upstream/check-account.ts'
import type { AdminServices } from '../services.ts'

/** The result of a test call. */
export interface AccountTest {
  readonly outcome: AccountCheck
  /** The dialect of the call. Absent: no dialect of the account has a free call. */
  readonly dialect?: string
  /** Why the account was not accepted, without a secret. Absent: it was. */
  readonly message?: string
  readonly durationMs: number
  /** Whether the account has answered at all. */
  readonly hasAnswered: boolean
  /** The account's clock, in milliseconds since 1970. Absent: it did not tell. */
  readonly time?: number
}

type Gateways = Pick<AdminServices, 'running'>

/** One test of an account at a time: operators who ask together share its result. */
const running = new WeakMap<Account, Promise<AccountTest>>()

/** Makes one free call to the saved address of an account, with its credential. Never rejects. */
export function testAccount(services: Gateways, account: Account): Promise<AccountTest> {
  const known = running.get(account)
  if (known) return known
  const test = callFree(services, account).finally(() => running.delete(account))
  running.set(account, test)
  return test
}

async function callFree({ running: { plugins, gateway } }: Gateways, account: Account) {
  const dialect = plugins
    .flatMap((plugin) => plugin.dialects ?? [])
    .find(({ id, upstream }) => upstream?.freeCall && account.speaks.includes(id))
  const startedAt = performance.now()
  if (!dialect) {
    const message = 'No dialect of the account has a free call.'
    return { outcome: 'inconclusive' as const, message, durationMs: 0, hasAnswered: false }
  }
  let facts: CheckFacts = { hasAnswered: false }
  const outcome = await gateway.checkAccount({ account, dialect }, (found) => void (facts = found))
  const { reason, ...rest } = facts
  return {
    outcome,
    dialect: dialect.id,
    ...rest,
    ...(reason !== undefined && { message: reason }),
    durationMs: Math.round(performance.now() - startedAt),
  }
}
