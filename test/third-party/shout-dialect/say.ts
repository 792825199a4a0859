import {
  type Call,
  checkArray,
  checkBoolean,
  checkInteger,
  checkNumber,
  defineOperation,
  jsonOrEvents,
  type RequestBody,
  requireField,
  requireString,
} from '../../../src/dialect-kit/index.ts'
import { ShoutObserver } from './observer.ts'
import { shoutOutcome } from './reply.ts'

/**
 * `voice` is the model, `words` are a text or lines, `loud` asks for a stream. By its capability
 * accounts of other dialects may serve it, and an account of this one clients of others.
 */
export const say = defineOperation({
  id: 'shout.say',
  method: 'POST',
  paths: ['/shout/v1/say'],
  auth: 'key',
  capability: 'generate',
  summary: 'Say words, word by word when they are loud',
  schema: { request: { type: 'object', required: ['voice', 'words'] } },
  replies: jsonOrEvents,
  understand: (_exchange, body) => understandWords(body, body.json.loud === true),
  forward: {
    target: ({ request }) => ({ path: '/shout/v1/say', query: request.query }),
    observer: (exchange) => new ShoutObserver(exchange),
    outcome: shoutOutcome,
  },
})

/** Refuses requests that every account would refuse. Further members are the account's business. */
export function understandWords({ json, members }: RequestBody, stream: boolean): Call {
  const model = requireString(json, 'voice')
  requireField(json, 'words')
  if (Array.isArray(json.words)) checkArray(json, 'words', 1)
  else requireString(json, 'words')
  checkBoolean(json, 'loud')
  checkNumber(json, 'pitch', 0, 1)
  checkInteger(json, 'limit', 1)
  checkArray(json, 'helpers')
  const modelAt = members.get('voice')
  return { model, stream, refersTo: [], edits: [], losses: [], modelAt }
}
