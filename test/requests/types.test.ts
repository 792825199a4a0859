import { describe, test } from 'vitest'

import type { DialectName } from './dialects.ts'
import { startService } from './service.ts'
import { expectAccepted, expectRefused } from './verdict.ts'

type Kind = 'string' | 'boolean' | 'integer' | 'array' | 'object'

const samples: Record<Kind, unknown> = {
  string: 'auto',
  boolean: true,
  integer: 3,
  array: [{ type: 'a' }],
  object: { type: 'a', name: 'a' },
}

/** Lists of other items. */
const arrays: Readonly<Record<string, unknown>> = {
  modalities: ['text'],
  include: ['reasoning.encrypted_content'],
}

const kinds = Object.keys(samples) as Kind[]

/** What each field may be, where the contract says so. */
const fields: Record<DialectName, Record<string, readonly Kind[]>> = {
  responses: {
    input: ['string', 'array'],
    instructions: ['string'],
    stream: ['boolean'],
    store: ['boolean'],
    parallel_tool_calls: ['boolean'],
    include: ['array'],
    max_output_tokens: ['integer'],
    max_tool_calls: ['integer'],
    text: ['object'],
    reasoning: ['object'],
    tools: ['array'],
    tool_choice: ['string', 'object'],
    truncation: ['string'],
    service_tier: ['string'],
    metadata: ['object'],
    user: ['string'],
    safety_identifier: ['string'],
    prompt_cache_key: ['string'],
    prompt: ['string', 'object'],
  },
  chat: {
    messages: ['array'],
    metadata: ['object'],
    logprobs: ['boolean'],
    user: ['string'],
    safety_identifier: ['string'],
    prompt_cache_key: ['string'],
    service_tier: ['string'],
    modalities: ['array'],
    max_completion_tokens: ['integer'],
    max_tokens: ['integer'],
    stream: ['boolean'],
    stream_options: ['object'],
    store: ['boolean'],
    tools: ['array'],
    tool_choice: ['string', 'object'],
    parallel_tool_calls: ['boolean'],
    function_call: ['string', 'object'],
    functions: ['array'],
  },
  messages: {
    max_tokens: ['integer'],
    messages: ['array'],
    metadata: ['object'],
    stream: ['boolean'],
    tools: ['array'],
    tool_choice: ['object'],
  },
  generate: {
    contents: ['array'],
    generationConfig: ['object'],
  },
}

/** A stream would need an upstream that streams; a request that must have it cannot be null. */
const notSent = new Set(['stream', 'input', 'messages', 'max_tokens', 'contents'])

describe.each(Object.entries(fields))('%s', (dialect, expected) => {
  test.each(Object.entries(expected))('%s is of its type', async (field, allowed) => {
    const name = dialect as DialectName
    await using service = await startService()
    for (const kind of kinds) {
      const sample = (kind === 'array' && arrays[field]) || samples[kind]
      const value = { [field]: sample }
      if (!allowed.includes(kind)) await expectRefused(service, name, value, field)
      else if (field !== 'stream') await expectAccepted(service, name, value)
    }
    if (!notSent.has(field)) await expectAccepted(service, name, { [field]: null })
  })
})

test('responses: stream_options only with stream', async () => {
  await using service = await startService()
  const options = { stream_options: { include_obfuscation: false } }
  await expectRefused(service, 'responses', options, 'stream_options')
  await expectRefused(service, 'responses', { ...options, stream: false }, 'stream_options')
})
