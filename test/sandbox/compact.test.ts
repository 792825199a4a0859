import { describe, expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { clientsOf } from './clients.ts'
import { noPrevious, noResponse } from './refusals.ts'

const model = 'm'

describe('a client that compacts a response', () => {
  test('keeps what its user said, and the rest as a secret', async () => {
    await using sandbox = await startSandbox()
    const { responses } = clientsOf(sandbox).openai
    const { id } = await responses.create({ model: 'sandbox/words=200', input: 'go on' })

    const compacted = await responses.compact({ model, previous_response_id: id, input: 'and on' })

    expect(compacted).toMatchObject({
      id: expect.stringMatching(/^resp_/),
      object: 'response.compaction',
      created_at: expect.any(Number),
      output: [
        { type: 'message', role: 'user', content: [{ text: 'go on' }] },
        { type: 'message', role: 'user', content: [{ text: 'and on' }] },
        { type: 'compaction', id: expect.stringMatching(/^cmp_/) },
      ],
    })
    expect(JSON.stringify(compacted)).not.toContain('keeps talking')
    const { input_tokens, output_tokens, total_tokens } = compacted.usage
    expect(input_tokens).toBeGreaterThan(output_tokens)
    expect(total_tokens).toBe(input_tokens + output_tokens)
    await expect(responses.retrieve(compacted.id)).rejects.toMatchObject(noResponse(compacted.id))
  })

  test('goes on with less, but not with nothing', async () => {
    await using sandbox = await startSandbox()
    const { responses } = clientsOf(sandbox).openai
    const { id } = await responses.create({ model: 'sandbox/words=200', input: 'go on' })
    const { output } = await responses.compact({ model, previous_response_id: id })
    const onlyUser = output.filter(({ type }) => type !== 'compaction')
    const count = async (fields: object) =>
      (await responses.inputTokens.count({ model, ...fields })).input_tokens

    const whole = await count({ previous_response_id: id })
    const compacted = await count({ input: output })

    expect(compacted).toBeLessThan(whole)
    expect(compacted).toBeGreaterThan(await count({ input: onlyUser }))
    const input = [...output, { role: 'user', content: 'still there?' }]
    const response = await responses.create({ model, input: input as never })
    expect(response.output_text).toBe('You said: still there?')
    const next = { model, input: 'yes?', previous_response_id: response.id }
    expect((await responses.create(next)).usage!.input_tokens).toBeGreaterThan(compacted)
  })

  test('can go on with it only at the same account', async () => {
    await using sandbox = await startSandbox()
    const { responses } = clientsOf(sandbox).openai
    const { output } = await responses.compact({ model, input: 'hello' })
    const elsewhere = clientsOf(sandbox, 'sandbox-key-b').openai.responses

    const asked = elsewhere.create({ model, input: output as never })

    const code = 'invalid_encrypted_content'
    await expect(asked).rejects.toMatchObject({ status: 400, code, param: 'input' })
  })
})

test.each([
  ['a model', { input: 'hi' }, 'model', 'missing_required_parameter'],
  ['anything to compact', { model }, 'input', 'missing_required_parameter'],
  ['no field but its own', { model, input: 'hi', stream: true }, 'stream', 'unknown_parameter'],
])('compacting takes %s', async (_, body, param, code) => {
  await using sandbox = await startSandbox()
  const { responses } = clientsOf(sandbox).openai

  const asked = responses.compact(body as { model: string })

  await expect(asked).rejects.toMatchObject({ status: 400, param, code })
})

test('compacting and counting know only the responses of their account', async () => {
  await using sandbox = await startSandbox()
  const { id } = await clientsOf(sandbox).openai.responses.create({ model, input: 'hi' })
  const { responses } = clientsOf(sandbox, 'sandbox-key-b').openai
  const request = { model, input: 'on', previous_response_id: id }

  await expect(responses.compact(request)).rejects.toMatchObject(noPrevious(id))
  await expect(responses.inputTokens.count(request)).rejects.toMatchObject(noPrevious(id))
})

test('the tokens of a conversation are counted without being said in it', async () => {
  await using sandbox = await startSandbox()
  const { conversations, responses } = clientsOf(sandbox).openai
  const { id: conversation } = await conversations.create({
    items: [{ role: 'user', content: 'a question of some length' }],
  })

  const counted = await responses.inputTokens.count({ model, input: 'on', conversation })

  expect(counted).toEqual({ object: 'response.input_tokens', input_tokens: 6 })
  expect((await conversations.items.list(conversation)).data).toHaveLength(1)
})
