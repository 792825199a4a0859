import { expect, test } from 'vitest'

import { chunk } from './chunks.ts'
import { collect, readEvents } from './codec.ts'

test('sources count bytes at the account and characters for everybody else', () => {
  const events = readEvents([
    chunk([{ text: 'Þór ' }]),
    chunk([{ text: 'ok' }], {
      finishReason: 'STOP',
      citationMetadata: {
        citationSources: [{ startIndex: 6, endIndex: 8, uri: 'https://a.example' }],
      },
      groundingMetadata: {
        groundingChunks: [{ web: { uri: 'https://b.example', title: 'B' } }],
        groundingSupports: [{ segment: { endIndex: 5 }, groundingChunkIndices: [0] }],
      },
    }),
  ])
  expect(collect(events)?.choices[0]?.content).toEqual([
    {
      type: 'text',
      text: 'Þór ok',
      citations: [
        { url: 'https://a.example', start: 4, end: 6 },
        { url: 'https://b.example', title: 'B', start: 0, end: 3 },
      ],
    },
  ])
})

test('probabilities of tokens stay with the text that they came with', () => {
  const events = readEvents([
    chunk([{ text: 'Hi' }], {
      finishReason: 'STOP',
      logprobsResult: {
        chosenCandidates: [{ token: 'Hi', tokenId: 5, logProbability: -0.25 }],
        topCandidates: [{ candidates: [{ token: 'Ho', logProbability: -2 }] }],
      },
    }),
  ])
  expect(events).toContainEqual({
    type: 'delta',
    index: 0,
    text: 'Hi',
    logprobs: [{ token: 'Hi', logprob: -0.25, top: [{ token: 'Ho', logprob: -2 }] }],
  })
})
