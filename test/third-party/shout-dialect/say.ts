import {
  checkBoolean,
  defineOperation,
  requireString,
  type Call,
  type ForwardOperation,
} from '../../../src/index.ts'
import { ShoutObserver } from './observer.ts'
import { shoutOutcome } from './reply.ts'

type Body = Parameters<ForwardOperation['understand']>[1]

/** `voice` is the model, `loud` asks for a stream. */
export const say = defineOperation({
  id: 'shout.say',
  method: 'POST',
  paths: ['/shout/v1/say'],
  auth: 'key',
  capability: 'shout',
  summary: 'Say words, word by word when they are loud',
  schema: { request: { type: 'object', required: ['voice', 'words'] } },
  understand: (_exchange, body) => understandWords(body, body.json.loud === true),
  forward: {
    target: ({ request }) => ({ path: '/shout/v1/say', query: request.query }),
    observer: (exchange) => new ShoutObserver(exchange),
    outcome: shoutOutcome,
  },
})

export function understandWords({ json, members }: Body, stream: boolean): Call {
  const model = requireString(json, 'voice')
  requireString(json, 'words')
  checkBoolean(json, 'loud')
  const modelAt = members.get('voice')
  return { model, stream, refersTo: [], edits: [], losses: [], modelAt }
}
