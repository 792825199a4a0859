import { type Log, describeError } from '../lib/log.ts'
import type { AuditLog, AuditRecord } from '../audit/log.ts'

/** One record stands for the denied acts of so many milliseconds. */
const periodMs = 60_000

/** The records of one kind in a period. Denied acts beyond them share one more. */
const mostRecords = { entry: 10, limit: 10, 'sign-in': 10, act: 100 }

/** The recorded part of the id of a target, in characters: the rest does not distinguish targets. */
const longestId = 200

/**
 * A denied act: `entry` of a client without a valid credential, `limit` of an address that has to wait, `sign-in`
 * that fails, or `act` that a role does not permit, that concerns others, or that follows too many.
 */
export interface DeniedAct extends Pick<
  AuditRecord,
  'actor' | 'address' | 'agent' | 'action' | 'target' | 'message' | 'requestId'
> {
  readonly kind: keyof typeof mostRecords
}

/** Writes denied acts to the audit log, so few that a flood of them cannot fill the store. */
export interface DeniedActLog {
  /** Resolves when the act is written or counted. Never rejects: the act is denied anyway. */
  note(act: DeniedAct): Promise<void>
  /** Writes the counts. Never rejects. */
  close(): Promise<void>
}

/** Like denied acts of a period. */
interface Group {
  count: number
  /** Resolves with the function that writes the count. */
  readonly written: Promise<((count: number) => Promise<void>) | undefined>
}

/**
 * Groups denied acts: at most one record a minute for an address, an actor, an action and the target of an act,
 * and at most eleven of entries, as many of limits and of sign-ins, and 101 of acts. The first act of a group is
 * written at once, the number of all at the end of the minute.
 */
export function createDeniedActLog(audit: Pick<AuditLog, 'note'>, log: Log): DeniedActLog {
  let groups = new Map<string, Group>()
  let sizes = noRecords()
  let timer: NodeJS.Timeout | undefined

  const failed = (error: unknown) => {
    log.error('a refusal of the admin API is not in the audit log', describeError(error))
    return undefined
  }

  async function writeCounts(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const ended = [...groups.values()]
    groups = new Map()
    sizes = noRecords()
    for (const { count, written } of ended) {
      const write = await written
      if (count > 1) await write?.(count).catch(failed)
    }
  }

  function open(key: string, { kind, ...act }: DeniedAct): Group {
    sizes[kind]++
    const written = audit.note({ ...act, result: 'REFUSED' }).catch(failed)
    const group = { count: 0, written }
    groups.set(key, group)
    timer ??= setTimeout(() => void writeCounts(), periodMs).unref()
    return group
  }

  return {
    async note(act) {
      const { kind, address, action, actor, target } = act
      // Acts and sign-ins are grouped by target; a client without a credential could name any target.
      const about = kind !== 'entry' ? [target.type, target.id.slice(0, longestId)] : []
      // The target of a limit is the network of the address.
      const source = kind === 'limit' ? '' : address
      const own = JSON.stringify([kind, source, action, actor?.kind, actor?.id, ...about])
      const isFull = !groups.has(own) && sizes[kind] >= mostRecords[kind]
      const key = isFull ? kind : own
      const group = groups.get(key) ?? open(key, isFull ? withoutSource(act) : act)
      group.count++
      await group.written
    },
    close: writeCounts,
  }
}

function noRecords(): Record<DeniedAct['kind'], number> {
  return { entry: 0, limit: 0, 'sign-in': 0, act: 0 }
}

/** For the record that many sources share. */
function withoutSource({ kind, action, message }: DeniedAct): DeniedAct {
  return {
    kind,
    address: '',
    agent: '',
    action: kind === 'act' ? 'act.refuse' : action,
    target: { type: 'refusals', id: 'others' },
    ...(message !== undefined && { message }),
  }
}
