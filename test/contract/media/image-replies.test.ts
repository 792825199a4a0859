import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { answerJson, answerStream } from '../../../src/testing/fake-account.ts'
import { oddReplies, shapeViolation } from '../replies.ts'
import { type AccountKind, type ProbeStage, probeStage } from '../stage.ts'
import { imageEvent, imageResult } from './image-shapes.ts'
import { pictureBase64, pictureUrl } from './pictures.ts'

const usage = {
  input_tokens: 3,
  input_tokens_details: { image_tokens: 1, text_tokens: 2 },
  output_tokens: 4,
  total_tokens: 7,
}

const words = { background: 'opaque', output_format: 'png', quality: 'low', size: '1024x1024' }

const usageFields = [
  'usage',
  'usage.input_tokens',
  'usage.input_tokens_details',
  'usage.input_tokens_details.image_tokens',
  'usage.input_tokens_details.text_tokens',
  'usage.output_tokens',
  'usage.total_tokens',
]

const result = {
  created: 1_700_000_000,
  data: [
    { b64_json: pictureBase64, revised_prompt: 'a hat' },
    { url: pictureUrl },
    { b64_json: pictureBase64 },
  ],
  ...words,
  usage,
  further: 1,
}

const resultFields = [
  'created',
  'data',
  'data[0]',
  'data[0].b64_json',
  'data[0].url',
  'data[1].url',
  'data[1].b64_json',
  'data[0].revised_prompt',
  'further',
  ...Object.keys(words),
  ...usageFields,
]

const requests = {
  '/v1/images/edits': (model: string) => ({
    model,
    prompt: 'x',
    n: 2,
    images: [{ image_url: pictureUrl }],
  }),
  '/v1/images/generations': (model: string) => ({ model, prompt: 'x', n: 2 }),
}

const paths = Object.keys(requests) as (keyof typeof requests)[]

/** What accounts report of images, with each field odd. */
describe.each(paths)('%s', (path) => {
  let time = 1_700_000_000_000
  /** The reply to the next request. */
  let next: AccountKind['answer'] = answerJson({})
  let stage: ProbeStage
  beforeAll(async () => {
    const answer: AccountKind['answer'] = (response, request) => next(response, request)
    stage = await probeStage({ dialect: 'images', provider: 'openai', answer }, { now: () => time })
  })
  afterAll(() => stage[Symbol.asyncDispose]())

  async function ask(body: JsonObject): Promise<Response> {
    // The circuit of an account that has failed is closed a day later.
    time += 86_400_000
    return fetch(stage.gateway.url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${stage.gateway.key}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    })
  }

  /** Asks for images and compares the result; an account that sent none has failed. */
  async function violationOf(json: JsonObject, model: 'newer' | 'legacy') {
    next = answerJson(json)
    const name = model === 'newer' ? 'gpt-image-1' : 'dall-e-2'
    const response = await ask(requests[path](name))
    const told: unknown = await response.json()
    const isWithoutImage = response.status === 502 && !JSON.stringify(json).includes(pictureBase64)
    if (isWithoutImage || response.status === 200) {
      return isWithoutImage ? undefined : shapeViolation(imageResult(model), told)
    }
    return `status ${response.status}`
  }

  // Edits and generations write their results alike.
  for (const model of path === '/v1/images/edits' ? (['newer'] as const) : (['legacy'] as const)) {
    test.each(dailyRows(resultFields, paths.indexOf(path)))(
      `a result of the ${model} model whose %s is odd is in the contract’s words and types`,
      async (field) => {
        const found: unknown[] = []
        for (const { title, json } of oddReplies(result, field)) {
          const violation = await violationOf(json, model)
          if (violation !== undefined) found.push([title, violation])
        }
        expect(found).toEqual([])
      },
    )
  }

  const prefix = path === '/v1/images/edits' ? 'image_edit' : 'image_generation'
  const partial = {
    type: `${prefix}.partial_image`,
    b64_json: pictureBase64,
    partial_image_index: 0,
    created_at: 1_700_000_000,
    ...words,
  }
  const { partial_image_index: _, ...finished } = {
    ...partial,
    type: `${prefix}.completed`,
    usage,
  }

  /** Streams these events and compares those that the client gets. */
  async function eventViolations(events: readonly JsonObject[]): Promise<unknown[]> {
    const names = [partial.type, finished.type]
    const frames = events.map(
      (event, index) => `event: ${names[index]}\ndata: ${JSON.stringify(event)}\n\n`,
    )
    // In one chunk, so that several frames are corrected together.
    next = answerStream([frames.join('')])
    const response = await ask({ ...requests[path]('gpt-image-1'), n: 1, stream: true })
    const text = await response.text()
    if (response.status !== 200) return response.status === 502 ? [] : [response.status, text]
    const told = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data))
    return told
      .filter(({ type }) => type !== 'error')
      .map((event) => shapeViolation(imageEvent, event))
      .filter((violation) => violation !== undefined)
  }

  test.each(dailyRows(Object.keys(partial), paths.indexOf(path)))(
    'a partial image whose %s is odd is in the contract’s words and types',
    async (field) => {
      for (const { title, json } of oddReplies(partial, field)) {
        expect([title, await eventViolations([json, finished])]).toEqual([title, []])
      }
    },
  )

  test.each(dailyRows([...Object.keys(finished), ...usageFields], paths.indexOf(path) + 1))(
    'a completed image whose %s is odd is in the contract’s words and types',
    async (field) => {
      for (const { title, json } of oddReplies(finished, field)) {
        expect([title, await eventViolations([partial, json])]).toEqual([title, []])
      }
    },
  )
})
