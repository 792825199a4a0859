import { appendFile, mkdir, readFile, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { type Log, describeError } from '../../src/lib/log.ts'
import { type Meter, type MeterEnd } from '../../src/stores/meter.ts'
import { StoreUnavailable } from '../../src/stores/store.ts'

/** Beyond these, settlements are lost: their holds expire, and their floors are charged. */
const mostBytes = 64 * 1024 * 1024

/** The pause before the store is asked again, in milliseconds. */
const pauseMs = 1_000

/** Options of `Settlements`. */
interface SettlementOptions {
  readonly meter: Pick<Meter, 'settle'>
  /** The directory of the file. */
  readonly directory: string
  readonly log: Log
}

/**
 * Settlements that the store has not taken. They wait in a file, so that a restart does not lose them, and are
 * repeated until the store takes them: the meter charges each of them once.
 */
export class Settlements {
  /** The number of settlements that wait. */
  waiting = 0
  /** The number of settlements that found no room. */
  lost = 0
  readonly #options: SettlementOptions
  readonly #file: string
  #bytes = 0
  #line: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: SettlementOptions) {
    this.#options = options
    this.#file = join(options.directory, `${prefix}${process.pid}-${Date.now()}${extension}`)
  }

  /** Keeps a settlement until the store takes it. */
  add(end: MeterEnd): void {
    const text = `${JSON.stringify(end)}\n`
    if (this.#bytes + text.length > mostBytes) {
      if (this.lost === 0) this.#options.log.error('settlements of limits are lost: too many wait')
      this.lost++
      return
    }
    this.#bytes += text.length
    this.waiting++
    this.#enqueue(async () => {
      await mkdir(this.#options.directory, { recursive: true })
      await appendFile(this.#file, text, { mode: 0o600 })
    })
    this.#schedule()
  }

  /** Settles what former processes have left. */
  async adopt(): Promise<void> {
    const { directory } = this.#options
    const names = await readdir(directory).catch((): string[] => [])
    for (const name of names) {
      const pid = Number(pattern.exec(name)?.[1])
      if (Number.isNaN(pid) || isRunning(pid)) continue
      const path = join(directory, name)
      // Of several processes, one renames it.
      const own = `${path}.${process.pid}`
      const isOurs = await rename(path, own).then(
        () => true,
        () => false,
      )
      if (!isOurs) continue
      const text = await readFile(own, 'utf8').catch(() => '')
      for (const end of endsIn(text)) this.add(end)
      await this.#line
      await rm(own, { force: true })
    }
  }

  /** Asks the store once more. What it does not take stays in the file. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    if (this.waiting > 0) this.#enqueue(() => this.#settleAll())
    await this.#line
  }

  #enqueue(work: () => Promise<void>): void {
    this.#line = this.#line.then(work).catch((error: unknown) => {
      this.#options.log.error('settlements of limits cannot be kept', describeError(error))
    })
  }

  #schedule(): void {
    if (this.#isClosed) return
    this.#timer ??= setTimeout(() => {
      this.#enqueue(async () => {
        this.#timer = undefined
        await this.#settleAll()
        if (this.waiting > 0) this.#schedule()
      })
    }, pauseMs).unref()
  }

  /** The file is removed only when the store has taken all: settling again changes nothing. */
  async #settleAll(): Promise<void> {
    const text = await readFile(this.#file, 'utf8').catch(() => '')
    let settled = 0
    for (const end of endsIn(text)) {
      settled++
      try {
        await this.#options.meter.settle(end)
      } catch (error) {
        if (error instanceof StoreUnavailable) return
        this.#options.log.error('a settlement of limits is refused', describeError(error))
      }
    }
    this.waiting = Math.max(0, this.waiting - settled)
    this.#bytes = Math.max(0, this.#bytes - text.length)
    await rm(this.#file, { force: true })
  }
}

const prefix = 'dragoman-settlements-'
const extension = '.ndjson'
const pattern = /^dragoman-settlements-(\d{1,10})-\d+\.ndjson$/

/** Whether a process of this machine has an id. One of another container may run all the same: each settlement counts once. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The last line of a process that was killed may be a part of one. */
function* endsIn(text: string): Generator<MeterEnd, void> {
  for (const line of text.split('\n')) {
    if (line === '') continue
    try {
      yield JSON.parse(line) as MeterEnd
    } catch {
      continue
    }
  }
}
