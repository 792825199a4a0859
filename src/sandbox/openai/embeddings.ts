import { ruleFault } from '../fault.ts'
import { type JsonObject, listOf, numberOf, textOf } from '../json.ts'
import type { Call, Endpoint, Reply } from '../provider.ts'
import { type Shape, choice, integer, list, object, string } from '../shape.ts'
import { base64Of, vectorOf } from '../text/vector.ts'
import { countTokens } from '../text/words.ts'
import { modelName } from './fields.ts'
import { openai } from './provider.ts'

const mostInputs = 2_048
const mostTokensOfInput = 8_192
const mostTokens = 300_000

const text = string({ min: 1 })
const tokens = list(integer({ min: 0 }), { min: 1 })
const texts = list(text, { min: 1, max: mostInputs })
const tokenLists = list(tokens, { min: 1, max: mostInputs })

/** One text, its tokens, or a list of either. */
const input: Shape = (value, path) => {
  if (!Array.isArray(value)) return text(value, path)
  if (typeof value[0] === 'number') return tokens(value, path)
  return Array.isArray(value[0]) ? tokenLists(value, path) : texts(value, path)
}

const request = object({
  required: { model: modelName, input },
  optional: {
    dimensions: integer({ min: 1 }),
    encoding_format: choice('float', 'base64'),
    user: string(),
  },
})

/** `POST /v1/embeddings`. */
export const embeddings: Endpoint = {
  provider: openai,
  method: 'POST',
  path: /^\/v1\/embeddings$/,
  hasBody: true,
  answer,
}

function answer({ body, directives }: Call): Reply {
  request(body, [])
  const model = textOf(body['model'])
  if (body['dimensions'] !== undefined && /ada-002/.test(model))
    throw ruleFault(['dimensions'], 'This model does not support specifying dimensions.')
  const inputs = inputsOf(body['input'])
  const counts = inputs.map(tokensOf)
  const sum = counts.reduce((all, count) => all + count, 0)
  if (counts.some((count) => count > mostTokensOfInput))
    throw ruleFault(
      ['input'],
      `This model's maximum context length is ${mostTokensOfInput} tokens, however you requested ${Math.max(...counts)} tokens. Please reduce your prompt.`,
    )
  if (sum > mostTokens)
    throw ruleFault(
      ['input'],
      `Requested ${sum} tokens, max ${mostTokens} tokens per request`,
      'max_tokens_per_request',
    )
  const data = inputs.map((one, index) => ({
    object: 'embedding',
    index,
    embedding: encoded(vectorOf(seedOf(one), numberOf(body['dimensions'])), body),
  }))
  const usage = directives.nousage ? {} : { usage: { prompt_tokens: sum, total_tokens: sum } }
  return { json: { object: 'list', data, model, ...usage } }
}

/** A list of numbers is the tokens of one text. */
function inputsOf(value: unknown): unknown[] {
  const items = listOf(value)
  return items.length === 0 || typeof items[0] === 'number' ? [value] : items
}

function seedOf(one: unknown): string {
  return typeof one === 'string' ? one : JSON.stringify(one)
}

function tokensOf(one: unknown): number {
  return typeof one === 'string' ? countTokens(one) : listOf(one).length
}

function encoded(vector: number[], body: JsonObject): number[] | string {
  return body['encoding_format'] === 'base64' ? base64Of(vector) : vector
}
