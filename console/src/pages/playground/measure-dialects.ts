import {
  type Json,
  type PlaygroundDialect,
  type Prompt,
  bearer,
  googleKey,
  linesOf,
  listOf,
  modelPath,
  wordsOf,
} from './dialect.ts'

/** The dialects that measure texts: vectors, ranks and verdicts. */
export const measureDialects: readonly PlaygroundDialect[] = [
  {
    id: 'embeddings',
    name: 'Embeddings',
    makes: 'vectors',
    call: ({ model, text, dimensions }, key) => ({
      path: '/v1/embeddings',
      headers: bearer(key),
      body: {
        model,
        input: linesOf(text),
        ...(dimensions !== '' && { dimensions: Number(dimensions) }),
      },
    }),
    textOf: ({ data }, prompt) =>
      vectorsText(
        listOf(data).map(({ embedding }) => embedding),
        prompt,
      ),
  },
  {
    id: 'embed-content',
    name: 'embedContent',
    makes: 'vectors',
    call: ({ model, text, dimensions }, key) => ({
      path: modelPath(model, 'batchEmbedContents'),
      headers: googleKey(key),
      body: {
        requests: linesOf(text).map((line) => ({
          model: `models/${model}`,
          content: { parts: [{ text: line }] },
          ...(dimensions !== '' && { outputDimensionality: Number(dimensions) }),
        })),
      },
    }),
    textOf: ({ embeddings }, prompt) =>
      vectorsText(
        listOf(embeddings).map((one) => memberOf(one, 'values')),
        prompt,
      ),
  },
  {
    id: 'predict',
    name: 'predict, Vertex AI',
    makes: 'vectors',
    call: ({ model, text, dimensions }, key) => ({
      path: modelPath(model, 'predict'),
      headers: googleKey(key),
      body: {
        instances: linesOf(text).map((content) => ({ content })),
        ...(dimensions !== '' && { parameters: { outputDimensionality: Number(dimensions) } }),
      },
    }),
    textOf: ({ predictions }, prompt) =>
      vectorsText(
        listOf(predictions).map((one) => memberOf(memberOf(one, 'embeddings'), 'values')),
        prompt,
      ),
  },
  {
    id: 'rerank',
    name: 'Rerank',
    makes: 'ranks',
    call: ({ model, text, query }, key) => ({
      path: '/v1/rerank',
      headers: bearer(key),
      body: { model, query, documents: linesOf(text) },
    }),
    textOf: ({ results }, { text }) =>
      listOf(results)
        .map(({ index, relevance_score }) =>
          [numberText(relevance_score), linesOf(text)[Number(index)]].join('  '),
        )
        .join('\n'),
  },
  {
    id: 'moderations',
    name: 'Moderations',
    makes: 'verdicts',
    usualModel: 'omni-moderation-latest',
    call: ({ model, text }, key) => ({
      path: '/v1/moderations',
      headers: bearer(key),
      body: { ...(model !== '' && { model }), input: text },
    }),
    textOf: ({ results }) => listOf(results).map(verdictText).join('\n\n'),
  },
]

/** Each text with the beginning of its vector: `Hello: 0.0123, -0.4 ... 1536 numbers`. */
function vectorsText(vectors: readonly (Json | undefined)[], { text }: Prompt): string {
  const texts = linesOf(text)
  return vectors
    .map((vector, index) => {
      const all = listOf(vector)
      const first = all.slice(0, 4).map(numberText).join(', ')
      return `${texts[index] ?? ''}\n${first} ... ${all.length} numbers`
    })
    .join('\n\n')
}

/** The verdict, and the categories with the highest scores. */
function verdictText({ flagged, categories, category_scores }: Json): string {
  const scores = Object.entries((category_scores ?? {}) as Readonly<Record<string, unknown>>)
    .filter((one): one is [string, number] => typeof one[1] === 'number')
    .sort(([, one], [, other]) => other - one)
    .slice(0, 5)
    .map(([name, score]) => {
      const isFlagged = (categories?.[name] as unknown) === true
      return `${numberText(score)}  ${name}${isFlagged ? ', flagged' : ''}`
    })
  const verdict = (flagged as unknown) === true ? 'Flagged' : 'Not flagged'
  return [verdict, ...scores].join('\n')
}

/** A member of a name that lists have a method of, too. */
function memberOf(value: Json | undefined, name: string): Json | undefined {
  return value?.[name]
}

function numberText(value: unknown): string {
  return typeof value === 'number' ? value.toFixed(4) : wordsOf(value)
}
