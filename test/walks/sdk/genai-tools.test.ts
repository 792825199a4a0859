import {
  type CallableTool,
  type Content,
  type FunctionCall,
  FunctionCallingConfigMode,
} from 'genai-3'
import { describe, expect, test } from 'vitest'

import { genaiVersions, textOf } from './genai.ts'
import { callingModel, weather, weatherAnswer, weatherInput } from './tools.ts'
import { collect, startWalk } from './walk.ts'

const { parameters, ...named } = weather

const declaration = { ...named, parametersJsonSchema: parameters }
const question = {
  model: callingModel,
  contents: [{ role: 'user', parts: [{ text: 'How is the weather?' }] }] as Content[],
  config: { tools: [{ functionDeclarations: [declaration] }] },
}

describe.for(genaiVersions)('$name, tools', ({ connect }) => {
  test.for([false, true])(
    'a call comes back, and its result goes in, streamed: %s',
    async (stream) => {
      await using walk = await startWalk()
      const { models } = connect(walk)
      const ask = async (request: typeof question) =>
        stream
          ? (await collect(await models.generateContentStream(request))).at(-1)!
          : models.generateContent(request)

      const asked = await ask(question)
      expect(asked.functionCalls).toMatchObject([{ name: 'weather', args: weatherInput }])

      const called = asked.candidates?.[0]?.content as Content
      const contents = [...question.contents, called, resultsOf(asked.functionCalls)]
      const answered = await models.generateContent({ ...question, contents })
      expect(answered.text).toBe(weatherAnswer)
    },
  )

  test('a model that is made to call a function calls it', async () => {
    await using walk = await startWalk()
    const mode = FunctionCallingConfigMode.ANY
    const toolConfig = { functionCallingConfig: { mode, allowedFunctionNames: ['weather'] } }
    const answer = await connect(walk).models.generateContent({
      ...question,
      model: 'sandbox/echo',
      config: { ...question.config, toolConfig },
    })
    expect(answer.functionCalls).toMatchObject([{ name: 'weather', args: weatherInput }])
  })

  test.for([false, true])('automatic function calling goes round, streamed: %s', async (stream) => {
    await using walk = await startWalk()
    const inputs: unknown[] = []
    const tool: CallableTool = {
      tool: () => Promise.resolve({ functionDeclarations: [declaration] }),
      callTool(calls) {
        inputs.push(...calls.map(({ args }) => args))
        return Promise.resolve(resultsOf(calls).parts)
      },
    }
    const asked = { ...question, config: { tools: [tool] } }
    const { models } = connect(walk)
    const answers = stream
      ? await collect(await models.generateContentStream(asked))
      : [await models.generateContent(asked)]
    expect(textOf(answers)).toBe(weatherAnswer)
    expect(inputs).toEqual([weatherInput])
  })
})

function resultsOf(calls: FunctionCall[] = []) {
  const response = { output: 'sunny' }
  return {
    role: 'user',
    parts: calls.map(({ name = '' }) => ({ functionResponse: { name, response } })),
  }
}
