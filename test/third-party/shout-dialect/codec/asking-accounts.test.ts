import { expect, test } from 'vitest'

import type { GenerateRequest, Tool } from '../../../../src/dialect-kit/index.ts'
import { shoutCodec } from './index.ts'

const tool = (name: string): Tool => ({ kind: 'function', name })

const hello: GenerateRequest = {
  stream: false,
  turns: [{ role: 'user', content: [{ type: 'text', text: 'hear me' }] }],
  tools: [tool('look'), tool('listen')],
  sampling: {},
  fields: {},
  extras: [],
}

function bodyOf(request: Partial<GenerateRequest>, losses: string[] = []) {
  return shoutCodec.encodeRequest({ ...hello, ...request }, 'stentor', (field) => {
    losses.push(field)
  }).body
}

test.each<[GenerateRequest['toolChoice'], object]>([
  [undefined, { helpers: [{ name: 'look' }, { name: 'listen' }] }],
  [{ mode: 'auto' }, { helpers: [{ name: 'look' }, { name: 'listen' }], call: 'may' }],
  [{ mode: 'none' }, { helpers: [{ name: 'look' }, { name: 'listen' }], call: 'never' }],
  [{ mode: 'required' }, { helpers: [{ name: 'look' }, { name: 'listen' }], call: 'must' }],
  [
    { mode: 'required', only: ['listen'] },
    { helpers: [{ name: 'listen' }], call: 'must' },
  ],
  [
    { mode: 'auto', only: ['look'] },
    { helpers: [{ name: 'look' }], call: 'may' },
  ],
  [{ mode: 'auto', only: [] }, {}],
])('the choice %j among tools is one among helpers', (toolChoice, expected) => {
  const body = bodyOf(toolChoice ? { toolChoice } : {})
  expect(body).toEqual({ voice: 'stentor', words: 'hear me', ...expected })
})

test('a temperature above 1 is the highest pitch, and top-p is lost by its own name', () => {
  const losses: string[] = []
  const request = {
    sampling: { temperature: 1.5, topP: 0.5 },
    settings: { top_p: 'generationConfig.topP' },
  }
  expect(bodyOf(request, losses)).toMatchObject({ pitch: 1 })
  expect(losses).toEqual(['generationConfig.topP'])
})

test('an answer that showed something loses it, and one that only thought is left out', () => {
  const losses: string[] = []
  const image = { type: 'image', source: { kind: 'data', base64: 'aQ==' } } as const
  const thought = { type: 'reasoning', form: 'raw', text: 'Hm.' } as const
  const turns: GenerateRequest['turns'] = [
    ...hello.turns,
    { role: 'assistant', content: [thought] },
    { role: 'assistant', content: [image, { type: 'text', text: 'LOOK' }] },
  ]
  expect(bodyOf({ turns, tools: [] }, losses)['words']).toEqual([
    { by: 'crowd', words: 'hear me' },
    { by: 'voice', words: 'LOOK' },
  ])
  expect(losses).toEqual(['image'])
})
