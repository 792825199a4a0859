import { nextTurn } from '../lib/turns.ts'
import type { ListedRecord, Records } from './store.ts'

/** The records of one read. */
const pageSize = 250

/**
 * Lists all records of a listed namespace, page by page, in the order of their ids. In turns of the
 * event loop: some stores read at once, and there may be ten thousand records.
 */
export async function listAll<T>(records: Pick<Records<T>, 'list'>): Promise<ListedRecord<T>[]> {
  const all: ListedRecord<T>[] = []
  for (;;) {
    const after = all.at(-1)?.id
    const page = await records.list({ limit: pageSize, ...(after !== undefined && { after }) })
    if (page.length === 0) return all
    all.push(...page)
    if (page.length === pageSize) await nextTurn()
  }
}
