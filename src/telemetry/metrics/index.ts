import type { Snapshot as GatewaySnapshot } from '../../contract/candidate.ts'
import { type GatewayPlugin, definePlugin } from '../../contract/plugin.ts'
import type { Spend } from '../../contract/spend.ts'
import type { Store } from '../../stores/store.ts'
import { runInTurns } from '../../lib/turns.ts'
import type { MetricsSetting } from '../settings.ts'
import { catalog, requestMetrics, stateMetrics } from './catalog.ts'
import type { MetricDefinition } from './definition.ts'
import { type JobPages, createJobCounts } from './job-counts.ts'
import { observeStore } from './observe-store.ts'
import { type EndedJob, createRecorder } from './recorder.ts'
import { type Registry, count, createRegistry } from './registry.ts'
import { measureRuntime } from './runtime.ts'
import { type TextFormat, serialize } from './serialize.ts'
import { type Snapshot, series } from './snapshot.ts'
import { type StateSources, readState } from './state.ts'

/** The metrics of a process. */
export interface Metrics extends Disposable {
  /** Counts attempts and exchanges. */
  readonly plugin: GatewayPlugin
  /** All metrics, by name. */
  readonly definitions: ReadonlyMap<string, MetricDefinition>
  /** Measures the operations on a store. `kind`: its label. */
  observeStore(store: Store, kind: string): Store
  /** Has metrics show the state of a gateway that has started. */
  follow(sources: StateSources & { readonly jobs: () => readonly JobPages[] | undefined }): void
  /** Counts what a job that is over has cost. */
  readonly jobEnded: (job: EndedJob, spend: Spend, snapshot: GatewaySnapshot) => void
  /** Notes a reload of the configuration that took effect, or was refused. */
  noteReload(isSuccess: boolean): void
  /** The values of this process. Never rejects. */
  snapshot(): Promise<Snapshot>
  /** The values of the store, which all processes share. They cost a walk through it. Never rejects. */
  stored(): Promise<Snapshot>
  /** Reads the values of all processes. Default: of this one. */
  gather: () => Promise<Snapshot>
  /** The values of all processes and of the store, as text. Rejects as `gather` does. */
  text(format: TextFormat): Promise<string>
}

/** The options of `createMetrics`. */
interface MetricsOptions {
  readonly setting: Pick<MetricsSetting, 'models' | 'by'>
  /** This package's version. */
  readonly version: string
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Creates the metrics of a process. */
export function createMetrics({ setting, version, now }: MetricsOptions): Metrics {
  const registry = createRegistry()
  const recorder = createRecorder({ registry, ...setting })
  const reloads = countReloads(registry, now)
  const runtime = measureRuntime(version)
  const definitions = new Map(catalog.map((metric) => [metric.name, metric]))
  let sources: StateSources | undefined
  let jobs: () => readonly JobPages[] | undefined = () => undefined
  /** Scrapes at the same time share one reading. */
  const readings = new Map<TextFormat, Promise<string>>()

  async function read(format: TextFormat): Promise<string> {
    const [all, stored] = await Promise.all([metrics.gather(), metrics.stored()])
    return serialize(new Map([...all, ...stored]), definitions.values(), format)
  }

  const metrics: Metrics = {
    plugin: definePlugin({
      name: 'telemetry-metrics',
      onOutcome: recorder.attempted,
      onEnd: ({ exchange, summary }) => recorder.ended(exchange, summary),
    }),
    definitions,
    observeStore: (store, kind) => observeStore(store, kind, registry),
    follow({ jobs: pages, ...others }) {
      sources = others
      jobs = pages
    },
    jobEnded: recorder.jobEnded,
    noteReload: (isSuccess) => reloads.note(isSuccess),
    async snapshot() {
      const used = await runtime.read()
      const state: Snapshot = sources
        ? await runInTurns(readState(sources, recorder.poolOf))
        : new Map()
      return new Map([...registry.snapshot(), ...state, ...reloads.read(), ...used])
    },
    stored: createJobCounts(() => jobs()),
    gather: () => metrics.snapshot(),
    text(format) {
      let reading = readings.get(format)
      if (!reading) {
        reading = read(format).finally(() => void readings.delete(format))
        readings.set(format, reading)
      }
      return reading
    },
    [Symbol.dispose]: () => runtime[Symbol.dispose](),
  }
  return metrics
}

/** Counts reloads of the configuration. */
interface Reloads {
  /** Notes a reload that took effect, or was refused. */
  note(isSuccess: boolean): void
  read(): Snapshot
}

/** Begins with the configuration of the start. `now`: milliseconds since 1970. */
function countReloads(registry: Registry, now: () => number): Reloads {
  const family = registry.family(requestMetrics.reloads)
  const results = { success: family.series('success'), failure: family.series('failure') }
  let isSuccessful = true
  let loadedAt = now()
  return {
    note(isSuccess) {
      count(isSuccess ? results.success : results.failure)
      isSuccessful = isSuccess
      if (isSuccess) loadedAt = now()
    },
    read: () =>
      new Map([
        [stateMetrics.reloadSuccessful.name, [series([], isSuccessful ? 1 : 0)]],
        [stateMetrics.reloadTime.name, [series([], loadedAt / 1_000)]],
      ]),
  }
}
