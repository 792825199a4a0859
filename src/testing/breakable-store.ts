import { type Store, StoreUnavailable } from '../stores/store.ts'

/** A store that a test can make fail. */
export interface BreakableStore extends Store {
  /** Which operations fail. */
  broken: { reads: boolean; writes: boolean }
}

const readOperations = new Set([
  'get',
  'read',
  'getMany',
  'list',
  'scan',
  'version',
  'rows',
  'rowsOf',
])

/** Wraps a store so that its operations reject with `StoreUnavailable` while `broken` is set. */
export function breakable(store: Store): BreakableStore {
  const broken = { reads: false, writes: false }

  function guard<T extends object>(target: T): T {
    return new Proxy(target, {
      get(object, name) {
        const call: unknown = Reflect.get(object, name)
        if (typeof call !== 'function') return call
        return async (...parameters: unknown[]): Promise<unknown> => {
          if (readOperations.has(String(name)) ? broken.reads : broken.writes) {
            throw new StoreUnavailable('The store is broken on purpose.')
          }
          return await (Reflect.apply(call, object, parameters) as Promise<unknown>)
        }
      },
    })
  }

  return {
    broken,
    records: <T>(...parameters: Parameters<Store['records']>) =>
      guard(store.records<T>(...parameters)),
    counters: (namespace) => guard(store.counters(namespace)),
    meter: () => guard(store.meter()),
    ledger() {
      const ledger = store.ledger()
      const { append, rows, rowsOf } = guard(ledger)
      return { append, rows, rowsOf, sums: (part) => ledger.sums(part) }
    },
    ...(store.ownSecretKey && { ownSecretKey: store.ownSecretKey }),
    openBus: (self, onError) => store.openBus(self, onError),
    close: () => store.close(),
  }
}
