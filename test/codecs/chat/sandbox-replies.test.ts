import { describe, expect, test } from 'vitest'

import { chatCodec } from '../../../plugins/dialects/chat/codec/index.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import type { GenerateRequest } from '../../../src/generate/request.ts'
import type { GenerateResult } from '../../../src/generate/result.ts'
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts'
import { neutral } from './asking.ts'
import { parsed, read, streamed } from './reading.ts'

const tools = [{ kind: 'function', name: 'look' }] as const

async function ask({ url }: Sandbox, steering: string, request: Partial<GenerateRequest>) {
  const { path, body } = chatCodec.encodeRequest(neutral(request), 'm', () => {})
  const response = await fetch(url + path, {
    method: 'POST',
    headers: {
      authorization: 'Bearer sandbox-key-a',
      'content-type': 'application/json',
      'x-sandbox': steering,
    },
    body: JSON.stringify(body),
  })
  return response.text()
}

async function replies(
  steering: string,
  request: Partial<GenerateRequest>,
): Promise<[json: GenerateResult, stream: GenerateResult]> {
  await using sandbox = await startSandbox()
  const json = await ask(sandbox, steering, request)
  const { chunks } = parsed(await ask(sandbox, steering, { ...request, stream: true }))
  return [read(JSON.parse(json) as JsonObject, request), streamed(chunks, { request })]
}

/** Ids of replies and calls are new in each. */
function meaning({ choices, usage }: GenerateResult) {
  return {
    usage,
    choices: choices.map(({ content, stop }) => ({
      stop,
      content: content.map((part) => (part.type === 'tool_call' ? { ...part, id: '' } : part)),
    })),
  }
}

describe('an account that is asked twice, for JSON and for a stream', () => {
  test.each<[string, Partial<GenerateRequest>, object]>([
    ['text=Hello there', {}, { stop: { reason: 'stop' }, content: [{ text: 'Hello there' }] }],
    [
      'think;text=Hi',
      {},
      { content: [{ type: 'reasoning' }, { type: 'text', text: 'Hi' }], stop: { reason: 'stop' } },
    ],
    [
      'tools=2',
      { tools },
      {
        content: [
          { type: 'tool_call', name: 'look' },
          { type: 'tool_call', name: 'look' },
        ],
        stop: { reason: 'tool_calls' },
      },
    ],
    ['refuse', {}, { content: [{ type: 'refusal' }], stop: { reason: 'refused' } }],
    ['words=50', { maxOutputTokens: 2 }, { stop: { reason: 'length' } }],
    ['text=Hi;nousage', { candidates: 2 }, { content: [{ type: 'text', text: 'Hi' }] }],
  ])('to do %s with %j means the same', async (steering, request, expected) => {
    const [json, stream] = await replies(steering, request)

    expect(meaning(stream)).toEqual(meaning(json))
    expect(json.choices[0]).toMatchObject(expected)
    expect(json.choices).toHaveLength(request.candidates ?? 1)
  })
})
