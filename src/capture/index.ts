import type { Captures } from '../contract/captures.ts'
import { type GatewayPlugin, definePlugin } from '../contract/plugin.ts'
import type { Ended } from '../contract/exchange.ts'
import type { Summary } from '../contract/outcome.ts'
import { type Log, describeError, isoNow } from '../lib/log.ts'
import type { Store } from '../stores/store.ts'
import { entryOf } from './entry.ts'
import { openCaptureFiles } from './files.ts'
import { type Capture, followCaptures } from './records.ts'
import { Recorder } from './recorder.ts'
import type { CaptureSetting } from './settings.ts'

/** The captures of this process, and the plugin that writes them. */
export interface RunningCaptures extends Captures {
  readonly plugin: GatewayPlugin
  close(): void
}

/** The options of `openCaptures`. */
interface CaptureOptions {
  readonly setting: CaptureSetting
  readonly store: Pick<Store, 'records'>
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined
  /** Milliseconds of a monotonic clock: a change of the system's time moves no capture's end. */
  readonly uptime?: () => number
}

/** A capture that is on in this process. */
interface Active {
  readonly capture: Capture
  /** By `uptime`. */
  readonly until: number
  left: number
  /** Exchanges in the file, and those that found no room in it or on the way to it. */
  written: number
  dropped: number
}

/**
 * Why a capture ends in a process: its time is over, it has its exchanges, an operator stops it, the directory is
 * full or cannot be written, or the process ends.
 */
type CaptureEnd = 'time' | 'exchanges' | 'stopped' | 'full' | 'unwritable' | 'shutdown'

/** Lines that wait for the disk, in characters: more are dropped. */
const maxWaiting = 8 * 1024 * 1024

const sweepMs = 10 * 60_000

/** The store forgets a capture at its end, by a clock of its own. */
const followMs = 2_000

/** Follows the captures that operators start in any process. Nothing that fails here fails a call. */
export async function openCaptures({
  setting,
  store,
  log,
  now = Date.now,
  uptime = () => performance.now(),
}: CaptureOptions): Promise<RunningCaptures> {
  const files = openCaptureFiles(setting, now)
  const active = new Map<string, Active>()
  /** Captures of the store that this process has ended. */
  const ended = new Set<string>()
  let waiting = 0
  let writing: Promise<void> = Promise.resolve()

  function follow(captures: readonly Capture[]): void {
    const known = new Set(captures.map(({ id }) => id))
    for (const one of active.values()) {
      const { id, endsAt } = one.capture
      if (!known.has(id)) end(one, endsAt - now() <= followMs ? 'time' : 'stopped')
    }
    for (const id of ended) if (!known.has(id)) ended.delete(id)
    for (const capture of captures) {
      const { id, startedAt, endsAt, exchanges, keyId } = capture
      const remaining = Math.min(endsAt - now(), endsAt - startedAt)
      if (active.has(id) || ended.has(id) || remaining <= 0) continue
      active.set(id, {
        capture,
        until: uptime() + remaining,
        left: exchanges,
        written: 0,
        dropped: 0,
      })
      log.info('a capture has begun', { capture: id, key_id: keyId })
    }
  }

  function end(one: Active, reason: CaptureEnd): void {
    const { id, keyId } = one.capture
    active.delete(id)
    ended.add(id)
    log.info('a capture has ended', { capture: id, key_id: keyId, reason })
    writing = writing.then(() => finish(one, reason))
  }

  /** A file without this line is of a process that was killed. */
  async function finish({ capture, written, dropped }: Active, reason: CaptureEnd): Promise<void> {
    if (written + dropped === 0) return
    const { id, keyId } = capture
    const line = { time: isoNow(), capture: id, key_id: keyId, ended: reason }
    const text = JSON.stringify({ ...line, exchanges: written, dropped })
    // The log has the failure of the lines before it.
    await files.finish(id, `${text}\n`).catch(() => {})
  }

  function endLate(): void {
    for (const one of active.values()) {
      if (one.left <= 0) end(one, 'exchanges')
      else if (uptime() >= one.until) end(one, 'time')
    }
  }

  const isWanted = (keyId: string) =>
    active.values().some(({ capture, until }) => capture.keyId === keyId && uptime() < until)

  function write(one: Active, line: string): void {
    if (waiting > maxWaiting) return void one.dropped++
    waiting += line.length
    writing = writing.then(() => append(one, line)).finally(() => void (waiting -= line.length))
  }

  async function append(one: Active, line: string): Promise<void> {
    const { id } = one.capture
    try {
      if (await files.append(id, line)) return void one.written++
      one.dropped++
      if (!active.has(id)) return
      log.error('a capture ends: capture.maxBytes is reached', { capture: id })
      end(one, 'full')
    } catch (error) {
      one.dropped++
      if (!active.has(id)) return
      log.error('a capture cannot be written, and ends', describeError(error))
      end(one, 'unwritable')
    }
  }

  function onEnd({ exchange, summary }: { exchange: Ended; summary: Summary }): void {
    const recorder = exchange.progress.capture
    if (!(recorder instanceof Recorder)) return
    for (const one of active.values()) {
      if (!concerns(one.capture, exchange) || uptime() >= one.until || one.left <= 0) continue
      one.left--
      write(one, `${JSON.stringify(entryOf(exchange, summary, recorder))}\n`)
    }
  }

  const sweep = () => {
    endLate()
    files
      .sweep()
      .catch((error: unknown) => log.error('old captures cannot be deleted', describeError(error)))
  }
  sweep()
  const ticking = setInterval(endLate, 1_000).unref()
  const sweeping = setInterval(sweep, sweepMs).unref()
  const follower = await followCaptures(store, follow, (error) =>
    log.error('the store failed; captures end at their times', describeError(error)),
  )
  return {
    begin: (exchange) => (active.size === 0 ? undefined : new Recorder(exchange, isWanted)),
    plugin: definePlugin({
      name: 'capture',
      onEnd,
      onDispose() {
        for (const one of active.values()) end(one, 'shutdown')
        return writing
      },
    }),
    close() {
      clearInterval(ticking)
      clearInterval(sweeping)
      follower.close()
    },
  }
}

function concerns({ keyId, model, accountId }: Capture, exchange: Ended): boolean {
  const account = exchange.progress.attempt?.candidate.account.id
  return (
    exchange.caller?.keyId === keyId &&
    (model === undefined || exchange.model?.name === model) &&
    (accountId === undefined || account === accountId)
  )
}
