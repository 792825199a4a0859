import type { ListedRecord, Records } from './store.ts'

/** Lists all records of a listed namespace, page by page, in the order of their ids. */
export async function listAll<T>(records: Pick<Records<T>, 'list'>): Promise<ListedRecord<T>[]> {
  const all: ListedRecord<T>[] = []
  for (;;) {
    const after = all.at(-1)?.id
    const page = await records.list(after === undefined ? {} : { after })
    if (page.length === 0) return all
    all.push(...page)
  }
}
