import type { Meter } from '../../stores/meter.ts'
import type { Ledger } from '../../stores/ledger.ts'
import { StoreUnavailable, type Counters, type Records, type Store } from '../../stores/store.ts'
import { requestMetrics } from './catalog.ts'
import { type Family, type Registry, type Series, observe } from './registry.ts'

const { store: metric } = requestMetrics

/** Measures the operations on a store. `kind`: its label. */
export function observeStore(store: Store, kind: string, registry: Registry): Store {
  const family = registry.family(metric)
  const time = timerOf(family, kind)
  return {
    records: <T>(namespace: string, options?: Parameters<Store['records']>[1]) =>
      observeRecords(store.records<T>(namespace, options), time),
    counters: (namespace) => observeCounters(store.counters(namespace), time),
    meter: () => observeMeter(store.meter(), time),
    ledger: () => observeLedger(store.ledger(), time),
    ...(store.ownSecretKey && { ownSecretKey: () => store.ownSecretKey!() }),
    openBus: (self, onError) => store.openBus(self, onError),
    close: () => store.close(),
  }
}

/** As the metric names the operations of meters. */
type MeterOperation = 'admit' | 'settle' | 'lease' | 'renew' | 'readMeter' | 'resetMeter'

/** Measures one operation, and returns its promise. */
type Timer = <T>(
  operation: keyof Records<unknown> | 'count' | 'append' | MeterOperation,
  work: Promise<T>,
) => Promise<T>

function timerOf(family: Family, kind: string): Timer {
  const succeeded = new Map<string, Series>()
  return (operation, work) => {
    const startedAt = performance.now()
    const end = (series: Series) => observe(series, (performance.now() - startedAt) / 1_000)
    work.then(
      () => {
        let series = succeeded.get(operation)
        if (!series) succeeded.set(operation, (series = family.series(kind, operation, '')))
        end(series)
      },
      (error: unknown) => end(family.series(kind, operation, errorOf(error))),
    )
    return work
  }
}

/** A wrong use of the store is no failure of it, but no success either. */
function errorOf(error: unknown): string {
  return error instanceof StoreUnavailable ? 'unavailable' : '_OTHER'
}

function observeRecords<T>(records: Records<T>, time: Timer): Records<T> {
  return {
    get: (id, options) => time('get', records.get(id, options)),
    getMany: (ids, options) => time('getMany', records.getMany(ids, options)),
    set: (id, value, options) => time('set', records.set(id, value, options)),
    setMany: (entries) => time('setMany', records.setMany(entries)),
    add: (id, value, options) => time('add', records.add(id, value, options)),
    update: (id, change) => time('update', records.update(id, change)),
    delete: (id) => time('delete', records.delete(id)),
    deleteIf: (id, matches) => time('deleteIf', records.deleteIf(id, matches)),
    list: (options) => time('list', records.list(options)),
    scan: (options) => time('scan', records.scan(options)),
    version: () => time('version', records.version()),
  }
}

function observeCounters(counters: Counters, time: Timer): Counters {
  return {
    add: (id, by, options) => time('count', counters.add(id, by, options)),
    get: (id) => time('count', counters.get(id)),
  }
}

function observeMeter(meter: Meter, time: Timer): Meter {
  return {
    admit: (ask) => time('admit', meter.admit(ask)),
    settle: (end) => time('settle', meter.settle(end)),
    lease: (lease) => time('lease', meter.lease(lease)),
    renew: (...holds) => time('renew', meter.renew(...holds)),
    read: (...limits) => time('readMeter', meter.read(...limits)),
    reset: (...limit) => time('resetMeter', meter.reset(...limit)),
  }
}

/** Reads are of operators, and of any length. */
function observeLedger(ledger: Ledger, time: Timer): Ledger {
  return { ...ledger, append: (batch) => time('append', ledger.append(batch)) }
}
