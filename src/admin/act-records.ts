import type { AuditLog } from '../audit/log.ts'
import { RecentMap } from '../lib/recent-map.ts'

/** Failures that are alike are counted for so many milliseconds since the first of them. */
const periodMs = 60_000

/** Failures of a period with records of their own. All further ones share the record of the last. */
const mostOwn = 3

/** Records that wait for more failures. */
const mostShared = 1_000

type NewAct = Parameters<AuditLog['begin']>[0]
type WriteEnd = Awaited<ReturnType<AuditLog['begin']>>
type ActEnd = Parameters<WriteEnd>[0]

/** The records of acts in the audit log. */
export interface ActRecords {
  /**
   * Writes the record of an act before it happens; the returned function writes its result. `changedNothing`: it has
   * failed and changed nothing. A client that repeats such an act fills no log: from the third on, the acts of a
   * minute with the same failure share a record, which counts them. Both reject with `StoreUnavailable`.
   */
  begin(act: NewAct): Promise<(end: ActEnd, changedNothing: boolean) => Promise<void>>
}

/** A record that failures share. */
interface SharedRecord {
  readonly write: WriteEnd
  readonly end: ActEnd
  readonly count: number
  /** How many of the equal failures before have a record of their own. */
  readonly own: number
  /** By the clock that runs evenly. */
  readonly until: number
}

/** Creates the records of a process. `uptime` is the milliseconds of a clock that runs evenly. */
export function createActRecords(audit: Pick<AuditLog, 'begin'>, uptime: () => number): ActRecords {
  const shared = new RecentMap<SharedRecord>(mostShared)

  function find(likeness: string): SharedRecord | undefined {
    const known = shared.get(likeness)
    return known && known.until > uptime() ? known : undefined
  }

  async function beginFirst(likeness: string, act: NewAct) {
    const write = await audit.begin(act)
    return async (end: ActEnd, changedNothing: boolean) => {
      await write(end)
      if (!changedNothing) return
      const { own = 0, until = uptime() + periodMs } = find(likeness) ?? {}
      shared.set(likeness, { write, end, count: 1, own: own + 1, until })
    }
  }

  async function beginAgain(likeness: string, act: NewAct, known: SharedRecord) {
    const { write, count } = known
    // If the process ends in the act, this record says that it may have happened.
    await write({ result: 'STARTED', count: count + 1 })
    return async (end: ActEnd, changedNothing: boolean) => {
      if (changedNothing && end.message === known.end.message) {
        await write({ ...end, count: count + 1 })
        shared.set(likeness, { ...known, count: count + 1 })
        return
      }
      // It has ended in another way: it gets a record of its own, and the shared one its former end.
      const writeOwn = await audit.begin(act)
      await writeOwn(end)
      await write({ ...known.end, count })
    }
  }

  return {
    begin(act) {
      const likeness = likenessOf(act)
      const known = find(likeness)
      if (!known || known.own < mostOwn) return beginFirst(likeness, act)
      // Until the act has ended, the record is for no other.
      shared.delete(likeness)
      return beginAgain(likeness, act, known)
    },
  }
}

/** Equal for acts that a reader of the log need not tell apart. */
function likenessOf({ actor, address, agent, action, target, reason }: NewAct): string {
  const { type, id } = target
  return JSON.stringify([actor?.kind, actor?.id, address, agent, action, type, id, reason ?? null])
}
