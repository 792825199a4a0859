import { type Store, StoreUnavailable } from '../stores/store.ts'

/** A store that fails while a test says so. */
export interface BreakableStore extends Store {
  /** `reads` and `writes` fail, each when set. */
  broken: { reads: boolean; writes: boolean }
}

const reading = new Set(['get', 'getMany', 'list', 'version'])

/** Puts a breaking point before every call of a store. */
export function breakable(store: Store): BreakableStore {
  const broken = { reads: false, writes: false }

  function guard<T extends object>(target: T): T {
    return new Proxy(target, {
      get(object, name) {
        const call: unknown = Reflect.get(object, name)
        if (typeof call !== 'function') return call
        return async (...given: unknown[]): Promise<unknown> => {
          if (reading.has(String(name)) ? broken.reads : broken.writes) {
            throw new StoreUnavailable('The store is broken on purpose.')
          }
          return await (Reflect.apply(call, object, given) as Promise<unknown>)
        }
      },
    })
  }

  return {
    broken,
    records: <T>(...given: Parameters<Store['records']>) => guard(store.records<T>(...given)),
    counters: (namespace) => guard(store.counters(namespace)),
    close: () => store.close(),
  }
}
