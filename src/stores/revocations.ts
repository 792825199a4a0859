import { randomBytes } from 'node:crypto'

import type { Records, Store } from './store.ts'

/** A revocation of an admin token that is under way. */
interface Announced {
  readonly by: string
  readonly token: string
  /** In milliseconds since 1970. */
  readonly at: number
}

/** All processes change this one record, so that of two revocations at once one is the later. */
interface UnderWay {
  readonly announced: readonly Announced[]
}

const recordId = 'under-way'

/**
 * How long a revocation counts whose process has died in the middle of it, in milliseconds. Much more than
 * clocks of processes differ.
 */
const longestMs = 5 * 60_000

/** A revocation that the others know of. */
interface Revocation {
  /** The tokens whose revocation was announced before, and which may be revoked at any moment. */
  readonly earlier: ReadonlySet<string>
  /** Ends it, when it is known whether the token is revoked. Never rejects. */
  end(): Promise<void>
}

/** Announces that a token is to be revoked. Rejects with `StoreUnavailable`. */
export async function announceRevocation(
  store: Pick<Store, 'records'>,
  token: string,
  now: number,
): Promise<Revocation> {
  const records: Records<UnderWay> = store.records('admin-revocations')
  const by = randomBytes(12).toString('hex')
  let earlier: readonly Announced[] = []
  await records.add(recordId, { announced: [] })
  await records.update(recordId, (known) => {
    earlier = known.announced.filter(({ at }) => Math.abs(now - at) < longestMs)
    return { announced: [...earlier, { by, token, at: now }] }
  })
  return {
    earlier: new Set(earlier.map((one) => one.token)),
    async end() {
      await records
        .update(recordId, ({ announced }) => ({
          announced: announced.filter((one) => one.by !== by),
        }))
        .catch(() => {})
    },
  }
}
