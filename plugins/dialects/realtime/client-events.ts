import type { RequestBody } from '../../../src/contract/body.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { Routed } from '../../../src/contract/exchange.ts'
import { defaultLimits } from '../../../src/contract/limits.ts'
import { parseBody } from '../../../src/body/read-body.ts'
import { leaseOf } from '../../../src/exchange/record.ts'
import { resolveModel } from '../../../src/kit/models.ts'
import { applyEdits } from '../../../src/lib/json/edit.ts'
import { objectAt, stringAt } from '../../../src/lib/json/read.ts'
import { findMember } from '../../../src/lib/json/scan.ts'
import { eventSchema } from './schema.ts'
import { otherModelsOf, refuseFiles } from './session.ts'

/** An event of a client that the gateway has read. */
interface ClientEvent {
  /** As the account gets it. */
  readonly message: Buffer
  readonly type: string | undefined
  readonly eventId: string | undefined
}

/**
 * Reads an event of a client. `undefined`: one that passes as it is, such as a piece of audio. Rejects with `GatewayError`
 * for one that the account does not get.
 */
export type ReadClientEvent = (message: Buffer) => Promise<ClientEvent> | undefined

/** Texts of the events that the gateway reads, as they stand in a message without a backslash. */
const words = ['response.create', 'session.update', '"file_id']

const backslash = 0x5c

function passes(message: Buffer): boolean {
  return !message.includes(backslash) && !words.some((word) => message.includes(word))
}

/** Creates the reader of the events of one session. */
export function clientEvents(exchange: Routed): ReadClientEvent {
  // Of a member that occurs twice, or in another spelling, the gateway and the account could read different ones.
  const request = { ...exchange, operation: { ...exchange.operation, schema: eventSchema } }
  const context = { limits: defaultLimits, request, lease: () => leaseOf(exchange) }

  async function read(message: Buffer): Promise<ClientEvent> {
    const body = await parseBody(message, context)
    try {
      refuseFiles(body.json)
      const type = stringAt(body.json, 'type')
      const eventId = stringAt(body.json, 'event_id')
      const isUpdate = type === 'session.update' || type === 'transcription_session.update'
      return { message: isUpdate ? updated(exchange, body) : message, type, eventId }
    } finally {
      body.release?.()
    }
  }

  return (message) => (passes(message) ? undefined : read(message))
}

/** A change of the session, with the account's name of the model. Throws `GatewayError` for another model. */
function updated(exchange: Routed, { bytes, json, members }: RequestBody): Buffer {
  const { candidate, model, snapshot } = exchange
  const session = objectAt(json, 'session')
  resolveModel(exchange, { ...exchange.call, model: '', ...otherModelsOf(session) })
  const name = stringAt(session, 'model')
  if (name === undefined) return bytes
  const isSame =
    [model.requested, model.name, candidate.upstreamModel].includes(name) ||
    snapshot.resolve(name)?.name === model.name
  if (!isSame) {
    const message = 'The model of a session cannot be changed: open another session.'
    throw new GatewayError('invalid_value', message, { param: 'session.model' })
  }
  const at = findMember(bytes, members.get('session')?.start ?? 0, 'model')
  const text = JSON.stringify(candidate.upstreamModel)
  return at ? applyEdits(bytes, [{ ...at, text }]) : bytes
}
