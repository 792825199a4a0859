import * as kit from 'dragoman/dialect'

import { ollamaCodec } from './codec.ts'
import { errorBody, readUsage } from './replies.ts'

/** The meaning of a complete reply, and of the last line of a stream. */
function outcomeOf(json: unknown): kit.Outcome {
  const failure = kit.errorIn(json)
  if (failure) return kit.failedOutcome(502, failure)
  return {
    status: kit.stringAt(json, 'done_reason') === 'length' ? 'incomplete' : 'completed',
    fault: 'none',
    usage: kit.knownUsage(readUsage(json)),
  }
}

/** Watches a stream of lines, which the one with `done: true` completes. */
class OllamaObserver extends kit.NativeObserver {
  protected override classify({ json }: kit.ObservedEvent): kit.Observation {
    const failure = kit.errorIn(json)
    if (failure) return this.reportedError(502, failure['message'], 'account')
    if (json?.['done'] !== true) return { phase: 'output' }
    return { phase: 'terminal', outcome: outcomeOf(json) }
  }
}

const chat = kit.defineOperation({
  id: 'ollama.chat',
  method: 'POST',
  paths: ['/api/chat'],
  auth: 'key',
  capability: 'generate',
  summary: 'Chat; streamed unless `stream` is false',
  replies: ['application/json', 'application/x-ndjson'],
  understand(_exchange, { json, members }) {
    kit.checkBoolean(json, 'stream')
    kit.checkObject(json, 'options')
    kit.readList(json['messages'], 'messages')
    const model = kit.requireString(json, 'model')
    const call = { model, modelAt: members.get('model'), stream: json['stream'] !== false }
    return { ...call, refersTo: [], edits: [], losses: [] }
  },
  forward: {
    target: () => ({ path: '/api/chat' }),
    observer: (exchange) => new OllamaObserver(exchange),
    outcome: outcomeOf,
    modelPaths: { reply: ['model'], frame: ['model'] },
  },
})

const tags = kit.defineOperation({
  id: 'ollama.tags',
  method: 'GET',
  paths: ['/api/tags'],
  auth: 'key',
  summary: 'List the models',
  serve(exchange) {
    const { caller, snapshot } = exchange as kit.Authenticated
    const names = snapshot.modelNames.filter((name) => caller.mayUse(name))
    const body = JSON.stringify({ models: names.map((name) => ({ name, model: name })) })
    return { status: 200, headers: { 'content-type': 'application/json' }, body }
  },
})

export const ollama = (): kit.GatewayPlugin =>
  kit.definePlugin({
    name: 'ollama',
    dialects: [
      kit.defineDialect({
        id: 'ollama',
        title: 'Ollama API',
        credential: (request) => kit.firstCredential(request, [kit.bearer]),
        error: (error) => ({ status: error.status, body: errorBody(error) }),
        framing: kit.ndjson,
        upstream: {
          base: 'bare',
          providers: { ollama: { baseUrl: 'http://127.0.0.1:11434' } },
          headers: ({ credential = 'ollama' }) => ({ authorization: `Bearer ${credential}` }),
        },
        operations: [chat, tags],
        generate: { codec: ollamaCodec, produces: 'ollama' },
      }),
    ],
  })
