import type { Converter } from '../../../src/contract/conversion.ts'
import { wrong } from '../../../src/kit/checks.ts'
import { type JsonObject, isObject } from '../../../src/lib/json/object.ts'
import { objectAt, objectsIn, tokensAt } from '../../../src/lib/json/read.ts'
import {
  type EmbeddingInput,
  type EmbeddingRequest,
  type EmbeddingResult,
  listedNumbers,
} from '../../../src/media/embedding.ts'
import { assertWhole, dropOthers, embeddingUsage, textOfInput } from '../shared/embedding-inputs.ts'
import { memberOf, unknownMembers } from '../shared/google-members.ts'
import { accountModelPath } from '../shared/google-paths.ts'

/** The most contents of a batch. */
export const mostContents = 100

const names = {
  inputs: 'content',
  dimensions: 'outputDimensionality',
  task: 'taskType',
  title: 'title',
  truncates: 'autoTruncate',
}

const supported = new Set(['dimensions', 'task', 'title'] as const)

/** Gemini's embeddings: one content, or a batch of them (docs/wire/gemini.md 3). */
export const embedContentCodec: Converter<EmbeddingRequest, EmbeddingResult> = {
  decodeRequest(body) {
    const isBatch = body.requests !== undefined
    const items = isBatch ? objectsIn(body.requests) : [body]
    const settings = items.map((item) => ({ ...item, ...configOf(item) }))
    const lengths = new Set(settings.map((item) => memberOf(item, names.dimensions)))
    if (lengths.size > 1) throw wrong(`requests.${names.dimensions}`, 'the same in each request')
    const [dimensions] = lengths
    const truncates = memberOf(settings[0] ?? {}, names.truncates)
    return {
      inputs: settings.map(inputOf),
      ...(typeof dimensions === 'number' && { dimensions }),
      ...(typeof truncates === 'boolean' && { truncates }),
      names,
      further: [
        ...(isBatch ? unknownMembers(body, ['requests']) : []),
        ...new Set(settings.flatMap((item) => unknownMembers(item, members))),
      ],
    }
  },
  encode(request, model, drop) {
    dropOthers(request, supported, drop)
    const path = accountModelPath(model, 'batchEmbedContents')
    const name = `models/${model.replace(/^models\//, '')}`
    const requests = request.inputs.map((input) => ({
      model: name,
      content: { parts: input.parts ?? [{ text: textOfInput(input, request) }] },
      ...(input.task !== undefined && { taskType: input.task }),
      ...(input.title !== undefined && { title: input.title }),
      ...(request.dimensions !== undefined && { outputDimensionality: request.dimensions }),
    }))
    return chunksOf(requests).map((some) => ({ method: 'POST', path, json: { requests: some } }))
  },
  decode(replies, { inputs }) {
    const embeddings = replies.flatMap((reply) => objectsIn(reply.embeddings))
    const vectors = embeddings.map(({ values }) => {
      const numbers = listedNumbers(values)
      return numbers && { numbers }
    })
    return {
      result: { vectors: assertWhole(vectors, inputs.length) },
      usage: embeddingUsage(tokensOf(replies)),
    }
  },
  encodeReply({ result, usage }, body) {
    const embeddings = result.vectors.map(({ numbers }) => ({ values: numbers }))
    const tokens = usage?.inputTokens
    const { isTruncated } = result.vectors[0] ?? {}
    return {
      ...(body.requests === undefined
        ? {
            embedding: embeddings[0],
            ...(isTruncated !== undefined && { truncated: isTruncated }),
          }
        : { embeddings }),
      ...(tokens !== undefined && {
        usageMetadata: { promptTokenCount: tokens, totalTokenCount: tokens },
      }),
    }
  },
}

/** The members of a request that are read. */
const members = [
  'model',
  'content',
  'embedContentConfig',
  names.dimensions,
  names.task,
  names.title,
  names.truncates,
]

/** Vertex AI has the settings in an object of their own. */
function configOf(item: JsonObject): JsonObject {
  const config = memberOf(item, 'embedContentConfig')
  return isObject(config) ? config : {}
}

function inputOf(item: JsonObject): EmbeddingInput {
  const parts = objectsIn(objectAt(item, 'content')?.parts)
  const texts = parts.flatMap(({ text }) => (typeof text === 'string' ? text : []))
  const task = memberOf(item, names.task)
  const title = memberOf(item, names.title)
  return {
    ...(texts.length === parts.length ? { text: texts.join('') } : { parts }),
    ...(typeof task === 'string' && { task }),
    ...(typeof title === 'string' && { title }),
  }
}

function chunksOf<Item>(list: readonly Item[]): Item[][] {
  const count = Math.ceil(list.length / mostContents)
  return Array.from({ length: count }, (_, index) =>
    list.slice(index * mostContents, (index + 1) * mostContents),
  )
}

/** The sum of the tokens that the replies report. `undefined`: a reply reports no tokens. */
export function tokensOf(replies: readonly unknown[]): number | undefined {
  let sum = 0
  for (const reply of replies) {
    const tokens = tokensAt(objectAt(reply, 'usageMetadata'), 'promptTokenCount')
    if (tokens === undefined) return undefined
    sum += tokens
  }
  return sum
}
