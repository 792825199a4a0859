import { newId } from '../ids.ts'
import { type JsonObject, isObject, listOf, textOf } from '../json.ts'
import type { Call, Endpoint, Reply } from '../provider.ts'
import { type Shape, list, object, string, stringOr, variants } from '../shape.ts'
import { imageUrl } from './fields.ts'
import { openai } from './provider.ts'

const part = variants('type', {
  text: { required: { text: string() } },
  image_url: { required: { image_url: object({ required: { url: imageUrl } }) } },
})

const input: Shape = stringOr(list(stringOr(part), { min: 1 }))

const request = object({ required: { input }, optional: { model: string({ min: 1 }) } })

const categories = [
  'harassment',
  'harassment/threatening',
  'hate',
  'hate/threatening',
  'illicit',
  'illicit/violent',
  'self-harm',
  'self-harm/intent',
  'self-harm/instructions',
  'sexual',
  'sexual/minors',
  'violence',
  'violence/graphic',
]

/** `POST /v1/moderations`. A text with the word "attack" is flagged as violence. */
export const moderations: Endpoint = {
  provider: openai,
  method: 'POST',
  path: /^\/v1\/moderations$/,
  hasBody: true,
  answer,
}

function answer({ body }: Call): Reply {
  request(body, [])
  const given = body['input']
  const items = listOf(given)
  // Parts are one input together.
  const inputs = typeof given === 'string' ? [given] : items.some(isObject) ? [items] : items
  return {
    json: {
      id: newId('modr-'),
      model: textOf(body['model']) || 'omni-moderation-latest',
      results: inputs.map((one) => verdictOn(JSON.stringify(one))),
    },
  }
}

function verdictOn(text: string): JsonObject {
  const isViolent = /attack/i.test(text)
  const of = (value: (name: string) => unknown) =>
    Object.fromEntries(categories.map((name) => [name, value(name)]))
  return {
    flagged: isViolent,
    categories: of((name) => isViolent && name === 'violence'),
    category_scores: of((name) => (isViolent && name === 'violence' ? 0.9 : 0.01)),
    category_applied_input_types: of(() => ['text']),
  }
}
