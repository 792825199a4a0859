import { describe, expect, test } from 'vitest'

import { genaiVersions, textOf } from './genai.ts'
import { collect, startWalk } from './walk.ts'

const question = { model: 'sandbox/echo', contents: 'hi there' }
const hardQuestion = { ...question, config: { thinkingConfig: { includeThoughts: true } } }

describe.for(genaiVersions)('$name, generate content', ({ path, connect }) => {
  test('a client that asks gets the answer and its usage', async () => {
    await using walk = await startWalk()
    const answer = await connect(walk).models.generateContent(question)
    expect(answer.text).toBe('You said: hi there')
    expect(answer.candidates?.[0]?.finishReason).toBe('STOP')
    expect(answer.usageMetadata).toMatchObject({ promptTokenCount: 2, candidatesTokenCount: 4 })
    const [line] = await walk.gateway.logged(1)
    expect(line).toMatchObject({
      route: 'generate.create',
      account: 'a',
      model_resolved: 'sandbox/echo',
      path: `${path}:generateContent`,
    })
    expect(answer.sdkHttpResponse?.headers?.['x-request-id']).toBe(line?.request_id)
  })

  test('a client that iterates over a stream sees the text grow until it is complete', async () => {
    await using walk = await startWalk()
    const chunks = await collect(await connect(walk).models.generateContentStream(question))
    expect(chunks.map(({ text }) => text)).toEqual(['You', ' said:', ' hi', ' there'])
    expect(chunks.at(-1)?.candidates?.[0]?.finishReason).toBe('STOP')
    expect(chunks.at(-1)?.usageMetadata?.totalTokenCount).toBe(6)
  })

  test('a client that lets the model think tells the thoughts from the text', async () => {
    await using walk = await startWalk()
    const { models } = connect(walk)
    const plain = await models.generateContent(hardQuestion)
    expect(textOf([plain])).toBe('You said: hi there')
    expect(plain.candidates?.[0]?.content?.parts?.[0]).toMatchObject({
      thought: true,
      text: 'The user wrote: hi there',
    })

    const chunks = await collect(await models.generateContentStream(hardQuestion))
    const parts = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
    const thoughts = parts.filter(({ thought }) => thought)
    expect(thoughts.map(({ text }) => text).join('')).toBe('The user wrote: hi there')
    expect(parts.at(-1)?.thoughtSignature).toBeTruthy()
  })

  test('a chat sends its history along, with the signatures of the thoughts', async () => {
    await using walk = await startWalk()
    const { model, config } = hardQuestion
    const chat = connect(walk).chats.create({ model, config })
    expect(textOf([await chat.sendMessage({ message: 'hi' })])).toBe('You said: hi')
    const chunks = await collect(await chat.sendMessageStream({ message: 'again' }))
    expect(textOf(chunks)).toBe('You said: again')
    expect(textOf([await chat.sendMessage({ message: 'enough' })])).toBe('You said: enough')
    const [, , last] = walk.sandbox.requests
    expect(String(last?.body).match(/"thoughtSignature"/g)).toHaveLength(2)
  })

  test('a client counts the tokens of what it is about to send', async () => {
    await using walk = await startWalk()
    expect((await connect(walk).models.countTokens(question)).totalTokens).toBe(2)
    const [line] = await walk.gateway.logged(1)
    expect(line).toMatchObject({ route: 'generate.count_tokens', account: 'a' })
  })
})
