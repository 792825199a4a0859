import type { Converter } from '../../../src/contract/conversion.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { objectAt, objectsIn, stringAt, tokensAt } from '../../../src/lib/json/read.ts'
import {
  type EmbeddingInput,
  type EmbeddingRequest,
  type EmbeddingResult,
  base64OfNumbers,
  hasTooManyNumbers,
  numbersOf,
} from '../../../src/media/embedding.ts'
import {
  assertWhole,
  dropOthers,
  embeddingUsage,
  notWhole,
  textOfInput,
} from '../shared/embedding-inputs.ts'

const known: ReadonlySet<string> = new Set([
  'dimensions',
  'encoding_format',
  'input',
  'model',
  // A hint that no client misses.
  'user',
])

const supported = new Set(['dimensions'] as const)

/** OpenAI's embeddings (docs/wire/openai.md 6). */
export const embeddingsCodec: Converter<EmbeddingRequest, EmbeddingResult> = {
  decodeRequest(body) {
    return {
      inputs: inputsOf(body.input),
      ...(typeof body.dimensions === 'number' && { dimensions: body.dimensions }),
      names: { inputs: 'input', dimensions: 'dimensions' },
      further: Object.keys(body).filter((name) => !known.has(name)),
    }
  },
  encode(request, model, drop) {
    dropOthers(request, supported, drop)
    const { inputs, dimensions } = request
    const input = inputs.map((one) => one.tokens ?? textOfInput(one, request))
    const json = { model, input, ...(dimensions !== undefined && { dimensions }) }
    return [{ method: 'POST', path: '/v1/embeddings', json }]
  },
  decode([reply = {}], { inputs }) {
    const items = inOrder(objectsIn(reply.data))
    assertWritable(items)
    const vectors = items.map(({ embedding }) => {
      const numbers = numbersOf(embedding)
      return numbers && { numbers }
    })
    return {
      result: { vectors: assertWhole(vectors, inputs.length) },
      model: stringAt(reply, 'model'),
      usage: usageOf(reply),
    }
  },
  encodeReply({ result, usage }, { encoding_format: format }, model) {
    const data = result.vectors.map(({ numbers }, index) => ({
      object: 'embedding',
      index,
      embedding: format === 'base64' ? base64OfNumbers(numbers) : numbers,
    }))
    const tokens = usage?.inputTokens
    return {
      object: 'list',
      data,
      model,
      ...(tokens !== undefined && { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
    }
  },
}

/** A list of numbers is the tokens of one input. */
function inputsOf(input: unknown): EmbeddingInput[] {
  if (!Array.isArray(input)) return [inputOf(input)]
  return typeof input[0] === 'number' ? [inputOf(input)] : input.map(inputOf)
}

function inputOf(value: unknown): EmbeddingInput {
  return typeof value === 'string' ? { text: value } : { tokens: value as number[] }
}

/** The items by their `index`, if each has one. Throws `GatewayError` if two have the same. */
export function inOrder<Item extends object>(items: Item[]): Item[] {
  const places = items.map((item) => tokensAt(item, 'index'))
  const isSorted = places.every((place, index) => place === undefined || place === index)
  if (isSorted || places.includes(undefined)) return items
  const sorted = items.toSorted((one, other) => tokensAt(one, 'index')! - tokensAt(other, 'index')!)
  if (sorted.every((item, index) => tokensAt(item, 'index') === index)) return sorted
  throw notWhole(items.length)
}

/** Throws `GatewayError` if base64 has too many numbers to write each as a text. */
export function assertWritable(items: readonly JsonObject[]): void {
  if (!hasTooManyNumbers(items.map(({ embedding }) => embedding))) return
  throw new GatewayError('upstream_reply_too_large', "The upstream's reply has too many numbers.")
}

/** What an account reports of the tokens of a reply. */
export function usageOf(reply: unknown) {
  const usage = objectAt(reply, 'usage')
  return embeddingUsage(tokensAt(usage, 'prompt_tokens') ?? tokensAt(usage, 'total_tokens'))
}
