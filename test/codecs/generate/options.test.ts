import { expect, test } from 'vitest'

import { decode } from './codec.ts'

const schema = { type: 'object', properties: { name: { type: 'string' } } }

test('a client that turns every knob has each of them read and named', () => {
  const request = decode({
    generationConfig: {
      temperature: 1.5,
      topP: 0.5,
      topK: '8',
      seed: 7,
      presencePenalty: 0.5,
      frequencyPenalty: -0.5,
      maxOutputTokens: 100,
      stopSequences: ['END'],
      candidateCount: 2,
      responseLogprobs: true,
      logprobs: 3,
      responseMimeType: 'application/json',
      responseJsonSchema: schema,
      thinkingConfig: { thinkingLevel: 'low', includeThoughts: true },
    },
    serviceTier: 'PRIORITY',
    store: true,
  })
  expect(request).toMatchObject({
    sampling: {
      temperature: 1.5,
      topP: 0.5,
      topK: 8,
      seed: 7,
      presencePenalty: 0.5,
      frequencyPenalty: -0.5,
    },
    maxOutputTokens: 100,
    stop: ['END'],
    candidates: 2,
    logprobs: { top: 3 },
    output: { kind: 'schema', schema },
    reasoning: { effort: 'low', show: true },
    serviceTier: 'priority',
    store: true,
  })
  expect(request.fields).toEqual({
    temperature_above_1: 'generationConfig.temperature',
    top_k: 'generationConfig.topK',
    seed: 'generationConfig.seed',
    presence_penalty: 'generationConfig.presencePenalty',
    frequency_penalty: 'generationConfig.frequencyPenalty',
    stop: 'generationConfig.stopSequences',
    candidates: 'generationConfig.candidateCount',
    logprobs: 'generationConfig.responseLogprobs',
    json_schema: 'generationConfig.responseJsonSchema',
    reasoning_effort: 'generationConfig.thinkingConfig.thinkingLevel',
    service_tier: 'serviceTier',
    store: 'store',
  })
  expect(request.extras).toEqual([])
})

test('a client that says nothing, or what changes nothing, uses no feature', () => {
  const request = decode({
    generationConfig: {
      temperature: 1,
      candidateCount: 1,
      presencePenalty: 0,
      stopSequences: [],
      responseLogprobs: false,
      responseMimeType: 'text/plain',
      responseModalities: ['TEXT'],
      thinkingConfig: { thinkingBudget: -1 },
    },
    toolConfig: {},
    tools: [],
    labels: null,
  })
  expect(request.fields).toEqual({})
  expect(request.extras).toEqual([])
  expect(request.reasoning).toBeUndefined()
  expect(request.stop).toBeUndefined()
})

test.each([
  // To want no thoughts at all is said by an effort, too.
  [0, 'reasoning_effort'],
  [2048, 'reasoning_budget'],
])('a client with a thinking budget of %i has it read', (thinkingBudget, feature) => {
  const request = decode({ generationConfig: { thinkingConfig: { thinkingBudget } } })
  expect(request.reasoning).toEqual({ budget: thinkingBudget })
  expect(request.fields).toEqual({
    [feature]: 'generationConfig.thinkingConfig.thinkingBudget',
  })
})

test('a client that wants JSON of any kind asks for that', () => {
  const request = decode({ generationConfig: { responseMimeType: 'application/json' } })
  expect(request.output).toEqual({ kind: 'json' })
  expect(request.fields).toEqual({ json_object: 'generationConfig.responseMimeType' })
})

test('a schema in the form of OpenAPI becomes a JSON schema', () => {
  const { output } = decode({
    generationConfig: {
      responseMimeType: 'application/json',
      responseSchema: {
        type: 'OBJECT',
        propertyOrdering: ['name', 'type'],
        required: ['name'],
        properties: {
          name: { type: 'STRING', nullable: true, minLength: '1' },
          type: { type: 'STRING', format: 'enum', enum: ['A', 'B'] },
          tags: { type: 'ARRAY', items: { anyOf: [{ type: 'STRING' }, { type: 'INTEGER' }] } },
        },
      },
    },
  })
  expect(output).toEqual({
    kind: 'schema',
    schema: {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: ['string', 'null'], minLength: 1 },
        type: { type: 'string', enum: ['A', 'B'] },
        tags: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
      },
      additionalProperties: false,
    },
  })
})
