import type { Account } from '../../contract/account.ts'
import { hasAccounts } from '../../contract/dialect.ts'
import type { AccountDialect } from '../../contract/dialect-info.ts'
import type { AccountCheck } from '../../contract/refusal.ts'
import { rootOf } from '../../kit/account-path.ts'
import { type CheckFacts, hasFreeCall } from '../../upstream/check-account.ts'
import type { AdminServices } from '../services.ts'

/** The result of a test call. */
export interface AccountTest {
  readonly outcome: AccountCheck
  /** The dialect of the call. Absent: no dialect of the account has a free call. */
  readonly dialect?: string
  /** Why the account was not accepted, without a secret. Absent: it was. */
  readonly message?: string
  /** What an operator does about a credential that the account cannot be given. */
  readonly fix?: string
  readonly durationMs: number
  /** Whether the account has answered at all. */
  readonly hasAnswered: boolean
  /** The account's clock, in milliseconds since 1970. Absent: it did not tell. */
  readonly time?: number
}

type Gateways = Pick<AdminServices, 'running'> & Partial<Pick<AdminServices, 'uptime'>>

/** A test, and when it ended, in milliseconds of a clock that runs evenly. */
interface KnownTest {
  readonly result: Promise<AccountTest>
  endedAt?: number
}

/** The last test of each account as it is configured now. */
const tests = new WeakMap<Account, KnownTest>()

/** For so many milliseconds behind its end, those who ask share a test: each is a call with the credential. */
const sharedMs = 3_000

/**
 * Makes one free call to the saved address of an account, with its credential. Those who ask together, or within
 * three seconds, share its result. Never rejects.
 */
export async function testAccount(services: Gateways, account: Account): Promise<AccountTest> {
  const { uptime = () => performance.now() } = services
  const known = tests.get(account)
  if (known && (known.endedAt === undefined || uptime() - known.endedAt < sharedMs))
    return await known.result
  const test: KnownTest = { result: callFree(services, account) }
  tests.set(account, test)
  try {
    return await test.result
  } finally {
    test.endedAt = uptime()
  }
}

/** Makes a free call to each root of the account: the first that is not accepted is the result. */
async function callFree(
  { running: { plugins, gateway } }: Gateways,
  account: Account,
): Promise<AccountTest> {
  const dialects = plugins
    .flatMap((plugin) => plugin.dialects ?? [])
    .filter(hasAccounts)
    .filter(({ id }) => account.speaks.includes(id))
    .filter((one) => hasFreeCall(account, one) || account.authorizer)
  const asked = dialects.filter((one) => hasFreeCall(account, one))
  const byRoot = new Map(
    (asked.length > 0 ? asked : dialects.slice(0, 1))
      .toReversed()
      .map((one) => [urlOfRoot(account, one), one]),
  )
  let last: AccountTest | undefined
  for (const dialect of [...byRoot.values()].toReversed()) {
    last = await callIn(gateway, account, dialect)
    if (last.outcome !== 'accepted') break
  }
  const message = 'No dialect of the account has a free call.'
  return last ?? { outcome: 'inconclusive', message, durationMs: 0, hasAnswered: false }
}

function urlOfRoot(account: Account, dialect: AccountDialect): string {
  const { origin, basePath } = rootOf(account, dialect)
  // The provider's own call is the same in each dialect.
  return account.freeCall ? '' : origin + basePath
}

async function callIn(
  gateway: Gateways['running']['gateway'],
  account: Account,
  dialect: AccountDialect,
): Promise<AccountTest> {
  const startedAt = performance.now()
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
