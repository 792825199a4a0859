import type { RelayedContent } from '../../../src/contract/attempt.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import { defineOperation } from '../../../src/contract/operation.ts'
import { checkWord, requireString, wrong } from '../../../src/kit/checks.ts'
import { stringAt } from '../../../src/lib/json/read.ts'
import { essenceOf } from '../../../src/lib/media-type.ts'
import { AudioObserver } from './observer.ts'
import { speechSchema } from './schema.ts'
import { charactersOf, speechUsage } from './usage.ts'

const path = '/v1/audio/speech'

/** In UTF-16 units. OpenAI accepts 4,096 characters, other servers whole books; longer texts would take long to count. */
const longestInput = 1_000_000

/** `POST /v1/audio/speech`: the account's audio passes as it arrives. */
export const createSpeech = defineOperation({
  id: 'audio.speech',
  method: 'POST',
  paths: [path],
  auth: 'key',
  capability: 'speak',
  summary: 'Speak a text; `stream_format: sse` streams events in place of the bytes',
  schema: speechSchema,
  replies: ['audio/mpeg', 'application/octet-stream', 'text/event-stream'],
  understand(_exchange, { json, members }) {
    const model = requireString(json, 'model')
    if (requireString(json, 'input').length > longestInput) {
      throw wrong('input', `at most ${longestInput} characters long`)
    }
    checkVoice(json['voice'] ?? undefined)
    checkWord(json, 'stream_format', ['sse', 'audio'])
    return {
      model,
      modelAt: members.get('model'),
      stream: json['stream_format'] === 'sse',
      refersTo: [],
      edits: [],
      losses: [],
    }
  },
  least: { body: { input: 'Hello', voice: 'alloy' } },
  forward: {
    target: ({ call, request: { query } }) => ({
      path,
      query,
      ...(!call.stream && { headers: { accept: '*/*' } }),
    }),
    content: ({ call, body }) => (call.stream ? undefined : audioOf(body.json['input'])),
    observer(exchange) {
      const characters = charactersOf(exchange.body.json['input'])
      const usageOf = (json: unknown) => speechUsage(json, characters)
      return new AudioObserver(exchange, { done: 'speech.audio.done', usageOf })
    },
    // No reply is JSON.
    outcome: () => ({ status: 'completed', fault: 'none' }),
  },
})

function checkVoice(voice: unknown): void {
  if (voice === undefined || typeof voice === 'string') return
  if (stringAt(voice, 'id') === undefined) throw wrong('voice', 'a string, or an object with `id`')
}

/** A reply of bytes reports no usage, so the characters count. */
function audioOf(input: unknown): RelayedContent {
  return {
    usage: { characters: charactersOf(input) },
    accept(status, { 'content-type': type }) {
      if (status !== 200 || (typeof type === 'string' && isMessage(essenceOf(type))))
        throw noAudio()
    },
    begins(bytes) {
      const text = bytes.toString('latin1', 0, mostOfStart).replace(byteOrderMark, '').trimStart()
      if (startOfMessage.test(text)) throw noAudio()
      return bytes.length >= mostOfStart || !(text === '' || mayBeMessage.test(text))
    },
  }
}

/** In bytes. */
const mostOfStart = 128

const byteOrderMark = /^\u00ef\u00bb\u00bf/

/** Errors that some servers send as audio: JSON with a name, a page, an event. No format begins so, and no samples do by chance. */
const startOfMessage =
  /^(?:\[?\s*\{\s*"[\w -]{1,64}"\s*:|<(?:!doctype|html|\?xml)|(?:event|data): ?[{"\w])/i

const mayBeMessage = /^[[{<ed]/i

function noAudio(): GatewayError {
  const message = 'The upstream replied with something else than audio.'
  return new GatewayError('upstream_invalid_reply', message)
}

/** Whether a type is of an error or of a page, which some servers send with the status 200. */
function isMessage(essence: string): boolean {
  return essence.startsWith('text/') || /json|xml|html/.test(essence)
}
