import { expect, test } from 'vitest'

import type { AssistantPart, Signature } from '../../../src/generate/content.ts'
import type { GenerateRequest } from '../../../src/generate/request.ts'
import { openMemoryStore } from '../../../src/stores/memory.ts'
import type { SignedParts, SignedCall } from '../../../src/contract/services.ts'
import { createSignatureMemory } from '../../../src/translate/signatures.ts'
import { collectLines } from '../../../src/testing/lines.ts'
import { createLog } from '../../../src/lib/log.ts'

const mine: Signature = { dialect: 'messages', value: 'sig' }
const thought = { type: 'reasoning', form: 'summary', text: 'Hm.', signature: mine } as const
const text = { type: 'text', text: 'I look.' } as const
const call = (id: string) =>
  ({ type: 'tool_call', id, name: 'f', kind: 'function', arguments: '{}' }) as const

function asking(...content: AssistantPart[]): GenerateRequest {
  const turns = [{ role: 'assistant', content } as const]
  return { stream: false, turns, tools: [], sampling: {}, fields: {}, extras: [] }
}

/** What becomes of an answer that the client sends back. */
async function recalled(kept: readonly SignedCall[], ...content: AssistantPart[]) {
  const records = openMemoryStore().records<SignedParts>('signatures')
  const memory = createSignatureMemory(records, { warn() {} })
  await memory.keep('me', kept)
  const { turns } = await memory.recall('me', asking(...content))
  return turns[0]?.role === 'assistant' ? turns[0].content : undefined
}

test('thoughts come back to the beginning of the answer, and signatures to their calls', async () => {
  const kept = [
    { call: call('a'), reasoning: [thought], signature: mine },
    { call: call('b'), reasoning: [] },
  ]
  expect(await recalled(kept, text, call('a'), call('b'))).toEqual([
    thought,
    text,
    { ...call('a'), signature: mine },
    call('b'),
  ])
})

test('later thoughts come back in front of the call that they led to', async () => {
  const later = { ...thought, text: 'Two.' }
  const kept = [
    { call: call('a'), reasoning: [thought] },
    { call: call('b'), reasoning: [later] },
  ]
  const content = [text, call('a'), call('b')]
  expect(await recalled(kept, ...content)).toEqual([thought, text, call('a'), later, call('b')])
})

test('what the client kept of the same thoughts is not told twice', async () => {
  const unsigned = { type: 'reasoning', form: 'raw', text: 'Hm.' } as const
  const kept = [{ call: call('a'), reasoning: [thought] }]
  expect(await recalled(kept, unsigned, call('a'))).toEqual([thought, call('a')])
  expect(await recalled([], unsigned, call('a'))).toEqual([unsigned, call('a')])
})

test('what the client itself brings back signed stays', async () => {
  const other: Signature = { dialect: 'generate', value: 'other' }
  const kept = [{ call: call('a'), reasoning: [thought], signature: mine }]
  const signedCall = { ...call('a'), signature: other }
  expect(await recalled(kept, signedCall)).toEqual([signedCall])
  const signedThought = { ...thought, signature: other }
  expect(await recalled(kept, signedThought, call('a'))).toEqual([
    signedThought,
    { ...call('a'), signature: mine },
  ])
})

test('another key recalls nothing, whatever the ids look like', async () => {
  const records = openMemoryStore().records<SignedParts>('signatures')
  const memory = createSignatureMemory(records, { warn() {} })
  await memory.keep('me', [{ call: call('a b'), reasoning: [], signature: mine }])
  for (const [key, id] of [
    ['you', 'a b'],
    ['me a', 'b'],
    ['m', 'e a b'],
  ] as const) {
    const request = asking(call(id))
    expect(await memory.recall(key, request)).toEqual(request)
  }
  expect(await memory.recall('me', asking(call('a b')))).not.toEqual(asking(call('a b')))
})

test('signatures are kept for seven days', async () => {
  const written: unknown[] = []
  const records = {
    getMany: async () => [],
    setMany: async (entries: readonly unknown[]) => void written.push(...entries),
  }
  await createSignatureMemory(records, { warn() {} }).keep('me', [
    { call: call('a'), reasoning: [] },
  ])
  expect(written).toMatchObject([{ ttlMs: 7 * 24 * 60 * 60 * 1000 }])
})

test('a store that fails costs the signatures and nothing else', async () => {
  const { sink, lines } = collectLines()
  const broken = () => Promise.reject(new Error('no store'))
  const memory = createSignatureMemory({ getMany: broken, setMany: broken }, createLog(sink))
  const request = asking(call('a'))
  await memory.keep('me', [{ call: call('a'), reasoning: [thought] }])
  expect(await memory.recall('me', request)).toBe(request)
  expect(lines.map(({ msg }) => msg)).toEqual([
    'writing signatures failed; reasoning is not continued',
    'reading signatures failed; reasoning is not continued',
  ])
})

test('the store is not asked for requests without calls, and once for each call', async () => {
  const asked: (readonly string[])[] = []
  const records = {
    getMany: async (ids: readonly string[]) => {
      asked.push(ids)
      return []
    },
    setMany: async () => {},
  }
  const memory = createSignatureMemory(records, { warn() {} })
  await memory.recall('me', asking(text))
  await memory.recall('me', asking(call('a'), call('a'), call('b')))
  expect(asked).toEqual([[expect.stringMatching(/^me a /), expect.stringMatching(/^me b /)]])
})
