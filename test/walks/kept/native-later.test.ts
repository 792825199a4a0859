import type OpenAI from 'openai-7'
import { describe, expect, test } from 'vitest'

import { ask, connect, refusal, ways } from '../chaining/asking.ts'
import { startStage } from '../chaining/stage.ts'
import { foreign, lastTold, newest, startKept, wordsTold } from './stage.ts'

const tools: OpenAI.Responses.Tool[] = [
  { type: 'function', name: 'weather', parameters: { type: 'object' }, strict: false },
]

const speaksNow = { a: { speaks: ['responses'] } }

describe.concurrent.for(foreign)('an account that spoke %s and speaks Responses now', (before) => {
  test.for(ways)('goes on from what was kept, told in full ($way)', async (way) => {
    await using stage = await startKept(before)
    const client = connect(stage)
    const first = await ask(client, { input: 'one apple' }, way)
    stage.configure(speaksNow)

    const second = await ask(client, { input: 'two pears', previous_response_id: first.id }, way)
    const url = stage.sandbox.requests.at(-1)?.url
    const told = JSON.parse(lastTold(stage)) as object
    const third = await ask(client, { input: 'plums', previous_response_id: second.id }, way)

    expect(url).toBe('/v1/responses')
    expect(told).not.toHaveProperty('previous_response_id')
    expect(told).toMatchObject({ store: false })
    expect([second, third].map(({ output_text }) => output_text)).toEqual(['a', 'a'])
    expect(wordsTold(stage, 'plums', 'two pears', 'one apple')).toEqual([
      'one apple',
      'two pears',
      'plums',
    ])
    expect(await client.responses.retrieve(second.id)).toMatchObject({ id: second.id })
    expect(stage.asked('b')).toEqual([])
  })

  test('goes on in a tool loop, without the reasoning that others have signed', async () => {
    await using stage = await startKept(before)
    const client = connect(stage)
    const model = 'sandbox/think+tool'
    const reasoning = { effort: 'medium' } as const
    const { id, output } = await ask(client, { model, tools, reasoning, input: 'Is it warm?' })
    stage.configure(speaksNow)

    const call = output.find((item) => item.type === 'function_call')
    const said = {
      type: 'function_call_output',
      call_id: call?.call_id ?? '',
      output: '3',
    } as const
    const next = await ask(client, { model, tools, input: [said], previous_response_id: id })

    expect(next.output_text).toContain('The tool answered: 3')
    expect(lastTold(stage)).not.toContain('gw1.')
  })
})

test('an account that spoke Responses and speaks chat now does not go on from its own', async () => {
  await using stage = await startStage()
  const client = connect(stage)
  const { id } = await ask(client)
  stage.configure({ a: { speaks: ['chat'] }, b: { speaks: ['chat'] } })

  const asked = ask(client, { previous_response_id: id })
  const { status, body } = await refusal(newest, asked)

  expect({ status, body }).toMatchObject({
    status: 503,
    body: { code: 'previous_response_account_unavailable' },
  })
  expect(stage.asked('b')).toEqual([])
})
