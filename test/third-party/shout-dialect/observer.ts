import {
  endedEarly,
  failedOutcome,
  type GatewayError,
  NativeObserver,
  type Observation,
  type ObservedEvent,
} from '../../../src/dialect-kit/index.ts'
import { decodeFailure } from './codec/decode-reply/failure.ts'
import { coughFrame, keepAliveFrame } from './frames.ts'
import { shoutOutcome } from './reply.ts'

/**
 * Looks on at a stream of shouted words. A `breath` is drawn before and between them, `hush` ends
 * the stream, and a `cough` is an error.
 */
export class ShoutObserver extends NativeObserver {
  override readonly contentType = 'text/event-stream'

  protected override classify({ name, json = {} }: ObservedEvent): Observation {
    if (name === 'cough') return this.#failed(json)
    if (name === 'hush') return { phase: 'terminal', outcome: shoutOutcome(json) }
    return { phase: name === 'breath' ? 'start' : 'output' }
  }

  override end(): Observation {
    return endedEarly()
  }

  override fail(error: GatewayError): { bytes: Buffer; ending: 'end' } {
    return { bytes: Buffer.from(coughFrame(error, this.exchange.id)), ending: 'end' }
  }

  override keepAlive(): Buffer {
    return Buffer.from(keepAliveFrame)
  }

  /** The account's own error, which is the caller's fault where the status says so. */
  #failed(cough: NonNullable<ObservedEvent['json']>): Observation {
    const { status, message } = decodeFailure(cough) ?? { status: 502, message: 'A cough.' }
    const { fault } = failedOutcome(status, {})
    return this.reportedError(status, message, fault === 'caller' ? 'caller' : 'account')
  }
}
