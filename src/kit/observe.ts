import type { Observation, Observer } from '../contract/observer.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Routed } from '../contract/exchange.ts'
import type { Produced } from '../contract/outcome.ts'
import { nextBoundary, parseFrame } from '../lib/sse.ts'
import { parseOrUndefined } from '../lib/json/read.ts'
import { redact } from './redact.ts'

/** A frame of a stream with its data parsed. */
export interface ObservedEvent {
  readonly name: string
  readonly data: string
  /** `undefined` where `data` is not JSON. */
  readonly json: Record<string, unknown> | undefined
}

const carriageReturn = 0x0d
const closeBrace = 0x7d

const startPhase: Observation = { phase: 'start' }
const outputPhase: Observation = { phase: 'output' }

/**
 * Looks on at a native stream and decodes as little of it as it can: every frame until the first
 * output, and after that only frames that its dialect does not know as ordinary at a glance, or
 * that do not look whole.
 */
export abstract class NativeObserver implements Observer {
  readonly contentType: string = 'text/event-stream; charset=utf-8'
  protected readonly exchange: Routed
  protected hasOutput = false
  /** Set by `classify` where an event names something that can be asked for from now on. */
  protected announced: Produced | undefined

  constructor(exchange: Routed) {
    this.exchange = exchange
  }

  /**
   * Whether the frame between these positions is certainly a piece of output and nothing more.
   * Asked for most frames, so it compares a few bytes; when in doubt it says no.
   */
  protected abstract isOrdinary(frames: Buffer, start: number, end: number): boolean
  /** What one event means. Called for the events that may mean something. */
  protected abstract classify(event: ObservedEvent, frame: Buffer): Observation
  abstract end(): Observation
  abstract fail(error: GatewayError): { bytes: Buffer; ending: 'end' | 'reset' }
  abstract keepAlive(): Buffer

  observe(frames: Buffer): Observation {
    let strongest = this.hasOutput ? outputPhase : startPhase
    let start = 0
    while (start < frames.length) {
      const end = nextBoundary(frames, start)
      if (!this.hasOutput || !endsWhole(frames, end) || !this.isOrdinary(frames, start, end)) {
        const found = this.#look(frames.subarray(start, end))
        if (found.phase === 'failed') return { ...found, bytes: frames.subarray(0, start) }
        if (found.phase === 'terminal' || strongest.phase === 'start') strongest = found
      }
      start = end
    }
    return this.announced ? this.#announce(strongest) : strongest
  }

  #announce(observation: Observation): Observation {
    const { announced } = this
    this.announced = undefined
    return { ...observation, announced }
  }

  #look(frame: Buffer): Observation {
    const { name, data } = parseFrame(frame)
    if (data === undefined) return startPhase
    const json = data === '[DONE]' ? undefined : parseOrUndefined(data)
    if (data !== '[DONE]' && (typeof json !== 'object' || json === null)) {
      return failedObservation(
        new GatewayError('upstream_stream_broken', 'The upstream sent a broken event.'),
      )
    }
    const found = this.classify({ name, data, json: json as ObservedEvent['json'] }, frame)
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
export function failedObservation(error: GatewayError): Observation {
  return { phase: 'failed', error }
}

/** The upstream closed the stream in good order, but the stream was not complete. */
export function endedEarly(): Observation {
  return failedObservation(
    new GatewayError(
      'upstream_stream_broken',
      "The upstream's stream ended before it was complete.",
    ),
  )
}

/** JSON of one line ends with its brace. Whatever does not is decoded. */
function endsWhole(frames: Buffer, end: number): boolean {
  const beforeBlank = frames[end - 2] === carriageReturn ? end - 5 : end - 3
  return frames[beforeBlank] === closeBrace
}

/** Whether the bytes at `start` are these. */
export function startsWith(frames: Buffer, start: number, prefix: Buffer): boolean {
  for (let index = 0; index < prefix.length; index++) {
    if (frames[start + index] !== prefix[index]) return false
  }
  return true
}
