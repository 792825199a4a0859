import { newId } from '../ids.ts'
import { isObject, listOf, numberOf, textOf } from '../json.ts'
import { openai } from '../openai/provider.ts'
import type { Call, Endpoint, Provider, Reply } from '../provider.ts'
import { boolean, integer, list, object, string, stringOr } from '../shape.ts'

/** Cohere: the key as a bearer token, errors with a message alone. */
const cohere: Provider = {
  ...openai,
  replyHeaders: () => ({}),
  renderProblem: (problem, requestId) => ({ id: requestId, message: problem.message }),
}

const document = stringOr(object({ open: true }))

const request = object({
  required: {
    model: string({ min: 1 }),
    query: string({ min: 1 }),
    documents: list(document, { min: 1, max: 10_000 }),
  },
  optional: {
    top_n: integer({ min: 1 }),
    return_documents: boolean,
    max_tokens_per_doc: integer({ min: 1 }),
    priority: integer({ min: 0 }),
  },
})

/** Documents that one unit of a search pays for. */
const documentsOfUnit = 100

/** `POST /v1/rerank`, `/v2/rerank` and `/rerank`: documents with more words of the query come first. */
export const rerank: Endpoint = {
  provider: cohere,
  method: 'POST',
  path: /^(?:\/v[12])?\/rerank$/,
  hasBody: true,
  answer,
}

function answer({ body, directives }: Call): Reply {
  request(body, [])
  const words = wordsOf(textOf(body['query']))
  const documents = listOf(body['documents']).map(textOfDocument)
  const ranks = documents
    .map((text, index) => ({ index, relevance_score: scoreOf(wordsOf(text), words), text }))
    .toSorted((one, other) => other.relevance_score - one.relevance_score)
    .slice(0, numberOf(body['top_n']))
  const results = ranks.map(({ text, ...rank }) =>
    body['return_documents'] === true ? { ...rank, document: { text } } : rank,
  )
  const units = Math.ceil(documents.length / documentsOfUnit)
  const meta = {
    api_version: { version: '2' },
    ...(directives.nousage ? {} : { billed_units: { search_units: units } }),
  }
  return { json: { id: newId(''), results, meta } }
}

function textOfDocument(one: unknown): string {
  return isObject(one) ? textOf(one['text']) : textOf(one)
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/\w+/g))
}

function scoreOf(words: Set<string>, query: Set<string>): number {
  return query.size === 0 ? 0 : words.intersection(query).size / query.size
}
