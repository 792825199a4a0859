import type OpenAI from 'openai-7'
import { describe, expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { until } from '../../src/testing/until.ts'
import { clientsOf } from './clients.ts'

/** What was said in a conversation, in order. */
async function said({ conversations }: OpenAI, id: string): Promise<unknown[]> {
  const texts: unknown[] = []
  for await (const item of conversations.items.list(id, { order: 'asc' })) {
    const [part] = item.type === 'message' ? item.content : []
    texts.push(part && 'text' in part ? part.text : item.type)
  }
  return texts
}

describe('a client that asks in a conversation', () => {
  test.for([{ form: 'its id' }, { form: 'an object' }])(
    'finds question and answer in it, having named it by $form',
    async ({ form }) => {
      await using sandbox = await startSandbox()
      const { openai } = clientsOf(sandbox)
      const { id } = await openai.conversations.create()
      const conversation = form === 'an object' ? { id } : id

      const first = await openai.responses.create({ model: 'm', input: 'one', conversation })
      const second = await openai.responses.create({ model: 'm', input: 'two', conversation })

      expect([first.conversation, second.conversation]).toEqual([{ id }, { id }])
      expect(second.previous_response_id).toBeNull()
      expect(second.usage!.input_tokens).toBeGreaterThan(first.usage!.input_tokens)
      expect(await said(openai, id)).toEqual(['one', 'You said: one', 'two', 'You said: two'])
    },
  )

  test('gets a stream that names it as well', async () => {
    await using sandbox = await startSandbox()
    const { openai } = clientsOf(sandbox)
    const { id } = await openai.conversations.create()

    const stream = openai.responses.stream({ model: 'm', input: 'hi', conversation: id })

    expect((await stream.finalResponse()).conversation).toEqual({ id })
    expect(await said(openai, id)).toEqual(['hi', 'You said: hi'])
  })

  test('answers the call of a tool that was made in it', async () => {
    await using sandbox = await startSandbox()
    const { openai } = clientsOf(sandbox)
    const { id: conversation } = await openai.conversations.create()
    const called = await openai.responses.create({
      model: 'sandbox/tool=look',
      input: 'hi',
      conversation,
    })
    const [call] = called.output
    const call_id = call?.type === 'function_call' ? call.call_id : ''

    const early = openai.responses.create({ model: 'm', input: 'well?', conversation })
    await expect(early).rejects.toMatchObject({ status: 400, param: 'input' })
    const answered = await openai.responses.create({
      model: 'm',
      input: [{ type: 'function_call_output', call_id, output: 'sunny' }],
      conversation,
    })

    expect(answered.output_text).toBe('The tool answered: sunny')
  })

  test('cannot go on from a response at the same time', async () => {
    await using sandbox = await startSandbox()
    const { openai } = clientsOf(sandbox)
    const { id: conversation } = await openai.conversations.create()
    const { id: previous_response_id } = await openai.responses.create({ model: 'm', input: 'hi' })
    const both = { model: 'm', input: 'hi', conversation, previous_response_id }
    const refused = { status: 400, code: 'mutually_exclusive_parameters' }

    await expect(openai.responses.create(both)).rejects.toMatchObject(refused)
    await expect(openai.responses.inputTokens.count(both)).rejects.toMatchObject(refused)
    expect(await said(openai, conversation)).toEqual([])
  })
})

describe('a client that asks in a conversation, in the background,', () => {
  const background = true

  test('finds question and answer in it together, when the work is done', async () => {
    await using sandbox = await startSandbox()
    const { openai } = clientsOf(sandbox)
    const { id: conversation } = await openai.conversations.create()
    const { id } = await openai.responses.create({
      model: 'm',
      input: 'hi',
      conversation,
      background,
    })

    expect(await said(openai, conversation)).toEqual([])
    await until(async () => (await openai.responses.retrieve(id)).status === 'completed')

    expect(await said(openai, conversation)).toEqual(['hi', 'You said: hi'])
  })

  test('has it for itself until then', async () => {
    await using sandbox = await startSandbox()
    const { openai } = clientsOf(sandbox)
    const { id: conversation } = await openai.conversations.create()
    const request = { model: 'm', input: 'hi', conversation }
    const { id } = await openai.responses.create({ ...request, background })
    const locked = { status: 400, code: 'conversation_locked', param: 'conversation' }

    await expect(openai.responses.create(request)).rejects.toMatchObject(locked)
    await openai.responses.cancel(id)

    expect((await openai.responses.create(request)).status).toBe('completed')
    expect(await said(openai, conversation)).toEqual(['hi', 'You said: hi'])
  })
})
