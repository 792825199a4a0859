import type { Observation, Observer } from './dialect.ts'
import { GatewayError } from './errors.ts'
import type { Routed } from './exchange.ts'
import { nextBoundary, parseFrame } from './sse.ts'
import { parseOrUndefined, redact } from './upstream/failure.ts'

/** A frame of a stream with its data parsed. */
export interface ObservedEvent {
  readonly name: string
  readonly data: string
  /** `undefined` where `data` is not JSON. */
  readonly json: Record<string, unknown> | undefined
}

const blankLine = Buffer.from('\n\n')
const closeBrace = 0x7d
const closeBracket = 0x5d

const startPhase: Observation = { phase: 'start' }
const outputPhase: Observation = { phase: 'output' }

/**
 * Looks on at a native stream and decodes as little of it as it can: every frame until the first
 * output, and after that the frames that hold a marker or do not look whole. A marker inside a
 * string or a nested object costs a look and decides nothing.
 */
export abstract class NativeObserver implements Observer {
  readonly contentType: string = 'text/event-stream; charset=utf-8'
  protected readonly exchange: Routed
  readonly #markers: readonly Buffer[]
  protected hasOutput = false

  constructor(exchange: Routed, markers: readonly Buffer[]) {
    this.exchange = exchange
    this.#markers = markers
  }

  /** What one event means. Called for the events that may mean something. */
  protected abstract classify(event: ObservedEvent): Observation
  abstract end(): Observation
  abstract fail(error: GatewayError): { bytes: Buffer; ending: 'end' | 'reset' }
  abstract keepAlive(): Buffer

  push(frames: Buffer): Observation {
    let strongest: Observation = startPhase
    for (const start of this.#placesToLook(frames)) {
      const found = this.#look(frames.subarray(start, nextBoundary(frames, start)))
      if (found.phase === 'failed') return { ...found, bytes: frames.subarray(0, start) }
      if (found.phase === 'terminal' || strongest.phase === 'start') strongest = found
    }
    if (strongest.phase === 'start' && this.hasOutput) return outputPhase
    return strongest
  }

  *#placesToLook(frames: Buffer): Iterable<number> {
    let start = 0
    while (!this.hasOutput && start < frames.length) {
      yield start
      start = nextBoundary(frames, start)
    }
    if (start >= frames.length) return
    yield* looksWhole(frames, start)
      ? framesWith(this.#markers, frames, start)
      : everyFrame(frames, start)
  }

  #look(frame: Buffer): Observation {
    const { name, data } = parseFrame(frame)
    if (data === undefined) return startPhase
    const json = data === '[DONE]' ? undefined : parseOrUndefined(data)
    if (data !== '[DONE]' && (typeof json !== 'object' || json === null)) {
      return failed(new GatewayError('upstream_stream_broken', 'The upstream sent a broken event.'))
    }
    const found = this.classify({ name, data, json: json as ObservedEvent['json'] })
    if (found.phase !== 'start') this.hasOutput = true
    return found
  }

  /** An error that the upstream told of inside its stream, in the terms of its account. */
  protected toldError(status: number, message: unknown, fault: 'account' | 'caller'): Observation {
    const text = typeof message === 'string' ? message : 'The upstream reported an error.'
    const error = new GatewayError(
      'upstream_rejected',
      redact(text, this.exchange.candidate.account),
      { status },
    )
    return {
      phase: 'failed',
      error,
      outcome: { status: 'failed', fault, httpStatus: status, error },
    }
  }
}

/** Every observation of a stream that broke without a word of the upstream. */
export function failed(error: GatewayError): Observation {
  return { phase: 'failed', error }
}

/** The upstream closed the stream in good order, but the stream was not complete. */
export function endedEarly(): Observation {
  return failed(
    new GatewayError(
      'upstream_stream_broken',
      "The upstream's stream ended before it was complete.",
    ),
  )
}

/** JSON of one line ends with its bracket. Whatever does not is decoded. */
function looksWhole(frames: Buffer, from: number): boolean {
  let start = from
  while (start < frames.length) {
    const end = frames.indexOf(blankLine, start)
    if (end < 1) return false
    const last = frames[end - 1]
    if (last !== closeBrace && last !== closeBracket) return false
    start = end + blankLine.length
  }
  return true
}

function* everyFrame(frames: Buffer, from: number): Iterable<number> {
  for (let start = from; start < frames.length; start = nextBoundary(frames, start)) yield start
}

/** The starts of the frames that hold a marker, in order. */
function framesWith(markers: readonly Buffer[], frames: Buffer, from: number): number[] {
  const starts = new Set<number>()
  for (const marker of markers) {
    let at = frames.indexOf(marker, from)
    while (at >= 0) {
      const before = frames.lastIndexOf(blankLine, at)
      starts.add(before < from ? from : before + blankLine.length)
      at = frames.indexOf(marker, at + marker.length)
    }
  }
  return starts.size < 2 ? [...starts] : [...starts].sort((left, right) => left - right)
}
