import type { Log } from '../lib/log.ts'
import type { MaybePromise } from '../lib/maybe-promise.ts'

/** The services of the gateway for a plugin, from the start of the gateway to its end. */
export interface StartInput {
  /** The log for operators, with the plugin's name. Pass it no secrets. */
  readonly log: Log
  /**
   * Records of the plugin's own, which no other plugin can reach. `namespace`: 1 to 64 small letters,
   * digits, dots, hyphens or underscores; others throw a `TypeError`. The options must be the same each time.
   */
  records<T>(namespace: string, options?: PluginRecordsOptions): PluginRecords<T>
  /** Counters of the plugin's own, which all processes on the store share. */
  readonly counters: PluginCounters
  /** Aborted when the gateway ends, before `onDispose`. */
  readonly signal: AbortSignal
  /**
   * Differs if any plugin of the pipeline, its options or the order differs. A plugin that keeps replies puts it into
   * their keys, because the other plugins shape replies.
   */
  readonly pipelineFingerprint: string
}

/** The input of a task. Its signal aborts when the gateway ends, which waits for the task for a bounded time. */
export type TaskInput = StartInput

/** Background work of a plugin. It runs until its signal aborts; one that ends earlier is not run again. */
export type Task = (input: TaskInput) => MaybePromise<void>

/**
 * Whole numbers that all processes on the store add to: the workers of a machine on a file store, all replicas
 * on a Redis, and one process in memory. Names have 1 to 256 characters. Every call ends within the
 * deadline of the store. It rejects with `StoreUnavailable` when the store fails, and the number may then
 * have been added or not; and with `TypeError` for a name or a number that cannot be used.
 */
export interface PluginCounters {
  /**
   * Adds in one step; the total afterwards. `ttlMs`, from 1 ms to 366 days: how long the counter lasts from its
   * first addition on, so that it counts in fixed windows. Rejects with `RangeError` if the plugin has 100,000
   * names in use in this process.
   */
  add(name: string, n: number, options: { readonly ttlMs: number }): Promise<number>
  /** Adds as `add` does, and says also how much of the time is left: what a `retry-after` needs. */
  count(name: string, n: number, options: { readonly ttlMs: number }): Promise<PluginCount>
  /** The total; 0 where nothing has been added, or where its time is over. */
  get(name: string): Promise<number>
}

/** A counter after an addition. */
export interface PluginCount {
  readonly total: number
  /** Milliseconds until the counter begins anew. */
  readonly remainingMs: number
}

/** The options of a namespace. */
interface PluginRecordsOptions {
  /** Whether the records can be listed. Too slow for writes with every request. */
  readonly listed?: boolean
}

/**
 * The records of a namespace, in JSON, in the store of the gateway. Every call ends within the deadline of
 * the store, and rejects with `StoreUnavailable` when the store fails.
 */
export interface PluginRecords<T> {
  /** `undefined` only for a missing record. */
  get(id: string): Promise<T | undefined>
  /** The values in the order of `ids`, in one round trip. */
  getMany(ids: readonly string[]): Promise<(T | undefined)[]>
  /** Resolves when the record survives the end of this process. `ttlMs`: until it expires. */
  set(id: string, value: T, options?: { readonly ttlMs?: number }): Promise<void>
  /** Writes a record if none of this id exists; whether it was written. */
  add(id: string, value: T, options?: { readonly ttlMs?: number }): Promise<boolean>
  /** Changes a record in one step, despite concurrent updates. `change` may be called several times. */
  update(id: string, change: (value: T) => T | undefined): Promise<T | undefined>
  /** Whether the record existed. */
  delete(id: string): Promise<boolean>
  /** A page of the records of a listed namespace, in the order of their ids. */
  list(options?: {
    readonly after?: string
    readonly limit?: number
    readonly newestFirst?: boolean
  }): Promise<{ readonly id: string; readonly value: T | undefined }[]>
}

/** A part of a plugin that operators ask about: its state, by a name. It informs; readiness goes without it. */
export type Probe = () => MaybePromise<ProbeResult>

/** The state of a part of a plugin, without secrets. */
export interface ProbeResult {
  readonly ok: boolean
  readonly message?: string
}
