import { ChatObserver } from '../../plugins/dialects/chat/observer.ts'
import { chatOutcome } from '../../plugins/dialects/chat/outcome.ts'
import { GenerateObserver } from '../../plugins/dialects/generate/observer.ts'
import { generateOutcome } from '../../plugins/dialects/generate/outcome.ts'
import { MessagesObserver } from '../../plugins/dialects/messages/observer.ts'
import { messageOutcome } from '../../plugins/dialects/messages/outcome.ts'
import { ResponsesObserver } from '../../plugins/dialects/responses/observer.ts'
import { responseOutcome } from '../../plugins/dialects/responses/outcome.ts'
import type { JsonObject } from '../../src/lib/json/object.ts'
import type { Observer } from '../../src/contract/observer.ts'
import type { Routed } from '../../src/contract/exchange.ts'
import type { Outcome, Usage } from '../../src/contract/outcome.ts'
import { formatFrame } from '../../src/lib/sse.ts'

/** What a reply says that passes untranslated, with usage as its account tells it. */
export interface NativeReply {
  readonly json: (usage: JsonObject) => JsonObject
  readonly events: (usage: JsonObject) => readonly JsonObject[]
  readonly outcome: (json: unknown) => Outcome
  readonly observer: () => Observer
}

const candidate = { dialect: {} }
const exchange = {
  call: {},
  candidate,
  body: { json: {}, members: new Map() },
} as unknown as Routed

const choice = { index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }
const piece = { index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }
const candidates = [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }]
const block = { type: 'text', text: 'Hi' }
const message = { id: 'msg_1', type: 'message', role: 'assistant', stop_reason: 'end_turn' }
const response = { id: 'resp_1', object: 'response', status: 'completed', output: [] }

/** One of every dialect. */
export const nativeReplies: Readonly<
  Record<'chat' | 'generate' | 'messages' | 'responses', NativeReply>
> = {
  chat: {
    json: (usage) => ({ id: 'c', choices: [choice], usage }),
    events: (usage) => [
      { id: 'c', choices: [piece] },
      { id: 'c', choices: [], usage },
    ],
    outcome: chatOutcome,
    observer: () => new ChatObserver(exchange),
  },
  generate: {
    json: (usageMetadata) => ({ responseId: 'g', candidates, usageMetadata }),
    events: (usageMetadata) => [{ responseId: 'g', candidates, usageMetadata }],
    outcome: generateOutcome,
    observer: () => new GenerateObserver(exchange),
  },
  messages: {
    json: (usage) => ({ ...message, content: [block], usage }),
    events: (usage) => [
      {
        type: 'message_start',
        message: { ...message, content: [], usage: { ...usage, output_tokens: 1 } },
      },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
      { type: 'message_stop' },
    ],
    outcome: messageOutcome,
    observer: () => new MessagesObserver(exchange),
  },
  responses: {
    json: (usage) => ({ ...response, usage }),
    events: (usage) => [{ type: 'response.completed', response: { ...response, usage } }],
    outcome: responseOutcome,
    observer: () => new ResponsesObserver(exchange),
  },
}

/** What is known of the usage of a stream in the end. */
export function streamedUsage(
  observer: Observer,
  events: readonly JsonObject[],
): Usage | undefined {
  let last = observer.observe(Buffer.alloc(0))
  for (const event of events) last = observer.observe(Buffer.from(formatFrame(undefined, event)))
  if (last.phase !== 'terminal') last = observer.end()
  if (last.phase !== 'terminal') throw new Error(`The stream is not over: ${last.phase}.`)
  return last.outcome?.usage
}
