import { expect, test } from 'vitest'

import type { GenerateRequest } from '../../../src/generate/request.ts'
import type { GenerateResult } from '../../../src/generate/result.ts'
import { collected, decodedResult, readFrames, request } from './codec.ts'
import { startAccount } from './sandbox.ts'

const tools = [
  { kind: 'function', name: 'weather', parameters: { type: 'object', properties: {} } },
  { kind: 'custom', name: 'shout' },
] as const

const cases: [string, string, Partial<GenerateRequest>][] = [
  ['a text', 'sandbox/words=20', {}],
  [
    'thoughts and a text',
    'sandbox/think+text=hello',
    { reasoning: { summary: 'auto', show: true } },
  ],
  ['two calls', 'sandbox/tools=2', { tools }],
  ['a free-text call', 'sandbox/tool=shout', { tools }],
  ['a refusal', 'sandbox/refuse', {}],
  ['a text that is cut', 'sandbox/finish=max_output_tokens', {}],
  ['no usage', 'sandbox/nousage', {}],
]

test.each(cases)('an account tells %s in a stream as it does in JSON', async (_, model, told) => {
  await using account = await startAccount()
  const json = decodedResult(await account.ask(request(told), model), told) as GenerateResult
  const frames = await account.stream(request(told), model)
  const streamed = collected(readFrames(frames), told)
  expect(comparable(streamed)).toEqual(comparable(json))
  expect(json.choices).toHaveLength(1)
})

/** Ids and seals are made anew for each reply. */
function comparable(result: GenerateResult | undefined) {
  const [choice] = result?.choices ?? []
  const content = choice?.content.map((part) => {
    const { signature, ...rest } = part as { signature?: { dialect: string }; id?: string }
    return { ...rest, id: typeof rest.id, signed: signature?.dialect }
  })
  return { content, stop: choice?.stop, usage: result?.usage, model: result?.model }
}
