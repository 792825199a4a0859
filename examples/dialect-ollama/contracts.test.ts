import { test } from 'node:test'

import { ndjson } from 'dragoman/dialect'
import { codecContract, dialectContract } from 'dragoman/testing'

import { ollamaCodec } from './codec.ts'
import { ollama } from './dialect.ts'

const messages = [{ role: 'user', content: 'Hello' }]
const line = (content: string, more: object = { done: false }) =>
  `${JSON.stringify({ model: 'm', message: { role: 'assistant', content }, ...more })}\n`
const end = { done: true, done_reason: 'stop', prompt_eval_count: 3, eval_count: 2 }

const dialect = dialectContract({
  plugins: [ollama()],
  sample: {
    provider: 'ollama',
    path: '/api/chat',
    request: { model: 'm', messages, stream: false },
    streamRequest: { model: 'm', messages },
    reply: JSON.parse(line('Hello there', end)) as object,
    framing: ndjson,
    frames: [line('Hello '), line('there'), line('', end)],
    errorFrames: (message) => [`${JSON.stringify({ error: message })}\n`],
    isError: (data) => data.startsWith('{"error":'),
  },
})

const codec = codecContract({ codec: ollamaCodec, framing: ndjson, toolNames: /./ })

for (const check of [...dialect, ...codec]) void test(check.name, check.run)
