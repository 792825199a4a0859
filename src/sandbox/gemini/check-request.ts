import {
  type Members,
  anything,
  boolean,
  choice,
  dictionary,
  integer,
  list,
  number,
  object,
  string,
} from '../shape.ts'
import type { Account } from '../accounts.ts'
import { type JsonObject, objectsOf } from '../json.ts'
import { checkCallsSigned, checkContents } from './check-contents.ts'
import { signsCalls } from './model-traits.ts'
import { part } from './part-shapes.ts'
import { generateTool, toolConfig } from './tool-shapes.ts'

const content = object({
  required: { parts: list(part, { min: 1 }) },
  optional: { role: choice('user', 'model', 'function') },
})

const systemInstruction = object({
  required: { parts: list(part, { min: 1 }) },
  optional: { role: string() },
})

const generationConfig = object({
  optional: {
    audioTimestamp: boolean,
    audioTranscriptionConfig: anything,
    candidateCount: integer({ min: 1, max: 8 }),
    enableEnhancedCivicAnswers: boolean,
    frequencyPenalty: number({ min: -2, max: 2 }),
    imageConfig: anything,
    logprobs: integer({ min: 0, max: 20 }),
    maxOutputTokens: integer({ min: 1 }),
    mediaResolution: string(),
    modelSelectionConfig: anything,
    presencePenalty: number({ min: -2, max: 2 }),
    responseFormat: anything,
    responseJsonSchema: anything,
    responseLogprobs: boolean,
    responseMimeType: choice('text/plain', 'application/json', 'text/x.enum'),
    responseModalities: list(string()),
    responseSchema: object({ open: true }),
    routingConfig: anything,
    seed: integer(),
    speechConfig: anything,
    stopSequences: list(string({ min: 1 }), { max: 5 }),
    temperature: number({ min: 0, max: 2 }),
    thinkingConfig: object({
      optional: {
        includeThoughts: boolean,
        thinkingBudget: integer({ min: -1 }),
        thinkingLevel: choice('THINKING_LEVEL_UNSPECIFIED', 'MINIMAL', 'LOW', 'MEDIUM', 'HIGH'),
      },
    }),
    topK: number({ min: 0 }),
    topP: number({ min: 0, max: 1 }),
  },
})

const contents = list(content, { min: 1 })

/** Members that a request for text and a cached content share. */
export const cacheMembers: Members = {
  contents,
  systemInstruction,
  tools: list(generateTool),
  toolConfig,
}

const optional: Members = {
  systemInstruction,
  generationConfig,
  safetySettings: list(
    object({
      required: { category: string(), threshold: string() },
      optional: { method: string() },
    }),
  ),
  tools: list(generateTool),
  toolConfig,
  cachedContent: string(),
  labels: dictionary(string()),
  serviceTier: string(),
  store: boolean,
  continuationToken: string(),
  model: string(),
}

const generateRequest = object({ required: { contents }, optional })

const countRequest = object({
  optional: { ...optional, contents, generateContentRequest: generateRequest },
})

/** Throws unless Google accepts this body, with keys in camelCase, for generating content. */
export function checkGenerateRequest(body: JsonObject, account: Account, model: string): void {
  generateRequest(body, [])
  const contents = objectsOf(body['contents'])
  checkContents(contents, account)
  if (signsCalls(model)) checkCallsSigned(contents)
}

/** Throws unless Google accepts this body, with keys in camelCase, for counting tokens. */
export function checkContentCountRequest(body: JsonObject): void {
  countRequest(body, [])
}
