import { generateText, streamText } from 'ai'
import { describe, expect, test } from 'vitest'

import {
  type Answer,
  answerJson,
  answerStream,
  startFakeAccount,
} from '../../../src/testing/fake-account.ts'
import { form } from '../streams/forms.ts'
import { accountFor } from '../streams/scripted.ts'
import { aiProviders, once } from './ai.ts'
import { anthropicVersions } from './anthropic.ts'
import { openaiVersions } from './openai.ts'
import { collect, startWalk } from './walk.ts'

const prompt = 'hi there'

/** All that the account tells of its tokens: nobody knows what the answer took. */
const reply = { ...form.generate.reply, usageMetadata: { promptTokenCount: 5 } }

const script: Answer = (response, request) => {
  const isStream = request.url.includes('streamGenerateContent')
  const answer = isStream ? answerStream([`data: ${JSON.stringify(reply)}\n\n`]) : answerJson(reply)
  return answer(response, request)
}

async function walkToGemini() {
  await using starting = new AsyncDisposableStack()
  const account = starting.use(await startFakeAccount(script))
  const walk = starting.use(
    await startWalk({ accounts: [accountFor(form.generate, 'only', account.url)] }),
  )
  const started = starting.move()
  return { ...walk, [Symbol.asyncDispose]: () => started.disposeAsync() }
}

/** What is unknown is `undefined`, but where the SDK takes no message without a number. */
const known: Readonly<Record<string, object>> = {
  '@ai-sdk/openai, responses': { inputTokens: undefined, outputTokens: undefined },
  '@ai-sdk/openai, chat': { inputTokens: undefined, outputTokens: undefined },
  '@ai-sdk/anthropic': { inputTokens: 5, outputTokens: 0 },
  '@ai-sdk/google': { inputTokens: 5 },
  '@ai-sdk/google, model with its prefix': { inputTokens: 5 },
}

test.for(aiProviders)('$name reads an answer whose tokens nobody told', async ({ name, model }) => {
  await using walk = await walkToGemini()
  const asked = { ...once, model: model(walk, 'm'), prompt }

  const answer = await generateText(asked)
  const stream = streamText(asked)
  const pieces = await collect(stream.textStream)

  expect([answer.text, pieces.join('')]).toEqual(['Hello there.', 'Hello there.'])
  expect([answer.finishReason, await stream.finishReason]).toEqual(['stop', 'stop'])
  expect(answer.usage).toMatchObject(known[name]!)
  expect(await stream.usage).toMatchObject(known[name]!)
})

describe.for(openaiVersions)('$name', ({ connect }) => {
  test('chat completions have no usage rather than a wrong one', async () => {
    await using walk = await walkToGemini()
    const { completions } = connect(walk).chat
    const asked = { model: 'm', messages: [{ role: 'user' as const, content: prompt }] }

    const answer = await completions.create(asked)
    const streamed = { ...asked, stream: true as const, stream_options: { include_usage: true } }
    const chunks = await collect(await completions.create(streamed))

    expect(answer.choices[0]).toMatchObject({ message: { content: 'Hello there.' } })
    expect(answer).not.toHaveProperty('usage')
    expect(chunks.map(({ choices }) => choices[0]?.finish_reason).at(-1)).toBe('stop')
    expect(chunks.filter(({ usage }) => usage)).toEqual([])
  })

  test('responses have none either', async () => {
    await using walk = await walkToGemini()
    const { responses } = connect(walk)
    const asked = { model: 'm', input: prompt }

    const answer = await responses.create(asked)
    const streamed = await responses.stream(asked).finalResponse()

    for (const { output_text, status, usage } of [answer, streamed]) {
      expect({ output_text, status, usage }).toEqual({
        output_text: 'Hello there.',
        status: 'completed',
        usage: null,
      })
    }
  })
})

test.for(anthropicVersions)('$name adds up what there is', async ({ connect }) => {
  await using walk = await walkToGemini()
  const { messages } = connect(walk)
  const asked = {
    model: 'm',
    max_tokens: 50,
    messages: [{ role: 'user' as const, content: prompt }],
  }

  const answer = await messages.create(asked)
  const streamed = await messages.stream(asked).finalMessage()

  for (const { content, usage } of [answer, streamed]) {
    expect(content).toMatchObject([{ text: 'Hello there.' }])
    expect(usage).toMatchObject({ input_tokens: 5, output_tokens: 0 })
  }
})
