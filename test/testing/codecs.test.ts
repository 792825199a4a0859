import { describe, test } from 'vitest'

import { ndjson } from '../../src/dialect-kit/index.ts'
import { codecContract, type CodecContractOptions } from '../../src/testing/index.ts'
import { codecs } from '../codecs/samples/index.ts'
import { ollamaCodec } from '../examples/ollama/plugin.ts'

const subjects: Readonly<Record<string, CodecContractOptions>> = {
  responses: { codec: codecs.responses, oneWay: ['document_context', 'store'] },
  chat: {
    codec: codecs.chat,
    clientBody: { stream: true, stream_options: { include_usage: true } },
    oneWay: ['document_context'],
  },
  messages: {
    codec: codecs.messages,
    model: 'claude-opus-4-5',
    oneWay: ['reasoning_effort', 'service_tier'],
  },
  generate: {
    codec: codecs.generate,
    oneWay: ['document_context'],
    toolNames: /^[a-zA-Z_][\w.:-]{0,127}$/,
  },
  ollama: { codec: ollamaCodec, framing: ndjson, toolNames: /./ },
}

describe.each(Object.entries(subjects))('the codec of %s', (_, options) => {
  for (const check of codecContract(options)) test(check.name, check.run)
})
