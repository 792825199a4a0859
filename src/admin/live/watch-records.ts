import { nextTurn } from '../../lib/turns.ts'
import { followRecords } from '../../stores/follow.ts'
import type { ListedRecord, Store } from '../../stores/store.ts'
import { type RecordTopic, recordTopics } from './events.ts'
import type { Hub } from './hub.ts'

/** The namespaces of the store that have the records of a topic. */
const namespaces: Readonly<Record<RecordTopic, readonly string[]>> = {
  KEYS: ['keys', 'key-states'],
  TEAMS: ['teams'],
  LIMITS: ['limits', 'limit-extras'],
  PRICES: ['prices'],
  ALIASES: ['aliases'],
  TOKENS: ['admin-tokens'],
  CAPTURES: ['captures'],
}

/** The ids that one event names. */
const mostIds = 100

/** Records that are compared in one turn of the event loop. */
const recordsPerTurn = 500

/** Watches records of the store while subscribers of this process want them. */
interface RecordWatch {
  /** Begins or ends to follow, as subscribers have come or left. */
  look(): void
  close(): void
}

/**
 * Follows what operators write to the store, whichever process or command writes it. Each process does so for its own
 * subscribers, which get each change once.
 */
export function watchRecords(
  hub: Pick<Hub, 'emitHere' | 'isFollowedHere'>,
  processId: string,
  store: Pick<Store, 'records'>,
): RecordWatch {
  const followed = new Map<RecordTopic, () => void>()

  function follow(topic: RecordTopic): () => void {
    const onChanged = (ids: readonly string[]) =>
      hub.emitHere({
        type: 'RecordsChanged',
        processId,
        topic,
        ids: ids.slice(0, mostIds),
        idsOmitted: Math.max(0, ids.length - mostIds),
      })
    const ends = namespaces[topic].map((namespace) => {
      const follower = followRecords({
        records: store.records<unknown>(namespace, { listed: true }),
        onRecords: compared(onChanged),
        // The gateway follows these records too, and reports the failure.
        onError: () => {},
      })
      return () => void follower.then((one) => one.close())
    })
    return () => ends.forEach((end) => end())
  }

  function end(topic: RecordTopic): void {
    followed.get(topic)?.()
    followed.delete(topic)
  }

  return {
    look() {
      for (const topic of recordTopics) {
        if (!hub.isFollowedHere(topic)) end(topic)
        else if (!followed.has(topic)) followed.set(topic, follow(topic))
      }
    },
    close: () => recordTopics.forEach(end),
  }
}

/** Calls `onChanged` with the ids of the records that differ from the last ones. */
function compared(
  onChanged: (ids: readonly string[]) => void,
): (records: readonly ListedRecord<unknown>[]) => Promise<void> {
  let before: ReadonlyMap<string, string> | undefined
  return async (records) => {
    const now = new Map<string, string>()
    for (const [index, { id, value }] of records.entries()) {
      now.set(id, textOf(value))
      if (index % recordsPerTurn === recordsPerTurn - 1) await nextTurn()
    }
    const known = before
    before = now
    if (!known) return
    const written = [...now.keys()].filter((id) => known.get(id) !== now.get(id))
    const deleted = [...known.keys()].filter((id) => !now.has(id))
    if (written.length + deleted.length > 0) onChanged([...written, ...deleted])
  }
}

/** The text of a record, empty for a damaged one. The use of a token is no change of it. */
function textOf(value: unknown): string {
  const withoutUse = (name: string, member: unknown) => (name === 'lastUsedAt' ? undefined : member)
  return value === undefined ? '' : JSON.stringify(value, withoutUse)
}
