import Anthropic0 from 'anthropic-0'
import Anthropic1 from 'anthropic-1'
import { GoogleGenAI as GenAI1 } from 'genai-1'
import { GoogleGenAI as GenAI3 } from 'genai-3'
import OpenAI4 from 'openai-4'
import OpenAI7 from 'openai-7'
import { beforeEach, expect, test, vi } from 'vitest'

import type { TestGateway } from '../../../src/testing/gateway.ts'
import { ask, receive } from './asking.ts'
import { form, type Form, type FormName, upToOutput } from './forms.ts'
import { createGate, openStream, type Stage, stage } from './scripted.ts'

type Read = (gateway: TestGateway) => Promise<AsyncIterable<unknown>>

const model = 'm'
const question = [{ role: 'user' as const, content: 'hello' }]

const chat =
  (SDK: typeof OpenAI7): Read =>
  ({ url, key }) =>
    new SDK({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 }).chat.completions.create({
      model,
      stream: true,
      messages: question,
    })

const responses =
  (SDK: typeof OpenAI7): Read =>
  ({ url, key }) =>
    new SDK({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 }).responses.create({
      model,
      stream: true,
      input: 'hello',
    })

const messages =
  (SDK: typeof Anthropic1): Read =>
  ({ url, key }) =>
    new SDK({ baseURL: url, apiKey: key, maxRetries: 0 }).messages.create({
      model,
      stream: true,
      max_tokens: 100,
      messages: question,
    })

const generate =
  (SDK: typeof GenAI3): Read =>
  ({ url, key }) =>
    new SDK({ apiKey: key, httpOptions: { baseUrl: url } }).models.generateContentStream({
      model,
      contents: 'hello',
    })

const oldOpenAI = OpenAI4 as unknown as typeof OpenAI7
const oldAnthropic = Anthropic0 as unknown as typeof Anthropic1
const oldGenAI = GenAI1 as unknown as typeof GenAI3

const readers: readonly { sdk: string; name: FormName; read: Read }[] = [
  { sdk: 'openai 4', name: 'chat', read: chat(oldOpenAI) },
  { sdk: 'openai 7', name: 'chat', read: chat(OpenAI7) },
  { sdk: 'openai 4', name: 'responses', read: responses(oldOpenAI) },
  { sdk: 'openai 7', name: 'responses', read: responses(OpenAI7) },
  { sdk: 'anthropic 0', name: 'messages', read: messages(oldAnthropic) },
  { sdk: 'anthropic 1', name: 'messages', read: messages(Anthropic1) },
  { sdk: 'genai 1', name: 'generate', read: generate(oldGenAI) },
  { sdk: 'genai 3', name: 'generate', read: generate(GenAI3) },
]

// Some of the SDKs print what they could not read.
beforeEach(() => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  return () => printed.mockRestore()
})

/** An account that, in the middle, sends an event which only begins and ends like one. */
function spoiledStage(form: Form, seen: Promise<void>): Promise<Stage> {
  return stage(form, async (response) => {
    openStream(response, upToOutput(form))
    await seen
    const spoiled = form.output[1]!.replace('data: {', 'data: {,')
    response.end(spoiled + form.ending.join(''))
  })
}

test.each(readers)(
  'a $name client with $sdk throws at an event that only looks like one',
  async ({ name, read }) => {
    const gate = createGate()
    await using scene = await spoiledStage(form[name], gate.opened)

    const readAll = async () => {
      for await (const _event of await read(scene.gateway)) gate.open()
    }

    await expect(readAll()).rejects.toThrow()
  },
)

test('a Gemini client gets no complete array when an event only looks like one', async () => {
  const gate = createGate()
  await using scene = await spoiledStage(form['generate-array'], gate.opened)

  const response = await ask(scene.gateway, form['generate-array'])
  gate.open()
  const { text } = await receive(response)

  expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError)
})
