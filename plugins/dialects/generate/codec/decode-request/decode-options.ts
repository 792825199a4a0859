import type { Feature } from '../../../../../src/generate/unsupported.ts'
import type { GenerateRequest, Sampling } from '../../../../../src/generate/request.ts'
import { readOutput, readThinking } from './decode-output.ts'
import { defined } from '../../../../../src/lib/json/object.ts'
import type { RequestNotes, Rule, Rules } from './notes.ts'
import { RequestObject } from './request-object.ts'

const generated: Rule = ['native', 'only the Gemini API supports such answers']
const routing: Rule = ['warn', 'the gateway chooses the model']

const rules: Rules = {
  temperature: false,
  topP: false,
  topK: false,
  seed: false,
  presencePenalty: false,
  frequencyPenalty: false,
  maxOutputTokens: false,
  stopSequences: false,
  candidateCount: false,
  responseLogprobs: false,
  logprobs: false,
  responseMimeType: false,
  responseSchema: false,
  responseJsonSchema: false,
  responseModalities: false,
  thinkingConfig: false,
  responseFormat: generated,
  speechConfig: generated,
  imageConfig: generated,
  audioTranscriptionConfig: generated,
  mediaResolution: ['warn', 'only the Gemini API has a resolution of media'],
  audioTimestamp: ['warn', 'only the Gemini API numbers the seconds of audio'],
  enableEnhancedCivicAnswers: ['warn', 'only the Gemini API has such answers'],
  routingConfig: routing,
  modelSelectionConfig: routing,
}

type Options = Pick<
  GenerateRequest,
  'sampling' | 'output' | 'reasoning' | 'maxOutputTokens' | 'stop' | 'candidates' | 'logprobs'
>

/** Reads `generationConfig`. */
export function readOptions(config: RequestObject | undefined, notes: RequestNotes): Options {
  return readConfig(config ?? new RequestObject({}), notes)
}

function readConfig(config: RequestObject, notes: RequestNotes): Options {
  notes.noteOthers(config, rules)
  checkModalities(config, notes)
  return {
    sampling: readSampling(config, notes),
    ...defined({
      output: readOutput(config, notes),
      reasoning: readThinking(config, notes),
      maxOutputTokens: readLimit(config, notes),
      stop: readStops(config, notes),
      candidates: readCandidates(config, notes),
      logprobs: readLogprobs(config, notes),
    }),
  }
}

const samplingFeatures: readonly (readonly [keyof Sampling, Feature])[] = [
  ['topK', 'top_k'],
  ['seed', 'seed'],
  ['presencePenalty', 'presence_penalty'],
  ['frequencyPenalty', 'frequency_penalty'],
]

/** The Gemini API's reference of `GenerationConfig` defines the limits; Vertex AI's defines the penalties' limits. */
function readNumbers(config: RequestObject): Sampling {
  return defined({
    temperature: config.number('temperature', { least: 0, most: 2 }),
    topP: config.number('topP', { least: 0, most: 1 }),
    topK: config.integer('topK', { least: 0 }),
    seed: config.integer('seed'),
    presencePenalty: config.number('presencePenalty', { least: -2, most: 2 }),
    frequencyPenalty: config.number('frequencyPenalty', { least: -2, most: 2 }),
  })
}

function readSampling(config: RequestObject, notes: RequestNotes): Sampling {
  const sampling = readNumbers(config)
  for (const [name, feature] of samplingFeatures) {
    const value = sampling[name]
    if (value === undefined) continue
    const isNeutral = value === 0 && name.endsWith('Penalty')
    if (!isNeutral) notes.uses(feature, config.pathOf(name))
  }
  if (sampling.temperature !== undefined) {
    notes.sets('temperature', config.pathOf('temperature'))
  }
  if (sampling.topP !== undefined) notes.sets('top_p', config.pathOf('topP'))
  if ((sampling.temperature ?? 0) > 1) {
    notes.uses('temperature_above_1', config.pathOf('temperature'))
  }
  return sampling
}

function readLimit(config: RequestObject, notes: RequestNotes): number | undefined {
  const limit = config.integer('maxOutputTokens', { least: 1 })
  if (limit !== undefined) notes.sets('max_output_tokens', config.pathOf('maxOutputTokens'))
  return limit
}

function readStops(config: RequestObject, notes: RequestNotes): string[] | undefined {
  const stop = config.texts('stopSequences')
  if (stop.length === 0) return undefined
  notes.uses('stop', config.pathOf('stopSequences'))
  return stop
}

function readCandidates(config: RequestObject, notes: RequestNotes): number | undefined {
  const candidates = config.integer('candidateCount', { least: 1, most: 8 })
  if ((candidates ?? 1) > 1) notes.uses('candidates', config.pathOf('candidateCount'))
  return candidates
}

function readLogprobs(config: RequestObject, notes: RequestNotes): { top: number } | undefined {
  const top = config.integer('logprobs', { least: 0, most: 20 }) ?? 0
  if (config.boolean('responseLogprobs') !== true) return undefined
  notes.uses('logprobs', config.pathOf('responseLogprobs'))
  return { top }
}

function checkModalities(config: RequestObject, notes: RequestNotes): void {
  const others = config.texts('responseModalities').filter((word) => word.toUpperCase() !== 'TEXT')
  if (others.length > 0) notes.noteLoss(config.pathOf('responseModalities'), generated)
}
