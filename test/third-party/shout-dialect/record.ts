import {
  defineOperation,
  fillPath,
  GatewayError,
  type JsonObject,
  type Reply,
} from '../../../src/dialect-kit/index.ts'
import { understandWords } from './say.ts'

const path = '/shout/v1/recordings'

/** An account records first and hands out later; a client gets the recording in one answer. */
export const record = defineOperation({
  id: 'shout.record',
  method: 'POST',
  paths: [path],
  auth: 'key',
  capability: 'shout-record',
  summary: 'Record words',
  understand: (_exchange, body) => understandWords(body, false),
  async perform(_exchange, send) {
    const { ticket } = read(await send({ path }))
    if (typeof ticket !== 'string') {
      throw new GatewayError('upstream_invalid_reply', 'The upstream gave no ticket.')
    }
    const recording = await send({ method: 'GET', path: fillPath(`${path}/{ticket}`, { ticket }) })
    return { ...recording, headers: { 'content-type': 'application/json', 'x-ticket': ticket } }
  },
})

/** What `send` resolves with is JSON, whole, in a buffer. */
function read({ body }: Reply): JsonObject {
  return JSON.parse((body as Buffer).toString()) as JsonObject
}
