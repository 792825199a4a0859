import { APICallError, generateText, isStepCount, jsonSchema, streamText, tool } from 'ai'
import { describe, expect, test } from 'vitest'

import { aiProviders, once } from './ai.ts'
import { callingModel, weather, weatherInput } from './tools.ts'
import { caught, collect, loggedId, startWalk } from './walk.ts'

const prompt = 'hi there'

describe.for(aiProviders)('$name', ({ model }) => {
  test('a client that asks gets the answer and its usage', async () => {
    await using walk = await startWalk()
    const answer = await generateText({ ...once, model: model(walk, 'sandbox/echo'), prompt })
    expect(answer).toMatchObject({ text: 'You said: hi there', finishReason: 'stop' })
    expect(answer.usage).toMatchObject({ inputTokens: 2, outputTokens: 4 })
  })

  test('a client that streams sees the text grow until it is complete', async () => {
    await using walk = await startWalk()
    const stream = streamText({ ...once, model: model(walk, 'sandbox/echo'), prompt })
    expect(await collect(stream.textStream)).toEqual(['You', ' said:', ' hi', ' there'])
    expect(await stream.finishReason).toBe('stop')
    expect(await stream.usage).toMatchObject({ inputTokens: 2, outputTokens: 4 })
  })

  test.for([false, true])('a tool is called and answered, streamed: %s', async (stream) => {
    await using walk = await startWalk()
    const inputs: unknown[] = []
    const weatherTool = tool({
      description: weather.description,
      inputSchema: jsonSchema(weather.parameters),
      execute: (input) => {
        inputs.push(input)
        return 'sunny'
      },
    })
    const asked = {
      ...once,
      model: model(walk, callingModel),
      prompt,
      tools: { weather: weatherTool },
      stopWhen: isStepCount(3),
    }
    const steps = stream ? await streamText(asked).steps : (await generateText(asked)).steps
    expect(steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop'])
    expect(steps.at(-1)?.text).toMatch(/^The tool answered: .*sunny/)
    expect(inputs).toEqual([weatherInput])
  })
})

// Of chat completions the SDK reads no thoughts.
const thoughtful = aiProviders.filter(({ name }) => name !== '@ai-sdk/openai, chat')

test.for(thoughtful)('$name, a client reads what the model thinks', async ({ model }) => {
  await using walk = await startWalk()
  const asked = { ...once, model: model(walk, 'sandbox/think'), prompt }
  const answer = await generateText(asked)
  expect(answer).toMatchObject({
    reasoningText: 'The user wrote: hi there',
    text: 'You said: hi there',
  })
  expect(await streamText(asked).reasoningText).toBe('The user wrote: hi there')
})

describe.for(aiProviders)('$name, errors', ({ model }) => {
  test('a client with a wrong key reads the words of the gateway', async () => {
    await using walk = await startWalk()
    const asked = { ...once, model: model(walk, 'sandbox/echo', 'wrong'), prompt }
    const error = await caught(APICallError, generateText(asked))
    expect(error).toMatchObject({ statusCode: 401, message: 'The API key is not valid.' })
    expect(error.responseHeaders?.['x-request-id']).toBe(await loggedId(walk))
  })

  test('a client that asks for an unknown model reads the words of the gateway', async () => {
    await using walk = await startWalk()
    const error = await caught(
      APICallError,
      generateText({ ...once, model: model(walk, 'acme/unknown'), prompt }),
    )
    expect(error.statusCode).toBe(404)
    expect(error.message).toContain('The model `acme/unknown` does not exist')
    expect(error.responseHeaders?.['x-request-id']).toBe(await loggedId(walk))
  })

  test.for(['spec', 'upstream'] as const)(
    'a client reads the words of an account, errors: %s',
    async (errors) => {
      await using walk = await startWalk({ errors })
      for (const statusCode of [400, 429, 503]) {
        const id = `sandbox/status=${statusCode}+message=not`
        const error = await caught(
          APICallError,
          generateText({ ...once, model: model(walk, id), prompt }),
        )
        expect(error).toMatchObject({ statusCode, message: 'not', isRetryable: statusCode !== 400 })
      }
    },
  )

  test('a client that streams reads the words of an account that refuses', async () => {
    await using walk = await startWalk()
    const errors: unknown[] = []
    const stream = streamText({
      ...once,
      model: model(walk, 'sandbox/status=429+message=not'),
      prompt,
      onError: ({ error }) => void errors.push(error),
    })
    await collect(stream.fullStream)
    expect(errors).toMatchObject([{ statusCode: 429, message: 'not' }])
    expect(errors[0]).toBeInstanceOf(APICallError)
  })
})
