import {
  formatFrame,
  GatewayError,
  type Observation,
  type Observer,
  parseFrame,
  type Routed,
  splitFrames,
} from '../../../src/index.ts'
import { shoutError } from './errors.ts'
import { type Fields, shoutOutcome } from './reply.ts'

const keepAlive = Buffer.from(formatFrame('breath', {}))

/**
 * Looks on at a stream of shouted words. A `breath` is drawn before and between them, `hush` ends
 * the stream, and a `cough` is an error.
 */
export class ShoutObserver implements Observer {
  readonly contentType = 'text/event-stream'
  readonly #exchange: Routed
  #hasSpoken = false

  constructor(exchange: Routed) {
    this.#exchange = exchange
  }

  observe(frames: Buffer): Observation {
    let good = 0
    let last: Observation | undefined
    for (const frame of splitFrames(frames)) {
      const seen = this.#look(frame)
      if (seen.phase === 'failed') return { ...seen, bytes: frames.subarray(0, good) }
      if (seen.phase !== 'start') this.#hasSpoken = true
      if (last?.phase !== 'terminal') last = seen
      good += frame.length
    }
    return last?.phase === 'terminal' ? last : { phase: this.#hasSpoken ? 'output' : 'start' }
  }

  end(): Observation {
    return broken('ended without a hush')
  }

  fail(error: GatewayError): { bytes: Buffer; ending: 'end' } {
    const { body } = shoutError(error)
    const frame = formatFrame('cough', { ...(body as Fields), id: this.#exchange.id })
    return { bytes: Buffer.from(frame), ending: 'end' }
  }

  keepAlive(): Buffer {
    return keepAlive
  }

  #look(frame: Buffer): Observation {
    const { name, data } = parseFrame(frame)
    if (data === undefined) return { phase: 'start' }
    const json = readJson(data)
    if (!json) return broken('sent a garbled word')
    if (name === 'cough') return cough(json)
    if (name === 'hush') return { phase: 'terminal', outcome: shoutOutcome(json) }
    return { phase: name === 'breath' ? 'start' : 'output' }
  }
}

/** The upstream's own error, which is the account's unless it says that the words were wrong. */
function cough({ oops, number }: Fields): Observation {
  const status = typeof number === 'number' ? number : 502
  const message = typeof oops === 'string' ? oops : 'The upstream coughed.'
  const error = new GatewayError('upstream_rejected', message, { status })
  const fault = status === 400 ? 'caller' : 'account'
  return {
    phase: 'failed',
    error,
    outcome: { status: 'failed', fault, httpStatus: status, error },
  }
}

function broken(what: string): Observation {
  const error = new GatewayError('upstream_stream_broken', `The upstream ${what}.`)
  return { phase: 'failed', error }
}

function readJson(data: string): Fields | undefined {
  try {
    const json = JSON.parse(data) as unknown
    return typeof json === 'object' && json !== null ? (json as Fields) : undefined
  } catch {
    return undefined
  }
}
