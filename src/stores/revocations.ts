import { randomBytes } from 'node:crypto'

import { z } from 'zod'

import { type Records, type Store, StoreUnavailable, UnreadableRecord } from './store.ts'

/** A revocation of an admin token that is under way. `at` is in milliseconds since 1970. */
const announcedSchema = z.object({ by: z.string(), token: z.string(), at: z.number() })
type Announced = Readonly<z.infer<typeof announcedSchema>>

/** All processes change this one record, which orders concurrent revocations. */
interface UnderWay {
  readonly announced: readonly Announced[]
}

/** The list of a record, without damaged entries. */
const underWaySchema = z.object({ announced: z.array(z.unknown()) })

/** Revocations that are under way at the same time: the newest. */
const mostUnderWay = 256

/** Others may remove the empty record, or leave a damaged one, between two steps. */
const mostTries = 5

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
  const earlier = await announce(records, { by, token, at: now })
  return {
    earlier: new Set(earlier.map((one) => one.token)),
    end: () => retract(records, by).catch(() => {}),
  }
}

/** Adds a revocation to those that are under way, and returns these. */
async function announce(
  records: Records<UnderWay>,
  announced: Announced,
): Promise<readonly Announced[]> {
  for (let tries = 0; tries < mostTries; tries++) {
    let earlier: readonly Announced[] = []
    await records.add(recordId, { announced: [] })
    const written = await records
      .update(recordId, (known) => {
        earlier = announcedIn(known)
          .filter(({ at }) => Math.abs(announced.at - at) < longestMs)
          .slice(1 - mostUnderWay)
        return { announced: [...earlier, announced] }
      })
      .catch((error: unknown) => replaceDamaged(records, error))
    if (written) return earlier
  }
  throw new StoreUnavailable('The revocations under way change too fast.')
}

/** Removes a revocation, and the record with the last one. */
async function retract(records: Records<UnderWay>, by: string): Promise<void> {
  await records.update(recordId, (known) => ({
    announced: announcedIn(known).filter((one) => one.by !== by),
  }))
  await records.deleteIf(recordId, (known) => announcedIn(known).length === 0)
}

/** The content of a record. The store may contain anything; a damaged part announces nothing. */
function announcedIn(record: unknown): readonly Announced[] {
  const { announced = [] } = underWaySchema.safeParse(record).data ?? {}
  return announced.flatMap((one) => announcedSchema.safeParse(one).data ?? [])
}

async function replaceDamaged(records: Records<UnderWay>, error: unknown): Promise<undefined> {
  if (!(error instanceof UnreadableRecord)) throw error
  await records.set(recordId, { announced: [] })
}
