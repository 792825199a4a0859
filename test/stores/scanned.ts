import { openStore } from '../../src/stores/open.ts'
import { type Records, type Store } from '../../src/stores/store.ts'
import { until } from '../../src/testing/until.ts'
import { patiently } from './patiently.ts'

export const ids = Array.from({ length: 1_500 }, (_, index) => `id-${index}`)

export async function fill(records: Records<number>): Promise<void> {
  for (let from = 0; from < ids.length; from += 100) {
    const some = ids.slice(from, from + 100).map((id, value) => ({ id, value }))
    await patiently(() => records.setMany(some))
  }
}

/** The ids behind a cursor. Fails for a walk that does not end. */
export async function rest(
  records: Records<number>,
  cursor: string | undefined,
): Promise<Set<string>> {
  const found = new Set<string>()
  let from = cursor
  for (let pages = 0; pages < 1_000; pages++) {
    const cursorNow = from
    const { records: page, next } = await patiently(() =>
      records.scan({ cursor: cursorNow, limit: 200 }),
    )
    for (const { id } of page) found.add(id)
    if (next === undefined) return found
    from = next
  }
  throw new Error('The walk does not end.')
}

export function missing(...found: ReadonlySet<string>[]): string[] {
  return ids.filter((id) => !found.some((one) => one.has(id)))
}

export async function open(url: string): Promise<Store & AsyncDisposable> {
  const store = await openStore(url, { cwd: '/' })
  await until(() =>
    store
      .records('probe')
      .set('a', 1)
      .then(
        () => true,
        () => false,
      ),
  )
  return { ...store, [Symbol.asyncDispose]: () => store.close() }
}
