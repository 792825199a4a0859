import { generateText, streamText } from 'ai'
import { describe, expect, test } from 'vitest'

import { until } from '../../../src/testing/until.ts'
import { aiProviders, once } from './ai.ts'
import { anthropicVersions } from './anthropic.ts'
import { genaiVersions } from './genai.ts'
import { chatHelpers, openaiVersions } from './openai.ts'
import { startWalk, type Walk } from './walk.ts'

/** A model that goes on and on, and one that takes its time before the first word. */
const endless = 'sandbox/words=5000+pace=5'
const pensive = 'sandbox/delay=60000'

const messages = [{ role: 'user' as const, content: 'hi' }]

describe.for(openaiVersions)('$name, a client that aborts', ({ OpenAI, connect }) => {
  test('a plain call gets the abort error, and the account is let go', async () => {
    await using walk = await startWalk()
    const { chat, responses } = connect(walk)
    for (const ask of [
      (signal: AbortSignal) => responses.create({ model: pensive, input: 'hi' }, { signal }),
      (signal: AbortSignal) => chat.completions.create({ model: pensive, messages }, { signal }),
    ])
      expect(await abortedCall(walk, ask)).toBeInstanceOf(OpenAI.APIUserAbortError)
    await expectLetGo(walk, 2)
  })

  test('the stream helpers raise the abort error, and the account is let go', async () => {
    await using walk = await startWalk()
    const client = connect(walk)
    const response = client.responses.stream({ model: endless, input: 'hi' })
    response.once('response.output_text.delta', () => response.abort())
    await expect(response.finalResponse()).rejects.toBeInstanceOf(OpenAI.APIUserAbortError)

    const completion = chatHelpers(client).stream({ model: endless, messages })
    completion.once('content', () => completion.abort())
    await expect(completion.finalChatCompletion()).rejects.toBeInstanceOf(OpenAI.APIUserAbortError)
    await expectLetGo(walk, 2)
  })

  test('an iteration that is left in the middle lets the account go', async () => {
    await using walk = await startWalk()
    const { chat, responses } = connect(walk)
    const asked = { model: endless, stream: true as const }
    for await (const event of await responses.create({ ...asked, input: 'hi' }))
      if (event.type === 'response.output_text.delta') break
    for await (const { choices } of await chat.completions.create({ ...asked, messages }))
      if (choices[0]?.delta.content) break
    await expectLetGo(walk, 2)
  })
})

describe.for(anthropicVersions)('$name, a client that aborts', ({ Anthropic, connect }) => {
  const asked = { model: endless, max_tokens: 8000, messages }

  test('a plain call gets the abort error, and the account is let go', async () => {
    await using walk = await startWalk()
    const client = connect(walk)
    const error = await abortedCall(walk, (signal) =>
      client.messages.create({ ...asked, model: pensive }, { signal }),
    )
    expect(error).toBeInstanceOf(Anthropic.APIUserAbortError)
    await expectLetGo(walk, 1)
  })

  test('the stream helper raises the abort error, and the account is let go', async () => {
    await using walk = await startWalk()
    const stream = connect(walk).messages.stream(asked)
    stream.once('text', () => stream.abort())
    await expect(stream.finalMessage()).rejects.toBeInstanceOf(Anthropic.APIUserAbortError)
    await expectLetGo(walk, 1)
  })

  test('an iteration that is left in the middle lets the account go', async () => {
    await using walk = await startWalk()
    for await (const { type } of await connect(walk).messages.create({ ...asked, stream: true }))
      if (type === 'content_block_delta') break
    await expectLetGo(walk, 1)
  })
})

describe.for(genaiVersions)('$name, a client that aborts', ({ connect }) => {
  test('a plain call gets an error, and the account is let go', async () => {
    await using walk = await startWalk()
    const { models } = connect(walk)
    const error = await abortedCall(walk, (abortSignal) =>
      models.generateContent({ model: pensive, contents: 'hi', config: { abortSignal } }),
    )
    expect(String(error)).toMatch(/abort/i)
    await expectLetGo(walk, 1)
  })

  test('a stream raises, and the account is let go', async () => {
    await using walk = await startWalk()
    const controller = new AbortController()
    const asked = { model: endless, contents: 'hi', config: { abortSignal: controller.signal } }
    const iterate = async () => {
      for await (const { text } of await connect(walk).models.generateContentStream(asked))
        if (text) controller.abort()
    }
    await expect(iterate()).rejects.toThrow(/abort/i)
    await expectLetGo(walk, 1)
  })
})

describe.for(aiProviders)('$name, a client that aborts', ({ model }) => {
  const asked = { ...once, prompt: 'hi' }

  test('a plain call gets the abort error, and the account is let go', async () => {
    await using walk = await startWalk()
    const error = await abortedCall(walk, (abortSignal) =>
      generateText({ ...asked, model: model(walk, pensive), abortSignal }),
    )
    expect(error).toMatchObject({ name: 'AbortError' })
    await expectLetGo(walk, 1)
  })

  test('a stream ends as aborted, and the account is let go', async () => {
    await using walk = await startWalk()
    const controller = new AbortController()
    const { signal: abortSignal } = controller
    const stream = streamText({ ...asked, model: model(walk, endless), abortSignal })
    const types: string[] = []
    for await (const { type } of stream.fullStream) {
      types.push(type)
      if (type === 'text-delta') controller.abort()
    }
    expect(types.at(-1)).toBe('abort')
    await expectLetGo(walk, 1)
  })
})

/** What a call raises that is aborted when the account is at work on it. */
async function abortedCall(
  { sandbox }: Walk,
  ask: (signal: AbortSignal) => Promise<unknown>,
): Promise<unknown> {
  const before = sandbox.requests.length
  const controller = new AbortController()
  const raised = ask(controller.signal).catch((error: unknown) => error)
  await until(() => sandbox.requests.length > before)
  controller.abort()
  return raised
}

async function expectLetGo({ gateway, sandbox }: Walk, calls: number): Promise<void> {
  await until(() => sandbox.requests.every(({ finished }) => finished === 'aborted'))
  expect(sandbox.requests).toHaveLength(calls)
  expect(sandbox.openStreams()).toBe(0)
  for (const line of await gateway.logged(calls))
    expect(line).toMatchObject({ stream_end: 'client_gone', account: 'a', attempts: 1 })
}
